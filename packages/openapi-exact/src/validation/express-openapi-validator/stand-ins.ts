import { exactOf, keyOfDecimal, parseDecimal, type Decimal, type ExactNumber } from '../../json/decimal.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';

/** Stand-ins are the doubles from here on, in the order in which they are given out. */
const FIRST = 2 ** 1000;
/** The distance between two doubles in their range. */
const STAND_IN_DISTANCE = 2 ** 948;

/** A double that no number of a message becomes: a schema that allows only this allows nothing. */
export const NOTHING = FIRST;
/** Another one: a length of lists that lack an item which they must contain. */
export const NOT_CONTAINED = FIRST * 2;

/**
 * Doubles that replace numbers which doubles do not hold. The validator knows doubles only: it
 * compares a stand-in like any other number, equal for equal numbers, and leaves to the formats
 * what depends on its size.
 */
export class StandIns {
  /** Those of the contract's constants, beside which the numbers of a message have theirs. */
  readonly #constants: StandIns | undefined;
  readonly #doubles = new Map<string, number>();
  readonly #exact = new Map<number, Decimal>();

  constructor(constants?: StandIns) {
    this.#constants = constants;
  }

  /** How many numbers have one. */
  get size(): number {
    return (this.#constants?.size ?? 0) + this.#doubles.size;
  }

  /** The stand-in of a number, by the key of its decimal; undefined without one. */
  standInOf(key: string): number | undefined {
    return this.#doubles.get(key);
  }

  /** The exact number that a double of the validator means. */
  exact(double: number): ExactNumber {
    if (double < FIRST) return double;
    return this.#exact.get(double) ?? this.#constants?.exact(double) ?? double;
  }

  /** The double for the text of a number: itself, or its stand-in. */
  doubleOf(text: string): number {
    const exact = exactOf(text);
    if (typeof exact === 'number') return exact;
    const key = keyOfDecimal(exact);
    const known = this.#constants?.standInOf(key);
    if (known !== undefined) return known;
    return getOrInsert(this.#doubles, key, () => {
      const double = FIRST + (this.size + 1) * STAND_IN_DISTANCE;
      this.#exact.set(double, exact);
      return double;
    });
  }

  /**
   * The double for a number of a message. One beyond 2^53 may have been rounded: it is known by a
   * constant only.
   * @throws RangeError for a number that JSON does not have.
   */
  doubleOfNumber(value: number): number {
    if (Number.isSafeInteger(value) || (!Number.isInteger(value) && Number.isFinite(value))) return value;
    if (!Number.isFinite(value)) throw new RangeError(`JSON has no number ${value}`);
    if (this.#constants === undefined || Math.abs(value) >= FIRST) return this.doubleOf(String(value));
    return this.#constants.standInOf(keyOfDecimal(parseDecimal(String(value)))) ?? value;
  }
}
