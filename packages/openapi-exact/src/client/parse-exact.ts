import { heldNumber, integerOf, JSON_NUMBER, MAX_NUMBER_LENGTH, numberText } from '../json/decimal.ts';
import { FormatError, NOT_OF_FORMAT } from '../schema/codec.ts';
import type { Place } from '../schema/places.ts';
import { MARK, markedNumbers } from './marked-numbers.ts';

/** A value of a response that a program cannot get: the message says what the response has. */
export class UnreadableValue extends Error {}

/** What becomes of the text of a number that a number would round. @throws UnreadableValue */
type ReadInexact = (text: string) => unknown;

/** Refuses a number that would be rounded. */
const refuseInexact: ReadInexact = (text) => {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  throw new UnreadableValue(`it has the number ${shown}, which the contract does not declare as an int64`);
};

/** Where the contract has no type, an integer may be a `bigint`, and a fraction its text. */
export const keepInexact: ReadInexact = (text) => integerOf(text) ?? text;

/** What doubles may round: 16 digits or more, or an exponent. Texts may have them, too. */
const LONG_NUMBER = /[\d.]{16}|\de/i;

/**
 * Parses JSON: an int64 of the contract becomes a `bigint`, a text or a number of a custom format
 * the value of its codec, and every other number a number.
 * @throws SyntaxError unless the text is JSON; UnreadableValue, and what `readInexact` throws.
 */
export function parseExact(text: string, place: Place | undefined, readInexact = refuseInexact): unknown {
  const isMarked = LONG_NUMBER.test(text);
  const value: unknown = JSON.parse(isMarked ? markedNumbers(text) : text);
  return isMarked || place !== undefined ? new ExactValues(isMarked, readInexact).valueAt(value, place) : value;
}

/** Replaces texts and numbers in a parsed value by what they are at their places. */
class ExactValues {
  readonly #isMarked: boolean;
  readonly #readInexact: ReadInexact;
  readonly #path: (string | number)[] = ['body'];

  /** @param isMarked whether numbers are texts with a mark. */
  constructor(isMarked: boolean, readInexact: ReadInexact) {
    this.#isMarked = isMarked;
    this.#readInexact = readInexact;
  }

  valueAt(value: unknown, place: Place | undefined): unknown {
    if (typeof value === 'string') return this.#text(value, place);
    if (typeof value === 'number') return place === undefined ? value : this.#decoded(() => place.decodeDouble(value));
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item, index) => this.#part(index, item, place?.itemPlace(index)));
    return Object.fromEntries(
      Object.entries(value).map(([given, child]) => {
        const key = this.#unmarked(given);
        if (key === undefined) throw new SyntaxError(given);
        return [key, this.#part(key, child, place?.propertyPlace(key))];
      }),
    );
  }

  #part(key: string | number, value: unknown, place: Place | undefined): unknown {
    const depth = this.#path.push(key);
    const part = this.valueAt(value, place);
    this.#path.length = depth - 1;
    return part;
  }

  #text(given: string, place: Place | undefined): unknown {
    const text = this.#unmarked(given);
    if (text === undefined) return this.#number(given.slice(MARK.length), place);
    if (place === undefined) return text;
    const decoded = this.#decoded(() => place.decode('texts', text));
    return decoded === NOT_OF_FORMAT ? text : decoded;
  }

  /** A text without the mark; undefined for a number. */
  #unmarked(text: string): string | undefined {
    if (!this.#isMarked || !text.startsWith(MARK)) return text;
    return text.startsWith(MARK, MARK.length) ? text.slice(MARK.length) : undefined;
  }

  #number(text: string, place: Place | undefined): unknown {
    if (!JSON_NUMBER.test(text)) throw new SyntaxError(text);
    if (text.length > MAX_NUMBER_LENGTH) return this.#readInexact(text);
    const decoded = place && this.#decoded(() => place.decode('numbers', numberText(text)));
    if (decoded !== undefined && decoded !== NOT_OF_FORMAT) return decoded;
    return heldNumber(text) ?? this.#readInexact(text);
  }

  /** @throws UnreadableValue with the place of a text that is not of its format. */
  #decoded(decode: () => unknown): unknown {
    try {
      return decode();
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw new UnreadableValue(`${this.#path.join('.')} ${cause.message}`, { cause });
    }
  }
}
