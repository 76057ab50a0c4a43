import type { MessageSize } from './stand-ins.ts';
import { MismatchError } from '../../errors/response-error.ts';

/** So many evaluations every message may take. */
const LEAST = 20_000;
/** So many more it may take for each of its values. */
const PER_VALUE = 16;

const TOO_AMBIGUOUS = 'must not be nested so deeply in alternatives that only its inner parts tell apart';

/**
 * Bounds the work for one message. Alternatives that refer to themselves, and that only something
 * deep inside tells apart, are all followed at each level: twice the time per level. So the verdict
 * of a schema on an object is remembered. Where the validator cannot use it, and for lists in
 * lists, which it evaluates unseen, the values that are evaluated are counted.
 */
export class Evaluations {
  #left = Infinity;
  #objects: readonly number[] = [];
  /** The verdicts of the schemas that the message has met. */
  readonly #verdicts = new Set<Map<number, boolean>>();

  begin({ values, objects }: MessageSize): void {
    this.#left = LEAST + values * PER_VALUE;
    this.#objects = objects;
  }

  /** Forgets the message. */
  end(): void {
    this.#objects = [];
    if (this.#verdicts.size === 0) return;
    for (const verdicts of this.#verdicts) verdicts.clear();
    this.#verdicts.clear();
  }

  /**
   * Counts the evaluation of values.
   * @throws MismatchError if it is too much: the validator collects an error for each alternative
   * that it goes on with.
   */
  countValues(values: number): true {
    this.#left -= values;
    if (this.#left < 0) throw new MismatchError('', TOO_AMBIGUOUS);
    return true;
  }

  /** Counts the evaluation of the object with a number. */
  countObject(object: number): true {
    return this.countValues(this.#objects[object] ?? 1);
  }

  /** What remembers the verdicts of one schema on the objects of a message, by their numbers. */
  remembered(): Remembered {
    const verdicts = new Map<number, boolean>();
    return {
      isFirst: (object) => {
        if (verdicts.has(object)) return false;
        if (verdicts.size === 0) this.#verdicts.add(verdicts);
        // An evaluation that has begun fails until it has succeeded.
        verdicts.set(object, false);
        return true;
      },
      hold: (object) => verdicts.set(object, true).has(object),
      held: (object) => verdicts.get(object) === true,
    };
  }
}

/** The verdicts of one schema. */
interface Remembered {
  /** Whether the object was not evaluated yet. */
  readonly isFirst: (object: number) => boolean;
  /** Remembers that the schema holds. @returns true. */
  readonly hold: (object: number) => boolean;
  readonly held: (object: number) => boolean;
}
