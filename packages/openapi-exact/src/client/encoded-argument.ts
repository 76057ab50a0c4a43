import { INT64_MAX, INT64_MIN } from '../int64.ts';
import { isLosslessNumber } from '../json/exact-json.ts';
import { FormatError, NOT_OF_FORMAT } from '../schema/codec.ts';
import { encodeHere, type EncodeRules } from '../schema/encode-here.ts';
import type { Place, Places } from '../schema/places.ts';
import type { ClientPlaces } from './client-places.ts';
import type { Shape } from './shape.ts';

/** Numbers that doubles do not hold, as `exactJson` writes them. */
export const IN_JSON: EncodeRules = { numberOf: (value) => ({ isLosslessNumber: true, value }) };

/**
 * An argument as JSON: values of custom formats become texts and numbers. Requires a `bigint` where
 * only int64 is allowed, or a number may be rounded. Refuses what JSON turns into null: NaN,
 * Infinity, and undefined in a list. Types and the service check everything else.
 * @param name of the value in messages. @throws TypeError, or RangeError beyond int64.
 */
export function encodedArgument(
  value: unknown,
  shape: Shape,
  { all, own }: ClientPlaces,
  name: string,
  rules: EncodeRules = {},
): unknown {
  const placeIn = (places: Places | undefined): Place | undefined => places?.placeOf(shape);
  return encoded(value, placeIn(all), placeIn(own), name, rules);
}

/** @param own the place by custom formats, undefined where there are none. */
function encoded(
  value: unknown,
  place: Place | undefined,
  own: Place | undefined,
  name: string,
  rules: EncodeRules,
): unknown {
  if (value === undefined || value === null) return value;
  const written = own === undefined ? NOT_OF_FORMAT : writtenHere(value, own, name, rules);
  if (written !== NOT_OF_FORMAT) return encoded(written, undefined, undefined, name, rules);
  if (place?.isInt64 === true) requireInteger(value, place, name);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${name} must be a finite number, not ${value}: JSON and parameters have no other.`);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${name} must be a value of JSON, not ${typeWithArticle(value)}.`);
  if (typeof value !== 'object' || isLosslessNumber(value)) return value;
  if (Array.isArray(value)) {
    // `map` skips the holes of an array.
    const items = Array.from(value, (item: unknown, index) => {
      const itemName = `${name}[${index}]`;
      if (item === undefined) throw new TypeError(`${itemName} must not be undefined: leave the item out.`);
      return encoded(item, place?.itemPlace(index), own?.itemPlace(index), itemName, rules);
    });
    return own === undefined ? value : items;
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (own !== undefined && typeof toJSON === 'function')
    return encoded(Reflect.apply(toJSON, value, []), place, own, name, rules);
  const members = Object.entries(value).map(([key, child]): [string, unknown] => [
    key,
    encoded(child, place?.propertyPlace(key), own?.propertyPlace(key), `${name}.${key}`, rules),
  ]);
  return own === undefined ? value : Object.fromEntries(members);
}

function writtenHere(value: unknown, own: Place, name: string, rules: EncodeRules): unknown {
  try {
    return encodeHere(value, own, rules);
  } catch (error) {
    if (error instanceof FormatError) throw new TypeError(`${name} ${error.message}.`, { cause: error.cause });
    throw error;
  }
}

/** Requires an exact integer of a value whose place may be that of an int64. */
function requireInteger(value: unknown, place: Place, name: string): void {
  const isOnly = place.areAllBigints;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'bigint' && (isOnly || isRounded)) throw noBigint(value, name);
  const isWider = place.numbers.some(({ format }) => format !== 'int64');
  if (typeof value === 'bigint' && isOnly && !isWider) requireRange(value, name);
}

function noBigint(value: unknown, name: string): TypeError {
  const rounded = Number.isInteger(value) ? ': beyond 2^53 numbers are rounded' : '';
  return new TypeError(`${name} must be a bigint such as 12n, not ${typeWithArticle(value)}${rounded}.`);
}

function requireRange(value: bigint, name: string): void {
  if (value >= INT64_MIN && value <= INT64_MAX) return;
  throw new RangeError(`${name} must be between ${INT64_MIN} and ${INT64_MAX}, not ${value}.`);
}

/** The type of a value, with its article. */
function typeWithArticle(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
