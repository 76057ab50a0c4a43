import { RequestError } from '../errors/errors.ts';

/** Maximum number of values of one message where no other limit is set. */
export const MAX_VALUES = 10_000;

/** Maximum number of combinations of patterns that the names of one message match. */
const MAX_COMBINATIONS = 100;

/** Maximum number of merges of alternatives that reading one message takes. */
const MAX_MERGES = 5_000;

/**
 * Maximum length of the keys that lead to a value, in characters. Each fault has its place, also
 * those of alternatives: a few long keys around many faults would fill the memory.
 */
export const MAX_PLACE = 2_000;

/** A budget for the values of messages. */
export interface ValueMemory {
  /** Takes what values need. @throws RequestError overloaded. */
  addValues(values: number): void;
}

/** Counts the values of one message: objects, arrays, texts, numbers, true, false and null. */
export class ValueCount {
  /** Whether doubles hold all numbers so far, and no key is special: see json/special-keys.ts. */
  isPlain = true;
  readonly #limit: number;
  readonly #exceeded: (what: string) => Error;
  readonly #memory: ValueMemory | undefined;
  #count = 0;
  #reserved: number;
  #combinations = 0;
  #branches = 0;
  #merges = 0;
  #isExceeded = false;

  /**
   * @param exceeded makes the error for more than it names; the parameters', by default.
   * @param memory is asked for values before they are made, some at a time.
   * @param reserved for so many values it is not asked.
   */
  constructor(limit = MAX_VALUES, exceeded: (what: string) => Error = tooMany, memory?: ValueMemory, reserved = 0) {
    this.#limit = limit;
    this.#exceeded = exceeded;
    this.#memory = memory;
    this.#reserved = reserved;
  }

  /** Whether values were refused: further ones would be, too. */
  get isExceeded(): boolean {
    return this.#isExceeded;
  }

  /**
   * Splits a text into parts; each becomes a value.
   * @throws the error for too many when so many values cannot be added, before they are made.
   */
  split(text: string, delimiter: string | RegExp): string[] {
    const room = this.#limit - this.#count;
    const parts = text.split(delimiter, room + 1);
    if (parts.length > room) throw this.#tooManyValues();
    return parts;
  }

  /** Adds values. @throws the error for too many. */
  addToCount(values = 1): void {
    this.#count += values;
    if (this.#count <= this.#reserved) return;
    if (this.#count > this.#limit) throw this.#tooManyValues();
    const additional = Math.min(this.#count + RESERVED_VALUES, this.#limit) - this.#reserved;
    this.#reserved += additional;
    this.#memory?.addValues(additional);
  }

  /** Takes values back that are read again. */
  removeFromCount(values: number): void {
    this.#count -= values;
  }

  /**
   * Adds the slashes and tildes of a name, each as two values: they are escaped for each fault at
   * the place, also of alternatives, which takes as long as two values do.
   * @param outer the length of the keys that lead to its object.
   * @throws the error for too many, or for keys that are too long together.
   */
  addName(name: string, outer = 0): void {
    if (outer + name.length > MAX_PLACE)
      throw this.#exceeded(`${MAX_PLACE} characters in the keys that lead to a value`);
    if (!name.includes('/') && !name.includes('~')) return;
    this.addToCount((name.split(/[/~]/).length - 1) * 2);
  }

  /**
   * Adds an object or array whose parts are collected before it becomes a value.
   * @throws the error for too many.
   */
  addBranch(): void {
    this.#branches += 1;
    if (this.#branches > this.#limit) throw this.#tooManyValues();
  }

  /**
   * Adds a combination of patterns, whose schemas are read together.
   * @throws the error for too many.
   */
  addCombination(): void {
    this.#combinations += 1;
    if (this.#combinations > MAX_COMBINATIONS) {
      throw this.#exceeded(`${MAX_COMBINATIONS} combinations of patterns that names match`);
    }
  }

  /**
   * Adds a merge of two alternatives of schemas, which recursive choices make at each level.
   * @throws the error for too many.
   */
  addMerge(): void {
    this.#merges += 1;
    if (this.#merges > MAX_MERGES) throw this.#exceeded(`${MAX_MERGES} combinations of alternatives to choose from`);
  }

  #tooManyValues(): Error {
    this.#isExceeded = true;
    return this.#exceeded(`${this.#limit} values, those of defaults included`);
  }
}

/** How many values are reserved ahead. */
const RESERVED_VALUES = 64;

function tooMany(what: string): RequestError {
  return new RequestError('invalidParameter', `The parameters must not have more than ${what}.`);
}
