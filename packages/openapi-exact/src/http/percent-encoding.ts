import { RequestError, type Reason } from '../errors/errors.ts';

/**
 * Decodes percent-encoding (RFC 3986, section 2.1).
 * @throws RequestError malformedUrl unless it is UTF-8.
 */
export const decodePercent = decoder('URL', 'malformedUrl');

/** Decodes a part of a cookie. @throws RequestError invalidParameter. */
export const decodeCookie = decoder('cookie', 'invalidParameter');

const decodeBody = decoder('form', 'malformedBody');

/**
 * Decodes a part of a query, in which `+` is a space (URL Standard, section 5.1).
 * @throws RequestError malformedUrl.
 */
export function decodeQuery(text: string): string {
  return decodePercent(withSpaces(text));
}

/**
 * Decodes a part of a form in a body, as of a query.
 * @returns a copy: a slice would keep the whole form in memory.
 * @throws RequestError malformedBody.
 */
export function decodeForm(text: string): string {
  const decoded = decodeBody(withSpaces(text));
  return decoded === text && text.length > LONGEST_COPY ? Buffer.from(text).toString() : decoded;
}

/** Slices of up to this length are copies in V8. */
const LONGEST_COPY = 12;

/** `replaceAll` takes several times as long for a text of nothing else. */
function withSpaces(text: string): string {
  return text.includes('+') ? text.split('+').join(' ') : text;
}

function decoder(what: string, reason: Reason): (text: string) => string {
  return (text) => {
    if (!text.includes('%')) return text;
    try {
      return decodeURIComponent(text);
    } catch (cause) {
      const message = `The ${what}'s percent-encoding must be UTF-8, two hexadecimal digits after each %.`;
      throw new RequestError(reason, message, { cause });
    }
  };
}
