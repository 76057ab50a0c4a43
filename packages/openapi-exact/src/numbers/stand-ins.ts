import { isLosslessNumber } from 'lossless-json';
import { getOrInsert } from '../get-or-insert.ts';
import { setOwn } from '../set-own.ts';
import { exactOf, parseDecimal, scaled, type Decimal, type ExactNumber } from './decimal.ts';
import { EVALUATED, keyOf } from './property-keys.ts';

/** Stand-ins are the doubles from here on, in the order in which they are given out. */
const FIRST = 2 ** 1000;
/** The distance between two doubles in their range. */
const STEP = 2 ** 948;

/** A double that no number of a message becomes: a schema that allows only this allows nothing. */
export const NOTHING = FIRST;

/** An object of a message, as the validator gets it. */
class ObjectCopy {
  [key: string]: unknown;
}
// The validator compares constructors, and finds the mark only in schemas that name it.
Reflect.deleteProperty(ObjectCopy.prototype, 'constructor');
Object.defineProperty(ObjectCopy.prototype, EVALUATED, { value: 0 });

/**
 * Doubles that stand for numbers which doubles do not hold. The validator knows doubles only: it
 * compares a stand-in like any other number, equal for equal numbers, and leaves to the formats
 * what depends on its size. Those of a message are valid during its check, which is synchronous.
 */
export class StandIns {
  /** The number of objects of the message. */
  objects = 0;
  /** The stand-ins of the contract's constants, then those of the message, by number. */
  readonly #constants = new Map<string, number>();
  readonly #message = new Map<string, number>();
  readonly #values = new Map<number, Decimal>();

  /** The exact number that a double of the validator means. */
  exact(double: number): ExactNumber {
    return double >= FIRST ? (this.#values.get(double) ?? double) : double;
  }

  /** Replaces the numbers of a constant of the contract, for as long as the contract is served. */
  constant(value: unknown): unknown {
    return this.#copy(value, this.#constants);
  }

  /**
   * A copy of a message in which every number is a double: itself, or its stand-in.
   * @param value with numbers as `LosslessNumber`, `bigint` or number. Like JSON, the copy has no
   * undefined properties, and what `toJSON` returns.
   * @throws RangeError for a number that JSON does not have.
   */
  message(value: unknown): unknown {
    this.objects = 0;
    return this.#copy(value, this.#message);
  }

  /** Forgets the stand-ins of the message. */
  release(): void {
    if (this.#message.size === 0) return;
    for (const double of this.#message.values()) this.#values.delete(double);
    this.#message.clear();
  }

  /** Writes the integers themselves into a text of the validator, which names constants only. */
  describe(text: string): string {
    return text.replaceAll(/1\.\d+e\+301/g, (double) => {
      const value = this.#values.get(Number(double));
      return value === undefined ? double : String(scaled(value, 0));
    });
  }

  #copy(value: unknown, doubles: Map<string, number>): unknown {
    if (typeof value !== 'object') {
      if (typeof value === 'bigint') {
        const double = Number(value);
        return Number.isSafeInteger(double) ? double : this.#double(String(value), doubles);
      }
      return typeof value === 'number' ? this.#number(value, doubles) : value;
    }
    if (value === null) return value;
    if (isLosslessNumber(value)) return this.#double(value.value, doubles);
    if (hasJson(value)) return this.#copy(value.toJSON(), doubles);
    if (Array.isArray(value)) return value.map((item: unknown) => this.#copy(item, doubles));
    this.objects += 1;
    const copy = new ObjectCopy();
    for (const key of Object.keys(value)) {
      // An object may have any properties.
      const child = (value as Readonly<Record<string, unknown>>)[key];
      if (child !== undefined) setOwn(copy, keyOf(key), this.#copy(child, doubles));
    }
    return copy;
  }

  /** A double of a handler beyond 2^53 may have been rounded: it is known by a constant only. */
  #number(value: number, doubles: Map<string, number>): number {
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
      const double = FIRST + (this.#constants.size + this.#message.size + 1) * STEP;
      this.#values.set(double, exact);
      return double;
    });
  }
}

function keyOfDecimal({ digits, exponent }: Decimal): string {
  return `${digits}e${exponent}`;
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
