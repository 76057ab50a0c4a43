/**
 * Keys that code may mistake for something else than a property: the names that every object
 * inherits, such as `constructor`, `$ref`, which begins a reference, and the empty one.
 */
const SPECIAL_KEYS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), '$ref', '']);

/** `#` in front of a key, and NUL behind it, mark keys that are not properties of a message. */
const HASH = 0x23;
const NUL = 0;

/** True for a key that a plain JSON value does not have. */
export function isSpecialKey(key: string): boolean {
  return key.charCodeAt(0) === HASH || key.charCodeAt(key.length - 1) === NUL || SPECIAL_KEYS.has(key);
}
