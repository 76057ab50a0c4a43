import { MismatchError } from '../response-error.ts';

/** So many evaluations every message may take. */
const LEAST = 100_000;
/** So many more it may take for each of its objects. */
const PER_OBJECT = 50;

const TOO_AMBIGUOUS = 'must not be nested so deeply in alternatives that only its inner parts tell apart';

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

  /**
   * Counts the evaluation of an object by a referenced schema.
   * @throws MismatchError if it is too much: the validator collects an error for each alternative
   * that it goes on with.
   */
  count(): true {
    this.#left -= 1;
    if (this.#left < 0) throw new MismatchError('', TOO_AMBIGUOUS);
    return true;
  }
}
