/** So many evaluations every message may take. */
const LEAST = 100_000;
/** So many more it may take for each of its objects. */
const PER_OBJECT = 50;

/**
 * Bounds the work for one message. Alternatives that refer to themselves, and that only something
 * deep inside tells apart, are all followed at each level: twice the time per level.
 */
export class Evaluations {
  #left = 0;

  /** @param objects the number of objects of the message. */
  begin(objects: number): void {
    this.#left = LEAST + objects * PER_OBJECT;
  }

  /** Counts the evaluation of an object by a referenced schema. @returns false if it is too much. */
  count(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }

  /** Whether the message took too many, so that its verdict means nothing. */
  get isExceeded(): boolean {
    return this.#left < 0;
  }
}
