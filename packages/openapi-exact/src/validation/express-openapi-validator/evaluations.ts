import { MismatchError } from '../../errors/invalid-response-error.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';

/** So many evaluations every message may take. */
const LEAST = 20_000;
/** So many more it may take for each of its values. */
const PER_VALUE = 16;

/**
 * Bounds the work for one message. Alternatives that refer to themselves, and that only something
 * deep inside tells apart, are all followed at each level: twice the time per level. So the verdict
 * of a schema on an object is remembered. Where the validator cannot use it, and for lists in
 * lists, which it evaluates unseen, the values that are evaluated are counted.
 */
export class Evaluations {
  #left: number;
  readonly #objects: readonly number[];
  /** The verdicts by the numbers of schemas, and of objects. */
  readonly #verdicts = new Map<number, Map<number, boolean>>();

  /** @param objects by their numbers: the values of each, except other objects with theirs. */
  constructor(values: number, objects: readonly number[]) {
    this.#left = LEAST + values * PER_VALUE;
    this.#objects = objects;
  }

  /**
   * Counts the evaluation of values.
   * @throws MismatchError if it is too much: the validator collects an error for each alternative
   * that it goes on with.
   */
  countValues(values: number): true {
    this.#left -= values;
    if (this.#left < 0) throw new MismatchError({ place: '', keyword: 'type', limits: 'ambiguity' });
    return true;
  }

  /** Counts the evaluation of the object with a number. */
  countObject(object: number): true {
    return this.countValues(this.#objects[object] ?? 1);
  }

  /** Whether a schema has not evaluated an object yet. A running evaluation counts as failed. */
  isFirst(schema: number, object: number): boolean {
    const verdicts = getOrInsert(this.#verdicts, schema, () => new Map<number, boolean>());
    if (verdicts.has(object)) return false;
    verdicts.set(object, false);
    return true;
  }

  /** Remembers that a schema holds for an object. */
  hold(schema: number, object: number): true {
    this.#verdicts.get(schema)?.set(object, true);
    return true;
  }

  /** Whether a schema was found to hold for an object. */
  isHeld(schema: number, object: number): boolean {
    return this.#verdicts.get(schema)?.get(object) === true;
  }
}
