import { getOrInsert } from '../get-or-insert.ts';
import { ValueCount } from '../numbers/value-count.ts';
import { decodeQuery } from './percent-encoding.ts';
import { splitEntry, type Entry } from './text-style.ts';

/** The texts of each name in a form; names are decoded, texts are not. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

/**
 * The pairs of a query or a form: `a=1&b=2`.
 * @param count of the values of the message, which has room for each pair.
 * @throws RequestError malformedUrl unless its percent-encoding is well-formed.
 */
export function formPairs(form: string, decode = decodeQuery, count = new ValueCount()): Pairs {
  requireRoomForParts(count, form, '&');
  // Once for all texts: no later step splits the bytes of a character.
  if (form.includes('%')) decode(form);
  const pairs = new Map<string, string[]>();
  for (const part of form.split('&')) {
    if (part === '') continue;
    const [name, text] = splitEntry(part);
    getOrInsert(pairs, decode(name), () => []).push(text);
  }
  return pairs;
}

/**
 * The pairs of a Cookie header (RFC 6265, section 4.2.1).
 * @param isSpread whether the cookie of a name may hold more pairs, as in OpenAPI's `a=1&a=2`.
 */
export function cookiePairs(cookie: string, isSpread: (name: string) => boolean, count = new ValueCount()): Pairs {
  requireRoomForParts(count, cookie, ';');
  const parts = cookie.split(';').map((part) => part.trim().replace(/^([^=]*)="(.*)"$/, '$1=$2'));
  const pairs = parts.flatMap((part) => {
    if (!isSpread(splitEntry(part)[0])) return [part];
    requireRoomForParts(count, part, '&');
    return part.split('&');
  });
  return grouped(pairs.map(splitEntry));
}

/** Requires room for the parts between delimiters, before they are made. */
export function requireRoomForParts(count: ValueCount, text: string, delimiter: string): void {
  let parts = 1;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + 1)) count.requireRoom(++parts);
}

function grouped(entries: readonly Entry[]): Pairs {
  const pairs = new Map<string, string[]>();
  for (const [name, text] of entries) getOrInsert(pairs, name, () => []).push(text);
  return pairs;
}
