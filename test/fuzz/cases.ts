import fc from 'fast-check';
import { PROBES } from '../http/probes/probes.ts';
import { fill, LAST, withHeaders } from '../http/probes/probe.ts';
import { mutate, mutation, type Mutation } from './mutations.ts';

/** What the client does when it has written its bytes. */
type Ending = 'sentinel' | 'half-close' | 'destroy' | 'reset';

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
/** Deletes a plant, or finds it gone, when its token is valid. */
const PLAIN = withHeaders();
const STRANGE = Object.values(PROBES).flatMap((probes) => Object.values(probes).map(({ bytes }) => bytes));

/** A request for one of the case's plants. */
interface RequestDraft {
  readonly bytes: string;
  readonly slot: number;
}
const requests = (texts: readonly string[], maxLength: number): fc.Arbitrary<RequestDraft[]> =>
  fc.array(fc.record({ bytes: fc.constantFrom(...texts), slot: fc.nat(3) }), { minLength: 1, maxLength });

/** A case whose plants and tokens are still to be filled in. */
export const draft = fc.record({
  /** Which of the invalid tokens it has; undefined: the valid one. */
  invalid: fc.option(fc.nat(6), { freq: 2, nil: undefined }),
  content: fc.oneof(
    { weight: 2, arbitrary: requests([PLAIN], 6) },
    { weight: 8, arbitrary: requests([PLAIN, ...STRANGE.map((bytes) => bytes.slice(0, -LAST.length))], 4) },
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
export function caseOf({ invalid, content, mutations, cuts, pause, ending }: Draft, means: Means): Case {
  const { targets, neighbours, valid, revoked } = means;
  const wrong = [revoked, valid.slice(0, -1), valid.slice(1), valid.toUpperCase(), `plant_${'0'.repeat(33)}`, 'x', ''];
  const token = invalid === undefined ? valid : (wrong[invalid] ?? '');
  const filled = ({ bytes, slot }: RequestDraft): Buffer =>
    fill({ bytes }, targets[slot] ?? 0n, neighbours[slot] ?? 0n, token);
  const drawn = Array.isArray(content) ? Buffer.concat(content.map(filled)) : Buffer.from(content);
  const bytes = mutations.reduce<Buffer>(mutate, drawn);
  const all = Buffer.concat([bytes, SENTINEL]);
  const isCertain = mutations.length === 0 && ending === 'sentinel' && Array.isArray(content);
  return {
    pieces: [...cut(bytes, cuts), ...(ending === 'sentinel' ? [SENTINEL] : [])],
    pause,
    ending,
    mayDelete: new Set(all.includes(valid) ? idsIn(all) : []),
    expected: isCertain ? expectedOf(content, invalid === undefined) : undefined,
  };
}

/** The statuses for plain delete requests and the sentinel; undefined for others. */
function expectedOf(drafts: readonly RequestDraft[], isAuthorised: boolean): number[] | undefined {
  if (drafts.some(({ bytes }) => bytes !== PLAIN)) return undefined;
  const slots = drafts.map(({ slot }) => slot);
  const statusOf = (slot: number, index: number): number => (slots.indexOf(slot) === index ? 204 : 404);
  return [...slots.map((slot, index) => (isAuthorised ? statusOf(slot, index) : 401)), 401];
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
