/**
 * Keys that code may mistake for something else than a property: the names that every object
 * inherits, such as `constructor`, `$ref`, which begins a reference, and the empty one.
 */
const SPECIAL_KEYS: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), '$ref', '']);

/** `#` in front of a key, and NUL behind it, mark keys that are not properties of a message. */
const HASH = 0x23;
const NUL = 0;

/** The low bits of a character. */
const LOW = 0x7f;
/** For the low bits of each first character, a bit for each length of the special keys with it. */
const LENGTHS = new Uint32Array(LOW + 1);
for (const key of SPECIAL_KEYS) {
  const first = key.charCodeAt(0) & LOW;
  LENGTHS[first] = (LENGTHS[first] ?? 0) | (1 << key.length);
}

/** True for a key that a plain JSON value does not have. */
export function isSpecialKey(key: string): boolean {
  const { length } = key;
  if (length === 0) return true;
  const first = key.charCodeAt(0);
  if (first === HASH || key.charCodeAt(length - 1) === NUL) return true;
  // The set is slower, and most keys differ from all special ones in their length or beginning.
  return ((LENGTHS[first & LOW] ?? 0) & (1 << length)) !== 0 && SPECIAL_KEYS.has(key);
}
