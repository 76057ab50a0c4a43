import { isLosslessNumber } from 'lossless-json';
import { copyJson } from '../json/copy-json.ts';
import { exactOf, heldNumber, isIntegral, scaled } from '../json/decimal.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { setOwn } from '../json/set-own.ts';
import type { ValueCount } from '../json/value-count.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
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

/** How a part of a request is completed; undefined where there is nothing to do. */
export interface Completion {
  readonly place: Place | undefined;
  readonly defaults: DefaultsOf | undefined;
}

/** The keys that lead to a part of a message. */
type Path = (string | number)[];

/**
 * Completes a valid JSON value in place: an integer at the place of an int64 becomes a `bigint`,
 * any other number a number, and a property that is missing gets its default.
 * @param name of the value in its message.
 * @param count of the values of the message, to which those are added that defaults add.
 * @returns the value, or what takes its place.
 * @throws MismatchError when a number that is no int64 cannot be held exactly.
 */
export function completeValue(
  value: unknown,
  { place, defaults }: Completion,
  name: string,
  count: ValueCount,
): unknown {
  return completeNode(value, place, defaults, [name], count);
}

function completeNode(
  value: unknown,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  path: Path,
  count: ValueCount,
): unknown {
  switch (typeof value) {
    case 'number':
      if (count.isPlain) return place?.isInt64 === true && Number.isInteger(value) ? BigInt(value) : value;
      return exactNumber(String(value), place, path);
    case 'bigint':
      return exactNumber(String(value), place, path);
    case 'object':
      if (value === null || (count.isPlain && place === undefined && defaults === undefined)) return value;
      if (isLosslessNumber(value)) return exactNumber(value.value, place, path);
      if (Array.isArray(value)) completeItems(value, place, defaults, path, count);
      // Neither null nor an array.
      else completeProperties(value as Record<string, unknown>, place, defaults, path, count);
      return value;
    default:
      return value;
  }
}

function completeItems(
  items: unknown[],
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  path: Path,
  count: ValueCount,
): void {
  const depth = path.length;
  for (let index = 0; index < items.length; index++) {
    path[depth] = index;
    path.length = depth + 1;
    items[index] = completeNode(items[index], place?.itemPlace(index), defaults?.itemDefaults(index), path, count);
  }
}

function completeProperties(
  object: Record<string, unknown>,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  path: Path,
  count: ValueCount,
): void {
  const depth = path.length;
  // Of a plain object, properties without a place stay as they are.
  const names = count.isPlain && defaults === undefined ? place?.namesIn(object) : undefined;
  for (const key of names ?? Object.keys(object)) {
    const value = object[key];
    path[depth] = key;
    path.length = depth + 1;
    const within = defaults?.propertyDefaults(key, count);
    const completed = completeNode(value, place?.propertyPlace(key), within, path, count);
    if (completed !== value) setOwn(object, key, completed);
  }
  if (defaults === undefined) return;
  for (const [key, preset] of defaults.properties) {
    if (Object.hasOwn(object, key)) continue;
    // A handler may change what it gets.
    setOwn(
      object,
      key,
      copyJson(preset, () => {
        count.addToCount();
      }),
    );
  }
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
  throw new MismatchError({ place: pointer, keyword: 'type', limits: 'representable' }, { audience: 'client' });
}
