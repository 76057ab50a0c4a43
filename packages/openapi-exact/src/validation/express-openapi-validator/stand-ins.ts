import { isLosslessNumber } from 'lossless-json';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { setOwn } from '../../json/set-own.ts';
import { unwrittenKind } from '../../json/unwritten-kind.ts';
import { exactOf, keyOfDecimal, parseDecimal, type Decimal, type ExactNumber } from '../../json/decimal.ts';
import { EVALUATED, propertyKey } from './property-keys.ts';

/** Stand-ins are the doubles from here on, in the order in which they are given out. */
const FIRST = 2 ** 1000;
/** The distance between two doubles in their range. */
const STAND_IN_DISTANCE = 2 ** 948;

/** A double that no number of a message becomes: a schema that allows only this allows nothing. */
export const NOTHING = FIRST;
/** Another one: a length of lists that lack an item which they must contain. */
export const NOT_CONTAINED = FIRST * 2;

/** An object of a message, as the validator gets it. */
class ObjectCopy {
  [key: string]: unknown;
  readonly #number: number;

  constructor(number: number) {
    this.#number = number;
  }

  /** Only schemas that name it find it. */
  get [EVALUATED](): number {
    return this.#number;
  }
}
// The validator compares constructors.
Reflect.deleteProperty(ObjectCopy.prototype, 'constructor');

/** What the copy of a message consists of. */
export interface MessageSize {
  /** The number of values. */
  readonly values: number;
  /** By the numbers of the objects: each with its values, except other objects with theirs. */
  readonly objects: readonly number[];
}

/**
 * Doubles that stand for numbers which doubles do not hold. The validator knows doubles only: it
 * compares a stand-in like any other number, equal for equal numbers, and leaves to the formats
 * what depends on its size. Those of a message are valid during its check, which is synchronous.
 */
export class StandIns {
  /** Is told of the values of each nested list when the validator reads it. */
  readonly #onRead: (values: number) => void;
  #isReadCounted = false;
  #values = 0;
  /** The values since the innermost object began. */
  #own = 0;
  #objects: number[] = [];
  /** The stand-ins of the contract's constants, then those of the message, by number. */
  readonly #constants = new Map<string, number>();
  readonly #message = new Map<string, number>();
  readonly #exact = new Map<number, Decimal>();

  constructor(onRead: (values: number) => void) {
    this.#onRead = onRead;
  }

  /** The size of the message. */
  get size(): MessageSize {
    return { values: this.#values, objects: this.#objects };
  }

  /** The exact number that a double of the validator means. */
  exact(double: number): ExactNumber {
    return double >= FIRST ? (this.#exact.get(double) ?? double) : double;
  }

  /** Replaces the numbers of a constant of the contract, for as long as the contract is served. */
  constant(value: unknown): unknown {
    return this.#copy(value, this.#constants);
  }

  /**
   * A copy of a message in which every number is a double: itself, or its stand-in.
   * @param value with numbers as `LosslessNumber`, `bigint` or number. The copy is what JSON writes
   * of it: without undefined properties and functions, and with what `toJSON` returns.
   * @param isReadCounted whether the validator may read its lists in lists any number of times.
   * @throws RangeError for a number that JSON does not have, TypeError for an object such as a Map.
   */
  message(value: unknown, isReadCounted = false): unknown {
    this.#isReadCounted = isReadCounted;
    this.#values = 0;
    this.#own = 0;
    this.#objects = [];
    return this.#copy(value, this.#message);
  }

  /** Forgets the stand-ins of the message. */
  release(): void {
    this.#objects = [];
    if (this.#message.size === 0) return;
    for (const double of this.#message.values()) this.#exact.delete(double);
    this.#message.clear();
  }

  /** @returns undefined for what JSON leaves out of an object, and writes as null in a list. */
  #copy(value: unknown, doubles: Map<string, number>): unknown {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return undefined;
    this.#values += 1;
    this.#own += 1;
    if (typeof value !== 'object') {
      if (typeof value === 'bigint') {
        const double = Number(value);
        return Number.isSafeInteger(double) ? double : this.#double(String(value), doubles);
      }
      return typeof value === 'number' ? this.#standInNumber(value, doubles) : value;
    }
    if (value === null) return value;
    if (isLosslessNumber(value)) return this.#double(value.value, doubles);
    if (hasJson(value)) return this.#copy(value.toJSON(), doubles);
    return Array.isArray(value) ? this.#items(value, doubles) : this.#properties(value, doubles);
  }

  #properties(value: object, doubles: Map<string, number>): ObjectCopy {
    const unwritten = unwrittenKind(value);
    if (unwritten !== undefined) {
      throw new TypeError(`JSON has no ${unwritten}: give its content as an object, an array or a text`);
    }
    const outer = this.#own;
    this.#own = 1;
    const number = this.#objects.push(0) - 1;
    const copy = new ObjectCopy(number);
    for (const key of Object.keys(value)) {
      // An object may have any properties.
      const child = this.#copy((value as Readonly<Record<string, unknown>>)[key], doubles);
      if (child !== undefined) setOwn(copy, propertyKey(key), child);
    }
    this.#objects[number] = this.#own;
    this.#own = outer;
    return copy;
  }

  #items(value: readonly unknown[], doubles: Map<string, number>): unknown[] {
    const copy: unknown[] = [];
    for (const item of value) {
      const before = this.#own;
      const child = this.#copy(item, doubles) ?? null;
      copy.push(child);
      if (!this.#isReadCounted || !Array.isArray(item) || !item.some(Array.isArray)) continue;
      const values = this.#own - before;
      this.#own = before;
      Object.defineProperty(copy, copy.length - 1, { get: () => (this.#onRead(values), child), enumerable: true });
    }
    return copy;
  }

  /** A double of a handler beyond 2^53 may have been rounded: it is known by a constant only. */
  #standInNumber(value: number, doubles: Map<string, number>): number {
    if (Number.isSafeInteger(value) || (!Number.isInteger(value) && Number.isFinite(value))) return value;
    if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
    const isExact = Math.abs(value) >= FIRST || doubles === this.#constants;
    if (isExact) return this.#double(String(value), doubles);
    return this.#constants.get(keyOfDecimal(parseDecimal(String(value)))) ?? value;
  }

  #double(text: string, doubles: Map<string, number>): number {
    const exact = exactOf(text);
    if (typeof exact === 'number') return exact;
    const key = keyOfDecimal(exact);
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    return getOrInsert(doubles, key, () => {
      // Constants are complete before the first message.
      const double = FIRST + (this.#constants.size + this.#message.size + 1) * STAND_IN_DISTANCE;
      this.#exact.set(double, exact);
      return double;
    });
  }
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
