import { parseJson, type RefuseJson } from './parse-json.ts';
import { JsonScan, MAX_DEPTH } from './scan-json.ts';
import { isSpecialKey } from './special-keys.ts';
import { MAX_PLACE, type ValueCount } from './value-count.ts';

/** The scan of the text that is read: reading is synchronous. */
const SCAN = new JsonScan();

/**
 * Reads JSON. `JSON.parse` reads a text if doubles hold its numbers and it has no special or
 * repeated keys. Otherwise `count` is marked as not plain, and numbers are `LosslessNumber`s.
 * @param count gets the number of values before any is created.
 * @throws the error of `refuse` or `count`.
 */
export function readJson(bytes: Uint8Array, text: string, refuse: RefuseJson, count: ValueCount): unknown {
  const scan = SCAN;
  scan.scanBytes(bytes);
  const { values, keys, escapes, depth, longestKey } = scan;
  if (scan.hasShortNumbers && depth <= MAX_DEPTH && longestKey * depth <= MAX_PLACE) {
    // Each escape counts as two values, as ValueCount.addName says.
    count.addToCount(values + escapes * 2);
    const value = parsed(text);
    if (value !== undefined && ownKeys(value) === keys) return value;
    count.removeFromCount(values + escapes * 2);
  }
  count.isPlain = false;
  return parseJson(text, refuse, count);
}

/** The value of a text; undefined for a malformed one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of keys in a value; NaN for one with a special key. */
function ownKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += ownKeys(item);
    return count;
  }
  // A value of JSON.parse inherits no key that is enumerable.
  for (const key in value) {
    if (isSpecialKey(key)) return NaN;
    count += 1;
    const child = (value as Readonly<Record<string, unknown>>)[key];
    if (typeof child === 'object') count += ownKeys(child);
  }
  return count;
}
