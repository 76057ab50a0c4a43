import fc from 'fast-check';
import { frame } from './framings.ts';
import { idsIn, MISSING_ID, neighbourOf, placeOf, targetOf } from './ids.ts';
import { mutate, mutation, type Mutation } from './mutations.ts';
import { plainRequest, strangeRequest, type RequestDraft } from './requests.ts';

/** What the client does when it has written its bytes. */
export type Ending = 'sentinel' | 'wait' | 'half-close' | 'destroy' | 'reset';

/** What is written on one connection. */
export interface Case {
  readonly index: number;
  /** The pieces that are written one after the other. */
  readonly pieces: readonly Buffer[];
  /** Milliseconds between two of them; 0: the next turn of the event loop. */
  readonly pause: number;
  readonly ending: Ending;
  /** The plants that may be gone afterwards. */
  readonly mayDelete: ReadonlySet<bigint>;
  /** The statuses of all answers, where they are certain. */
  readonly expected: readonly number[] | undefined;
}

/** The tokens that requests are sent with. */
export interface Tokens {
  readonly valid: string;
  readonly revoked: string;
}

/**
 * Ends most cases: the server refuses this request and closes the connection, so that no timeout is
 * needed.
 */
const SENTINEL = Buffer.from(`DELETE /plants/${MISSING_ID} HTTP/1.1\r\nHost: plants\r\nConnection: close\r\n\r\n`);
const BATCH = 100;

const draft = fc.record({
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
    { weight: 160, arbitrary: fc.constant<Ending>('sentinel') },
    // The server lets an idle connection wait for seconds.
    { weight: 1, arbitrary: fc.constant<Ending>('wait') },
    { weight: 40, arbitrary: fc.constantFrom<Ending>('half-close', 'destroy', 'reset') },
  ),
  /** How many of the pieces are written before the ending. */
  written: fc.oneof({ weight: 4, arbitrary: fc.constant(10) }, { weight: 1, arbitrary: fc.nat(4) }),
});
type Draft = typeof draft extends fc.Arbitrary<infer T> ? T : never;

/**
 * The cases of a seed, the same each time.
 * @returns undefined for a case whose bytes name a plant of another case together with the valid
 * token.
 */
export function casesOf(seed: number, tokens: Tokens): (index: number) => Case | undefined {
  let [batch, drafts]: [number, readonly Draft[]] = [-1, []];
  return (index) => {
    if (Math.floor(index / BATCH) !== batch) {
      batch = Math.floor(index / BATCH);
      // Any integer is a seed: each batch has one that no other batch of this seed has.
      drafts = fc.sample(draft, { seed: (seed ^ Math.imul(batch, 0x9e3779b1)) | 0, numRuns: BATCH });
    }
    const drawn = drafts[index % BATCH];
    return drawn && caseOf(drawn, index, tokens);
  };
}

function caseOf(
  { isAuthorised, content, mutations, cuts, pause, ending, written }: Draft,
  index: number,
  tokens: Tokens,
): Case | undefined {
  const requests = Array.isArray(content) ? content.map((one) => render(one, index, isAuthorised, tokens)) : [];
  const drawn = Array.isArray(content) ? Buffer.concat(requests.map(({ bytes }) => bytes)) : Buffer.from(content);
  const bytes = mutations.reduce<Buffer>(mutate, drawn);
  const all = Buffer.concat([bytes, SENTINEL]);
  const hasToken = all.includes(tokens.valid);
  if (hasToken && (!isAuthorised || idsIn(all).some((id) => isForeign(id, index)))) return undefined;

  const isWhole = mutations.length === 0;
  // As long as nothing was changed, a token counts for the request that it was written into.
  const units = isWhole ? requests.map(({ meant }) => meant) : [all];
  const authorised = units.filter((unit) => unit.includes(tokens.valid));
  const pieces = cut(bytes, cuts).slice(0, written === 10 ? undefined : written);
  const isComplete = pieces.length === cuts.length + 1 && ending === 'sentinel';
  if (ending === 'sentinel') pieces.push(SENTINEL);
  return {
    index,
    pieces,
    pause,
    ending,
    mayDelete: new Set(authorised.flatMap(idsIn)),
    expected: isWhole && isComplete && Array.isArray(content) ? expectedOf(content, isAuthorised) : undefined,
  };
}

/** True for a plant that requests of this case must not name together with the valid token. */
function isForeign(id: bigint, index: number): boolean {
  const place = placeOf(id);
  return place !== undefined && !(place.isTarget && place.index === index);
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
function render(
  request: RequestDraft,
  index: number,
  isAuthorised: boolean,
  tokens: Tokens,
): { bytes: Buffer; meant: Buffer } {
  const { method, target, version, headers, framing, content, lineEnd, slot } = request;
  const id = String(isAuthorised ? targetOf(index, slot) : neighbourOf(index, slot));
  const values: Readonly<Record<string, string>> = {
    '{I}': id,
    '{E}': Array.from(id, (digit) => `%${digit.charCodeAt(0).toString(16)}`).join(''),
    '{M}': String(MISSING_ID),
    '{T}': isAuthorised ? tokens.valid : invalidToken(tokens, request.token),
  };
  const fill = (text: string): string => text.replaceAll(/\{[IEMT]\}/g, (name) => values[name] ?? name);
  const framed = framing && frame(framing, fill(content));
  const lines = [`${method} ${target} ${version}`, ...headers, ...(framed?.headers ?? []), '', ''];
  const head = fill(lines.join(lineEnd));
  const bytes = Buffer.from(head + (framed?.body ?? ''), 'latin1');
  return { bytes, meant: framing?.isEnclosed === true ? Buffer.from(head, 'latin1') : bytes };
}

function invalidToken({ valid, revoked }: Tokens, choice: number): string {
  const invalid = [
    revoked,
    valid.slice(0, -1),
    valid.slice(1),
    valid.toUpperCase(),
    `plant_${'0'.repeat(33)}`,
    'x',
    '',
  ];
  return invalid[choice % invalid.length] ?? '';
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((place) => Math.floor((place / 10_000) * bytes.length)).sort((a, b) => a - b);
  return [...places, bytes.length].map((place, index) => bytes.subarray(places[index - 1] ?? 0, place));
}
