import { INT64_MAX, INT64_MIN } from '../../src/contract/numbers/int64.ts';

/** Target plants of each case. Each has a neighbour that no authorised request names. */
export const SLOTS = 4;

/** Where the targets of each slot lie: beyond 2^53, at both ends of int64, and near 0. */
const RANGES: readonly ((index: bigint) => { target: bigint; neighbour: bigint })[] = [
  (index) => ({ target: 2n ** 53n + 2n * index + 1n, neighbour: 2n ** 53n + 2n * index }),
  (index) => ({ target: INT64_MIN + 2n * index + 1n, neighbour: INT64_MIN + 2n * index }),
  (index) => ({ target: 2n * index + 1n, neighbour: 2n * index }),
  (index) => ({ target: INT64_MAX - 2n * index - 1n, neighbour: INT64_MAX - 2n * index }),
];

/** More cases than anybody runs: their plants keep clear of those of the next range. */
const MOST_CASES = 2n ** 40n;

/** An id that is never planted. */
export const MISSING_ID = 4_000_000_000_000_000_001n;

/** A plant that a case may delete. */
export function targetOf(index: number, slot: number): bigint {
  return plantsOf(index, slot).target;
}

/** The plant next to a target, which no request names together with a valid token. */
export function neighbourOf(index: number, slot: number): bigint {
  return plantsOf(index, slot).neighbour;
}

function plantsOf(index: number, slot: number): { target: bigint; neighbour: bigint } {
  const range = RANGES[slot];
  if (range === undefined) throw new Error(`There is no slot ${slot}.`);
  return range(BigInt(index));
}

/** All plants of some cases. */
export function* plantsOfCases(from: number, to: number): Generator<bigint> {
  for (let slot = 0; slot < SLOTS; slot++) {
    for (let index = from; index < to; index++) {
      yield neighbourOf(index, slot);
      yield targetOf(index, slot);
    }
  }
}

/** Whose plant an id is. */
export interface Place {
  readonly index: number;
  readonly slot: number;
  readonly isTarget: boolean;
}

/** The case and slot that an id belongs to; undefined when no case ever has it. */
export function placeOf(id: bigint): Place | undefined {
  const [slot, offset] =
    id < 0n
      ? [1, id - INT64_MIN]
      : id < MOST_CASES
        ? [2, id]
        : id > INT64_MAX - MOST_CASES
          ? [3, INT64_MAX - id]
          : [0, id - 2n ** 53n];
  if (offset < 0n || offset >= MOST_CASES) return undefined;
  return { index: Number(offset / 2n), slot, isTarget: offset % 2n === 1n };
}

/**
 * Every id that the bytes could request, however they are split into requests: the last segment of
 * a path, in canonical decimal, percent-decoded.
 */
export function idsIn(bytes: Buffer): bigint[] {
  const text = bytes
    .toString('latin1')
    .replaceAll(/%([0-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Array.from(text.matchAll(/\/(0|-?[1-9]\d{0,18})(?=[ ?])/g), ([, digits = '']) => BigInt(digits));
}
