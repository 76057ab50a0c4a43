import type { ValueCount } from '../json/value-count.ts';
import { decodeQuery } from '../http/percent-encoding.ts';
import { splitEntry, type Entry } from './text-style.ts';

/** The texts of each name in a form; names are decoded. */
export type Pairs = ReadonlyMap<string, readonly string[]>;

/** The names and texts of one form. */
export interface FormTexts {
  readonly pairs: Pairs;
  /** The names of the fields, to which the properties of exploded objects give way. */
  readonly names: ReadonlySet<string>;
  /** Whether a name belongs to some field, or is known otherwise. */
  readonly isClaimed: (name: string) => boolean;
  /** Counts the values of the message. */
  readonly count: ValueCount;
}

/**
 * The pairs of a query or a form: `a=1&b=2`.
 * @param count of the values of the message, which has room for each pair.
 * @param decodeText decodes the texts; by default they are left unchanged.
 * @throws RequestError malformedUrl unless its percent-encoding is well-formed.
 */
export function formPairs(
  form: string,
  count: ValueCount,
  decode = decodeQuery,
  decodeText = (text: string): string => text,
): Pairs {
  const parts = count.split(form, '&');
  // Once for all texts: no later step splits the bytes of a character.
  if (form.includes('%')) decode(form);
  const pairs = new Map<string, string[]>();
  for (const part of parts) {
    if (part === '') continue;
    const [name, text] = splitEntry(part);
    addText(pairs, decode(name), decodeText(text));
  }
  return pairs;
}

/**
 * The pairs of a Cookie header (RFC 6265, section 4.2.1).
 * @param isSpread whether the cookie of a name may hold more pairs, as in OpenAPI's `a=1&a=2`.
 * @param isPlain whether the text of a name is taken unchanged, quotes included.
 */
export function cookiePairs(
  cookie: string,
  { isSpread, isPlain }: Readonly<Record<'isSpread' | 'isPlain', (name: string) => boolean>>,
  count: ValueCount,
): Pairs {
  const parts = count.split(cookie, ';').map((part) => {
    const pair = part.trim();
    return isPlain(splitEntry(pair)[0]) ? pair : pair.replace(/^([^=]*)="(.*)"$/, '$1=$2');
  });
  const pairs = parts.flatMap((part) => {
    return isSpread(splitEntry(part)[0]) ? count.split(part, '&') : [part];
  });
  return grouped(pairs.map(splitEntry));
}

function grouped(entries: readonly Entry[]): Pairs {
  const pairs = new Map<string, string[]>();
  for (const [name, text] of entries) addText(pairs, name, text);
  return pairs;
}

function addText(pairs: Map<string, string[]>, name: string, text: string): void {
  const known = pairs.get(name);
  if (known === undefined) pairs.set(name, [text]);
  else known.push(text);
}
