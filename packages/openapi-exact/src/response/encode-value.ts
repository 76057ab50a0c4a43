import { LosslessNumber } from 'lossless-json';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { FormatError, NOT_OF_FORMAT } from '../schema/codec.ts';
import { encodeHere, type EncodeRules } from '../schema/encode-here.ts';
import { hasCustomFormats, namesIn } from '../schema/place-facts.ts';
import type { Place } from '../schema/places.ts';

/** Numbers as the library writes those that doubles do not hold. */
export const IN_JSON: EncodeRules = { numberOf: (text) => new LosslessNumber(text) };

/**
 * A value with the texts and numbers of the formats in it; other values are those that were given.
 * @param place with custom formats; undefined for none.
 * @param pointer to the value in its part of a message.
 * @throws MismatchError for a value that its format cannot write.
 */
export function encodeValue(value: unknown, place: Place | undefined, rules: EncodeRules, pointer = ''): unknown {
  if (place === undefined || value === undefined || value === null) return value;
  if (hasCustomFormats(place)) {
    const encoded = encodedHere(value, place, rules, pointer);
    if (encoded !== NOT_OF_FORMAT) return encoded;
  }
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) {
    return Array.from(value, (item: unknown, index) =>
      encodeValue(item, place.itemPlace(index), rules, `${pointer}/${index}`),
    );
  }
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return encodeValue(Reflect.apply(toJSON, value, []), place, rules, pointer);
  // What JSON has no content for is refused where it is written.
  if (ArrayBuffer.isView(value) || 'then' in value || Object.keys(value).length === 0) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of namesIn(place, copy)) {
    if (!Object.hasOwn(copy, name)) continue;
    copy[name] = encodeValue(copy[name], place.propertyPlace(name), rules, `${pointer}/${tokenOfKey(name)}`);
  }
  return copy;
}

/** @throws MismatchError with the place of the value. */
function encodedHere(value: unknown, place: Place, rules: EncodeRules, pointer: string): unknown {
  try {
    return encodeHere(value, place, rules);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const limits = { words: `must be a value that the format '${error.format}' encodes` };
    throw new MismatchError({ place: pointer, keyword: 'format', limits }, { cause: error.cause });
  }
}
