import { isLosslessNumber } from 'lossless-json';
import { getOrInsert } from '../get-or-insert.ts';
import { setOwn } from '../set-own.ts';
import { exactOf, parseDecimal, scaled, type Decimal, type ExactNumber } from './decimal.ts';
import { keyOf } from './property-keys.ts';
import { markRepeated } from './repeated-items.ts';

/** Stand-ins are the doubles from here on, in the order in which they are given out. */
const FIRST = 2 ** 1000;
/** The distance between two doubles in their range. */
const STEP = 2 ** 948;

/** A double that no number of a message becomes: a schema that allows only this allows nothing. */
export const NOTHING = FIRST;

/**
 * Doubles that stand for numbers which doubles do not hold. The validator knows doubles only: it
 * compares a stand-in like any other number, equal for equal numbers, and leaves to the formats
 * what depends on its size.
 */
export class StandIns {
  /** Whether a schema asks for repeated objects. */
  marksRepeated = false;
  readonly #values = new Map<number, Decimal>();
  readonly #constants = new Map<string, number>();
  #next = 1;

  /** The exact number that a double of the validator means. */
  exact(double: number): ExactNumber {
    return double >= FIRST ? (this.#values.get(double) ?? double) : double;
  }

  /** Replaces the numbers of a constant of the contract, for as long as the contract is served. */
  constant(value: unknown): unknown {
    return new StandInsOfMessage(this, this.#constants).replace(value);
  }

  /** Stand-ins for one message. */
  message(): StandInsOfMessage {
    return new StandInsOfMessage(this);
  }

  /** The stand-in of a number that has none yet in its message. */
  add(key: string, value: Decimal): number {
    const known = this.#constants.get(key);
    if (known !== undefined) return known;
    const double = FIRST + this.#next * STEP;
    this.#next += 1;
    this.#values.set(double, value);
    return double;
  }

  /** The stand-in of a number that a constant has. */
  constantOf(text: string): number | undefined {
    return this.#constants.get(keyOfDecimal(parseDecimal(text)));
  }

  /** Forgets the stand-ins of a message. */
  remove(message: ReadonlyMap<string, number>): void {
    for (const [key, double] of message) if (this.#constants.get(key) !== double) this.#values.delete(double);
  }

  /** Writes the integers themselves into a text of the validator, which names constants only. */
  describe(text: string): string {
    return text.replaceAll(/1\.\d+e\+301/g, (double) => {
      const value = this.#values.get(Number(double));
      return value === undefined ? double : String(scaled(value, 0));
    });
  }
}

/** The stand-ins for the numbers of one message. */
export class StandInsOfMessage {
  readonly #all: StandIns;
  readonly #areConstants: boolean;
  #doubles: Map<string, number> | undefined;

  /** @param constants those of earlier constants, by number; undefined for a message. */
  constructor(all: StandIns, constants?: Map<string, number>) {
    this.#all = all;
    this.#areConstants = constants !== undefined;
    this.#doubles = constants;
  }

  /**
   * A copy of a JSON value in which every number is a double: itself, or its stand-in.
   * @param value with numbers as `LosslessNumber`, `bigint` or number. Like JSON, the copy has no
   * undefined properties, and what `toJSON` returns.
   * @throws RangeError for a number that JSON does not have.
   */
  replace(value: unknown): unknown {
    const copy = this.#copy(value);
    if (this.#all.marksRepeated) markRepeated(copy);
    return copy;
  }

  #copy(value: unknown): unknown {
    if (typeof value !== 'object') {
      if (typeof value === 'bigint')
        return Number.isSafeInteger(Number(value)) ? Number(value) : this.#double(String(value));
      return typeof value === 'number' ? this.#number(value) : value;
    }
    if (value === null) return value;
    if (isLosslessNumber(value)) return this.#double(value.value);
    if (hasJson(value)) return this.#copy(value.toJSON());
    if (Array.isArray(value)) return value.map((item: unknown) => this.#copy(item));
    const copy: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(value)) {
      if (child !== undefined) setOwn(copy, keyOf(key), this.#copy(child));
    }
    return copy;
  }

  /** A double of a handler beyond 2^53 may have been rounded: it is known by a constant only. */
  #number(value: number): number {
    if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    const isExact = Math.abs(value) >= FIRST || this.#areConstants;
    return isExact ? this.#double(String(value)) : (this.#all.constantOf(String(value)) ?? value);
  }

  /** Forgets them. */
  release(): void {
    if (this.#doubles !== undefined) this.#all.remove(this.#doubles);
  }

  #double(text: string): number {
    const exact = exactOf(text);
    if (typeof exact === 'number') return exact;
    const key = keyOfDecimal(exact);
    this.#doubles ??= new Map();
    return getOrInsert(this.#doubles, key, () => this.#all.add(key, exact));
  }
}

function keyOfDecimal({ digits, exponent }: Decimal): string {
  return `${digits}e${exponent}`;
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
