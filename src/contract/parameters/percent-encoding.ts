import { RequestError } from '../../errors.ts';

/**
 * Decodes percent-encoding (RFC 3986, section 2.1).
 * @throws RequestError malformedUrl unless it is well-formed UTF-8.
 */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    const message = "The URL's percent-encoding must be UTF-8, two hexadecimal digits after each %.";
    throw new RequestError('malformedUrl', message, { cause });
  }
}

/**
 * Decodes a part of a query or form, in which `+` is a space (URL Standard, section 5.1).
 * @throws RequestError malformedUrl.
 */
export function decodeForm(text: string): string {
  return decodePercent(text.replaceAll('+', ' '));
}

/** Decodes a part of a cookie. @throws RequestError invalidParameter. */
export function decodeCookie(text: string): string {
  try {
    return decodePercent(text);
  } catch (cause) {
    const message = "The cookie's percent-encoding must be UTF-8, two hexadecimal digits after each %.";
    throw new RequestError('invalidParameter', message, { cause });
  }
}
