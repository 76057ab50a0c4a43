/**
 * The smallest int64, −2^63.
 * @example if (id < INT64_MIN) throw new RangeError(`${id} is no int64.`);
 */
export const INT64_MIN = -(2n ** 63n);
/**
 * The largest int64, 2^63 − 1.
 * @example if (id > INT64_MAX) throw new RangeError(`${id} is no int64.`);
 */
export const INT64_MAX = 2n ** 63n - 1n;

/**
 * What an int64 looks like, for messages.
 * @example throw new RangeError(`An id is ${INT64_DESCRIPTION}.`);
 */
export const INT64_DESCRIPTION = `a decimal integer between ${INT64_MIN} and ${INT64_MAX}, such as 12`;

/**
 * Reads a canonical decimal int64: ASCII digits with an optional `-`, no leading zeros, no `-0`,
 * nothing around it. Every integer has exactly one such text, so that two texts never name the same
 * thing.
 * @returns undefined when the text is anything else or out of range.
 * @example parseInt64('9007199254740993'); // 9007199254740993n
 */
export function parseInt64(text: string): bigint | undefined {
  // 20 characters hold every int64: longer texts need not be read at all.
  if (text.length > 20 || !/^(?:0|-?[1-9][0-9]*)$/.test(text)) return undefined;
  const value = BigInt(text);
  return value < INT64_MIN || value > INT64_MAX ? undefined : value;
}
