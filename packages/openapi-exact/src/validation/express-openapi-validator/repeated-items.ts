import { getOrInsert } from '../../json/get-or-insert.ts';

/**
 * A property of each object that repeats an earlier item of its list. It is not enumerable: only a
 * schema that names it finds it.
 */
export const REPEATED = '#repeated';

/**
 * Marks the objects of a JSON value that repeat an earlier item of their list, in linear time.
 * @param numbers of the values so far.
 * @returns the number of the value; equal values have the same.
 */
export function markRepeated(value: unknown, numbers = new Map<string, number>()): number {
  return getOrInsert(numbers, identityText(value, numbers), () => numbers.size);
}

/** A text that only equal values have: parts are their numbers. */
function identityText(value: unknown, numbers: Map<string, number>): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).map(
      ([key, property]) => `${JSON.stringify(key)}:${markRepeated(property, numbers)}`,
    );
    return `{${entries.toSorted().join()}}`;
  }
  const seen = new Set<number>();
  const items = value.map((item: unknown) => {
    const number = markRepeated(item, numbers);
    if (seen.has(number) && typeof item === 'object' && item !== null) {
      Object.defineProperty(item, REPEATED, { value: true });
    }
    seen.add(number);
    return number;
  });
  return `[${items.join()}]`;
}
