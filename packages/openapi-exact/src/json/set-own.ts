/** Beyond the indexes for which V8 keeps an array. */
const FAR_INDEX = 4_294_967_294;

/**
 * Sets a property of an object with any name: an assignment would set the prototype, and
 * for names such as `1000` V8 would keep an array with room for all indexes below.
 */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true });
    return;
  }
  if (isGap(object, name)) {
    // An index that was ever beyond makes V8 keep a hash table.
    object[FAR_INDEX] = undefined;
    Reflect.deleteProperty(object, FAR_INDEX);
  }
  object[name] = value;
}

/**
 * Whether a name is an index that does not follow one of the object. An object that has the far
 * index itself is kept as a hash table already.
 */
function isGap(object: Readonly<Record<string, unknown>>, name: string): boolean {
  const first = name.charCodeAt(0);
  if (first < 0x31 || first > 0x39 || String(Number(name)) !== name) return false;
  return !Object.hasOwn(object, Number(name) - 1) && !Object.hasOwn(object, FAR_INDEX);
}
