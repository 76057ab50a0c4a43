/** Maximum nesting of arrays and objects. */
export const MAX_DEPTH = 100;

/** Longest integer or decimal, in digits and point, that a double surely holds. */
const MOST_DIGITS = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SLASH = 0x2f;
const TILDE = 0x7e;
const POINT = 0x2e;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

/**
 * What the text of a JSON value holds, found in one pass that allocates nothing. Its results are
 * meaningless for malformed JSON, which `JSON.parse` refuses.
 */
export class JsonScan {
  /** The number of values: objects, arrays, texts, numbers, true, false and null. */
  values = 0;
  /** The number of keys in all objects. */
  keys = 0;
  /** The number of slashes and tildes in all keys. */
  escapes = 0;
  /** The length of the longest key, in bytes. */
  longestKey = 0;
  /** How deep arrays and objects are nested. */
  depth = 0;
  /** Whether each number has so few digits, and no exponent, that a double holds it. */
  hasShortNumbers = true;

  /** @param bytes of a text in UTF-8, whose structure is in ASCII. */
  scanBytes(bytes: Uint8Array): void {
    let [values, keys, escapes, longestKey, depth, deepest] = [0, 0, 0, 0, 0, 0];
    let hasShortNumbers = true;
    const { length } = bytes;
    let at = 0;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      if (byte === QUOTE) {
        const start = ++at;
        let own = 0;
        for (let inside = bytes[at] ?? QUOTE; inside !== QUOTE; inside = bytes[++at] ?? QUOTE) {
          if (inside === BACKSLASH) at += 1;
          else if (inside === SLASH || inside === TILDE) own += 1;
        }
        const end = at++;
        while (isWhitespace(bytes[at])) at += 1;
        if (bytes[at] === COLON) {
          keys += 1;
          escapes += own;
          if (end - start > longestKey) longestKey = end - start;
        } else values += 1;
      } else if (byte >= DIGIT_0 && byte <= DIGIT_9) {
        const start = at++;
        while (isDigitOrPoint(bytes[at])) at += 1;
        if (at - start >= MOST_DIGITS && (at - start > MOST_DIGITS || byte === DIGIT_9)) hasShortNumbers = false;
        // An exponent begins with a letter.
        if ((bytes[at] ?? 0) > DIGIT_9) hasShortNumbers &&= !isLetter((bytes[at] ?? 0) | 0x20);
        values += 1;
      } else if (byte === 0x7b || byte === 0x5b) {
        values += 1;
        at += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        at += 1;
      } else if (byte >= LOWER_A && byte <= LOWER_Z) {
        values += 1;
        at += 1;
        while (isLetter(bytes[at] ?? 0)) at += 1;
      } else at += 1;
    }
    this.values = values;
    this.keys = keys;
    this.escapes = escapes;
    this.longestKey = longestKey;
    this.depth = deepest;
    this.hasShortNumbers = hasShortNumbers;
  }
}

/** Space, tab, line feed and carriage return (RFC 8259, section 2). */
function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function isDigitOrPoint(byte = 0): boolean {
  return (byte >= DIGIT_0 && byte <= DIGIT_9) || byte === POINT;
}

function isLetter(byte: number): boolean {
  return byte >= LOWER_A && byte <= LOWER_Z;
}
