import { parse, stringify } from 'lossless-json';

/** A value of JSON; integers that a number cannot hold are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | JsonObject;

/** An object of JSON. */
export interface JsonObject {
  [name: string]: Json;
}

/** True for an object of JSON, which an array is not. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a number, exact or not. */
export function isNumber(value: Json | undefined): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The object in this place; an empty one for anything else. */
export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The array in this place; an empty one for anything else. */
export function arrayOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A text unchanged, every other value as JSON, undefined as ''. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || value === undefined ? (value ?? '') : writeJson(value);
}

/** Reads JSON without rounding an integer. @throws SyntaxError for malformed JSON. */
export function parseJson(text: string): Json {
  // The reader returns plain objects, arrays and what exactNumber returns.
  return parse(text, undefined, exactNumber) as Json;
}

/** Writes JSON, with bigints as integers. */
export function writeJson(value: Json): string {
  return stringify(value) ?? 'null';
}

/** A number; as a bigint when it is an integer that a number cannot hold. */
function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** A copy in which a function replaces each part, from the inside out. */
export function mapJson(value: Json, replace: (part: Json) => Json): Json {
  if (Array.isArray(value)) return replace(value.map((item) => mapJson(item, replace)));
  if (!isObject(value)) return replace(value);
  return replace(
    Object.fromEntries(Object.entries(value).map(([name, property]) => [name, mapJson(property, replace)])),
  );
}

/** The value with its bigints as numbers, which rounds them. */
export function rounded(value: Json): Json {
  return mapJson(value, (part) => (typeof part === 'bigint' ? Number(part) : part));
}

/**
 * A text that two values share exactly when they are equal: keys are sorted, 1 and 1n are the same
 * integer, undefined members are absent.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, property]) => property !== undefined);
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, property]) => `${JSON.stringify(name)}:${canonical(property)}`).join()}}`;
}

/** The first place in which a value differs from what it should be; undefined for equal ones. */
export function difference(expected: unknown, got: unknown, path = ''): string | undefined {
  if (canonical(expected) === canonical(got)) return undefined;
  const isComparable = [expected, got].every((side) => typeof side === 'object' && side !== null);
  if (isComparable && Array.isArray(expected) === Array.isArray(got)) {
    // Both are objects or lists, as asked above.
    const [left, right] = [expected, got] as Record<string, unknown>[];
    for (const name of new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])) {
      const found = difference(left?.[name], right?.[name], `${path}/${name}`);
      if (found !== undefined) return found;
    }
  }
  return `${canonical(got).slice(0, 80)} instead of ${canonical(expected).slice(0, 80)} at ${path === '' ? 'its top' : path}`;
}
