import { isLosslessNumber } from 'lossless-json';
import type { ValueCount } from '../json/value-count.ts';
import { isObject } from '../schema/openapi-document.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { exactOf, heldNumber, isIntegral, scaled } from '../json/decimal.ts';
import { MismatchError } from '../errors/response-error.ts';
import { setOwn } from '../json/set-own.ts';
import type { Place } from '../schema/places.ts';

/** The defaults at one place of a value. */
export interface DefaultsOf {
  /** The values of properties that a message leaves out. */
  readonly properties: ReadonlyMap<string, unknown>;
  /**
   * @param count of the values of the message.
   * @throws the error of `count` when names match too many combinations of patterns.
   */
  propertyDefaults(name: string, count: ValueCount): DefaultsOf | undefined;
  itemDefaults(index: number): DefaultsOf | undefined;
}

/** The keys that lead to a part of a message. */
type Path = (string | number)[];

/**
 * A JSON value with exact numbers and defaults: an integer at the place of an int64 becomes a
 * `bigint`, any other number a number.
 * @param value valid JSON whose numbers are `LosslessNumber`s or exact already.
 * @param name of the value in its message.
 * @param count of the values of the message, to which those are added that defaults add.
 * @throws MismatchError when a number that is no int64 cannot be held exactly.
 */
export function exactValue(
  value: unknown,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  name: string,
  count: ValueCount,
): unknown {
  return exactNode(value, place, defaults, [name], count);
}

function exactNode(
  value: unknown,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  path: Path,
  count: ValueCount,
): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return exactNumber(String(value), place, path);
  if (typeof value !== 'object' || value === null) return value;
  if (isLosslessNumber(value)) return exactNumber(value.value, place, path);
  if (Array.isArray(value)) {
    const depth = path.length;
    return value.map((item: unknown, index) => {
      path[depth] = index;
      path.length = depth + 1;
      return exactNode(item, place?.itemPlace(index), defaults?.itemDefaults(index), path, count);
    });
  }
  return exactObject(value, place, defaults, path, count);
}

function exactObject(
  value: object,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  path: Path,
  count: ValueCount,
): Record<string, unknown> {
  const depth = path.length;
  const exact: Record<string, unknown> = {};
  if (defaults !== undefined) {
    for (const [key, preset] of defaults.properties) {
      if (!Object.hasOwn(value, key)) setOwn(exact, key, presetCopy(preset, count));
    }
  }
  for (const key of Object.keys(value)) {
    // An object may have any properties.
    const child = (value as Readonly<Record<string, unknown>>)[key];
    path[depth] = key;
    path.length = depth + 1;
    setOwn(
      exact,
      key,
      exactNode(child, place?.propertyPlace(key), defaults?.propertyDefaults(key, count), path, count),
    );
  }
  return exact;
}

/** A copy of a default: a handler may change what it gets. */
function presetCopy(preset: unknown, count: ValueCount): unknown {
  count.addToCount();
  if (Array.isArray(preset)) return preset.map((item: unknown) => presetCopy(item, count));
  if (!isObject(preset)) return preset;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(preset)) setOwn(copy, key, presetCopy(value, count));
  return copy;
}

/** @throws MismatchError for a number that is no int64 and cannot be held exactly. */
function exactNumber(text: string, place: Place | undefined, path: Path): bigint | number {
  if (place?.isInt64 === true) {
    const exact = exactOf(text);
    // JSON Schema calls 1.0 and 1e3 integers, and JSON has one type of number for both. The
    // validator has not seen a number beyond doubles.
    if (typeof exact !== 'number') {
      if (isIntegral(exact)) return scaled(exact, 0);
    } else if (Number.isInteger(exact)) return BigInt(exact);
  }
  const held = heldNumber(text);
  if (held !== undefined) return held;
  const pointer = path.map((step) => `/${tokenOfKey(String(step))}`).join('');
  throw new MismatchError(
    pointer,
    'must be a number whose digits a double keeps, or an int64 where the contract says so',
  );
}
