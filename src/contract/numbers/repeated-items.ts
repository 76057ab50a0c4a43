import { getOrInsert } from '../get-or-insert.ts';

/**
 * A property of each object that repeats an earlier item of its list. It is not enumerable: only a
 * schema that names it finds it.
 */
export const REPEATED = '#repeated';

/** Marks the objects of a JSON value that repeat an earlier item of their list, in linear time. */
export function markRepeated(value: unknown): void {
  new EqualValues().find(value);
}

/** Numbers for JSON values: equal values have the same. */
class EqualValues {
  readonly #numbers = new Map<string, number>();

  /** The number of a value, whose repeated objects are marked. */
  find(value: unknown): number {
    return getOrInsert(this.#numbers, this.#textOf(value), () => this.#numbers.size);
  }

  /** A text that only equal values have: parts are their numbers. */
  #textOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${this.#mark(value).join()}]`;
    const entries = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}:${this.find(one)}`);
    return `{${entries.toSorted().join()}}`;
  }

  #mark(items: readonly unknown[]): number[] {
    const numbers = items.map((item) => this.find(item));
    const seen = new Set<number>();
    for (const [index, item] of items.entries()) {
      const number = numbers[index] ?? 0;
      if (seen.has(number) && typeof item === 'object' && item !== null) {
        Object.defineProperty(item, REPEATED, { value: true });
      }
      seen.add(number);
    }
    return numbers;
  }
}
