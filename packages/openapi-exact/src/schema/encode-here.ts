import { exactOf, JSON_NUMBER, MAX_NUMBER_LENGTH } from '../json/decimal.ts';
import { FormatError, misuse, NOT_OF_FORMAT, type Codec } from './codec.ts';
import type { Place } from './places.ts';

/** How values are encoded. */
export interface EncodeRules {
  /** Whether JSON's own scalars may stand where the contract allows values of a format alone. */
  readonly allowsJson?: boolean;
  /** What JSON has for a number that a double does not hold; undefined for its text. */
  readonly numberOf?: ((text: string) => unknown) | undefined;
}

/**
 * The text or the number of a value at its place.
 * @param place with custom formats only.
 * @returns NOT_OF_FORMAT where the place has no format, or other values, too.
 * @throws FormatError for a value that the author's function cannot write.
 */
export function encodeHere(value: unknown, place: Place, rules: EncodeRules): unknown {
  const isJson = typeof value !== 'object' || isPlain(value);
  const isSure = place.areAllOfFormats && !(rules.allowsJson === true && isJson);
  if (!isSure && isPlain(value) && place.allowsStructures) return NOT_OF_FORMAT;
  let failure: FormatError | undefined;
  for (const codec of [...place.texts, ...place.numbers]) {
    try {
      return written(codec, codec.encodeValue(value), place, rules);
    } catch (cause) {
      failure ??= cause instanceof FormatError ? cause : new FormatError(codec.format, cause);
    }
  }
  if (failure !== undefined && (isSure || !isJson)) throw failure;
  return NOT_OF_FORMAT;
}

/** @throws TypeError for a text where the contract has numbers, and the other way round. */
function written(codec: Codec, encoded: unknown, place: Place, { numberOf }: EncodeRules): unknown {
  if (typeof encoded === 'string' && place.texts.includes(codec)) return encoded;
  const isNumber = typeof encoded !== 'string' || (encoded.length <= MAX_NUMBER_LENGTH && JSON_NUMBER.test(encoded));
  if (!isNumber || !place.numbers.includes(codec)) throw misuse('encode', codec.format, 'what the contract has here');
  if (typeof encoded !== 'string') return encoded;
  const exact = exactOf(encoded);
  return typeof exact === 'number' ? exact : (numberOf?.(encoded) ?? encoded);
}

/** True for an object that JSON may have: no instance of a class. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
