import fc from 'fast-check';
import { frame } from './framings.ts';
import { mutate, mutation, type Mutation } from './mutations.ts';
import { plainRequest, strangeRequest, type RequestDraft } from './requests.ts';

/** What the client does when it has written its bytes. */
type Ending = 'sentinel' | 'half-close' | 'destroy' | 'reset';

/** What is written on one connection. */
export interface Case {
  /** The pieces that are written one after the other. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds between two of them; 0: the next iteration of the event loop. */
  readonly pause: number;
  readonly ending: Ending;
  /** The plants that may be gone afterwards. */
  readonly mayDelete: ReadonlySet<bigint>;
  /** The statuses of all responses, where they are certain. */
  readonly expected: readonly number[] | undefined;
}

/** What a case is made with: plants that it may delete, others beside them, and tokens. */
export interface Means {
  readonly targets: readonly bigint[];
  readonly neighbours: readonly bigint[];
  readonly valid: string;
  readonly revoked: string;
}

/** An id that no case plants. */
const MISSING = '4000000000000000001';
/** The service refuses this request and closes the connection, so that no timeout is needed. */
const SENTINEL = Buffer.from(`DELETE /plants/${MISSING} HTTP/1.1\r\nHost: plants\r\nConnection: close\r\n\r\n`);

/** A case whose plants and tokens are still to be filled in. */
export const draft = fc.record({
  isAuthorised: fc.boolean(),
  content: fc.oneof(
    { weight: 2, arbitrary: fc.array(plainRequest, { minLength: 1, maxLength: 6 }) },
    { weight: 8, arbitrary: fc.array(fc.oneof(strangeRequest, plainRequest), { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 1_000, size: 'max' }) },
  ),
  mutations: fc.oneof(fc.constant<Mutation[]>([]), fc.array(mutation, { minLength: 1, maxLength: 4 })),
  cuts: fc.oneof(fc.constant([]), fc.array(fc.nat(10_000), { maxLength: 4 })),
  pause: fc.constantFrom(0, 0, 0, 1, 5),
  ending: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Ending>('sentinel') },
    { weight: 1, arbitrary: fc.constantFrom<Ending>('half-close', 'destroy', 'reset') },
  ),
});
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/** Fills plants and tokens into a draft. */
export function caseOf({ isAuthorised, content, mutations, cuts, pause, ending }: Draft, means: Means): Case {
  const requests = Array.isArray(content) ? content.map((one) => render(one, isAuthorised, means)) : [];
  const drawn = Array.isArray(content) ? Buffer.concat(requests.map(({ bytes }) => bytes)) : Buffer.from(content);
  const bytes = mutations.reduce<Buffer>(mutate, drawn);
  const isWhole = mutations.length === 0;
  // As long as nothing was changed, a token counts for the request that it was written into.
  const units = isWhole ? requests.map(({ meant }) => meant) : [Buffer.concat([bytes, SENTINEL])];
  const isCertain = isWhole && ending === 'sentinel' && Array.isArray(content);
  return {
    pieces: [...cut(bytes, cuts), ...(ending === 'sentinel' ? [SENTINEL] : [])],
    pause,
    ending,
    mayDelete: new Set(units.filter((unit) => unit.includes(means.valid)).flatMap(idsIn)),
    expected: isCertain ? expectedOf(content, isAuthorised) : undefined,
  };
}

/** The statuses for plain delete requests and the sentinel; undefined for others. */
function expectedOf(requests: readonly RequestDraft[], isAuthorised: boolean): number[] | undefined {
  if (requests.some((request) => !isPlain(request))) return undefined;
  const gone = new Set<number>();
  const statuses = requests.map(({ slot }) => {
    if (!isAuthorised) return 401;
    const status = gone.has(slot) ? 404 : 204;
    gone.add(slot);
    return status;
  });
  return [...statuses, 401];
}

function isPlain({ framing, ...request }: RequestDraft): boolean {
  const { method, target, version, headers, lineEnd } = request;
  const text = [method, target, version, ...headers].join('|');
  const plain = 'DELETE|/plants/{I}|HTTP/1.1|Host: plants|Authorization: Bearer {T}';
  return framing === undefined && text === plain && lineEnd === '\r\n';
}

/** The bytes of a request, and those that can name a plant: all but an enclosed body. */
function render(request: RequestDraft, isAuthorised: boolean, means: Means): { bytes: Buffer; meant: Buffer } {
  const { method, target, version, headers, framing, content, lineEnd, slot } = request;
  const id = String((isAuthorised ? means.targets : means.neighbours)[slot]);
  const values: Readonly<Record<string, string>> = {
    '{I}': id,
    '{E}': Array.from(id, (digit) => `%${digit.charCodeAt(0).toString(16)}`).join(''),
    '{M}': MISSING,
    '{T}': isAuthorised ? means.valid : invalidToken(means, request.token),
  };
  const fill = (text: string): string => text.replaceAll(/\{[IEMT]\}/g, (name) => values[name] ?? name);
  const framed = framing && frame(framing, fill(content));
  const lines = [`${method} ${target} ${version}`, ...headers, ...(framed?.headers ?? []), '', ''];
  const head = fill(lines.join(lineEnd));
  const bytes = Buffer.from(head + (framed?.body ?? ''), 'latin1');
  return { bytes, meant: framing?.isEnclosed === true ? Buffer.from(head, 'latin1') : bytes };
}

function invalidToken({ valid, revoked }: Means, choice: number): string {
  const changed = [valid.slice(0, -1), valid.slice(1), valid.toUpperCase()];
  const invalid = [revoked, ...changed, `plant_${'0'.repeat(33)}`, 'x', ''];
  return invalid[choice % invalid.length] ?? '';
}

/**
 * Every id that the bytes could request, however they are split into requests: the last segment of
 * a path, in canonical decimal, percent-decoded.
 */
function idsIn(bytes: Buffer): bigint[] {
  const text = bytes
    .toString('latin1')
    .replaceAll(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Array.from(text.matchAll(/\/(0|-?[1-9]\d{0,18})(?=[ ?])/g), ([, digits = '']) => BigInt(digits));
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((place) => Math.floor((place / 10_000) * bytes.length)).sort((a, b) => a - b);
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}
