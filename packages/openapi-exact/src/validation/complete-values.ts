import { isLosslessNumber } from 'lossless-json';
import { copyJson } from '../json/copy-json.ts';
import { heldNumber, numberText } from '../json/decimal.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { setOwn } from '../json/set-own.ts';
import type { ValueCount } from '../json/value-count.ts';
import { MismatchError } from '../errors/invalid-response-error.ts';
import { isPromise } from '../json/unwritten-kind.ts';
import { FormatError, misuse, NOT_OF_FORMAT } from '../schema/codec.ts';
import { hasCustomFormats, namesIn } from '../schema/place-facts.ts';
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

/** The completion of one value. */
interface Run {
  /** The keys that lead to the current part of the message. */
  readonly path: (string | number)[];
  /** The count of the values of the message. */
  readonly count: ValueCount;
  /** Takes the texts that are not of their format; undefined to leave all texts unchanged. */
  readonly faults: MismatchError[] | undefined;
}

/**
 * Completes a valid JSON value in place: int64s become `bigint`s, custom formats are decoded, other
 * numbers become numbers, and missing properties get their defaults.
 * @param name of the value in its message.
 * @param count of the message's values, to which defaults are added.
 * @param faults gets a mismatch for each text that a codec refuses; without it, only int64s decode.
 * @returns the completed value. @throws MismatchError for a number that a double would round.
 */
export function completeValue(
  value: unknown,
  { place, defaults }: Completion,
  name: string,
  count: ValueCount,
  faults?: MismatchError[],
): unknown {
  return completeNode(value, place, defaults, { path: [name], count, faults });
}

function completeNode(value: unknown, place: Place | undefined, defaults: DefaultsOf | undefined, run: Run): unknown {
  const { count } = run;
  switch (typeof value) {
    case 'string':
      return place === undefined || place.texts.length === 0 ? value : decoded(value, value, 'texts', place, run);
    case 'number':
      if (!count.isPlain) return exactNumber(value, String(value), place, run);
      if (place === undefined || place.numbers.length === 0) return value;
      if (place.isInt64 && place.numbers.length === 1) return Number.isInteger(value) ? BigInt(value) : value;
      return decoded(value, String(value), 'numbers', place, run);
    case 'bigint':
      return exactNumber(value, String(value), place, run);
    case 'object':
      if (value === null || (count.isPlain && place === undefined && defaults === undefined)) return value;
      if (isLosslessNumber(value)) return exactNumber(value, value.value, place, run);
      if (Array.isArray(value)) completeItems(value, place, defaults, run);
      // Neither null nor an array.
      else completeProperties(value as Record<string, unknown>, place, defaults, run);
      return value;
    default:
      return value;
  }
}

function completeItems(items: unknown[], place: Place | undefined, defaults: DefaultsOf | undefined, run: Run): void {
  const { path } = run;
  let within: Place | undefined;
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    path.push(index);
    // All items behind the prefix have one place.
    if (place !== undefined && index <= place.longestPrefix) within = place.itemPlace(index);
    const completed = completeNode(item, within, defaults?.itemDefaults(index), run);
    if (completed !== item) items[index] = completed;
    path.pop();
  }
}

function completeProperties(
  object: Record<string, unknown>,
  place: Place | undefined,
  defaults: DefaultsOf | undefined,
  run: Run,
): void {
  const { path, count } = run;
  // Of a plain object, properties without a place stay unchanged.
  const names = count.isPlain && defaults === undefined ? place && namesIn(place, object) : undefined;
  for (const key of names ?? Object.keys(object)) {
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key];
    path.push(key);
    const within = defaults?.propertyDefaults(key, count);
    const completed = completeNode(value, place?.propertyPlace(key), within, run);
    if (completed !== value) setOwn(object, key, completed);
    path.pop();
  }
  if (defaults === undefined) return;
  for (const [key, preset] of defaults.properties) {
    if (Object.hasOwn(object, key)) continue;
    // A handler may change what it gets.
    const copy = copyJson(preset, () => {
      count.addToCount();
    });
    path.push(key);
    const within = place?.propertyPlace(key);
    setOwn(object, key, within === undefined ? copy : completeNode(copy, within, undefined, run));
    path.pop();
  }
}

/**
 * The value of a text, or of the text of a number, at a place of formats.
 * @param otherwise for a text that is not of a format, or is not to be decoded.
 */
function decoded(
  otherwise: unknown,
  text: string,
  kind: 'texts' | 'numbers',
  place: Place,
  { path, faults }: Run,
): unknown {
  // A default is decoded for each request.
  if (faults === undefined && hasCustomFormats(place)) return otherwise;
  try {
    const own = place.decode(kind, text);
    if (isPromise(own)) throw misuse('decode', place[kind].map(({ format }) => format).join(), 'no promise');
    return own === NOT_OF_FORMAT ? otherwise : own;
  } catch (cause) {
    if (!(cause instanceof FormatError) || faults === undefined) throw cause;
    const fault = { place: pointerOf(path), keyword: 'format', limits: { format: cause.format } };
    faults.push(new MismatchError(fault, { cause, audience: 'client' }));
    return otherwise;
  }
}

/** @throws MismatchError for a number that has no format and cannot be held exactly. */
function exactNumber(value: unknown, text: string, place: Place | undefined, run: Run): unknown {
  const { faults, path } = run;
  const known = faults?.length;
  if (place !== undefined && place.numbers.length > 0) {
    const own = decoded(NOT_OF_FORMAT, numberText(text), 'numbers', place, run);
    if (own !== NOT_OF_FORMAT) return own;
    // A default that is decoded later, or a number that is refused already.
    if ((faults === undefined && hasCustomFormats(place)) || faults?.length !== known) return value;
  }
  const held = heldNumber(text);
  if (held !== undefined) return held;
  const fault = { place: pointerOf(path), keyword: 'type', limits: 'representable' } as const;
  throw new MismatchError(fault, { audience: 'client' });
}

function pointerOf(path: readonly (string | number)[]): string {
  return path.map((step) => `/${tokenOfKey(String(step))}`).join('');
}
