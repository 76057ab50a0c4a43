import fc from 'fast-check';
import { arrayOf, type JsonObject } from './json-value.ts';

const FORMATS: Readonly<Record<string, (salt: number) => string>> = {
  date: (salt) => `2024-02-${29 - (salt % 28)}`,
  'date-time': (salt) => `2024-02-29T12:30:${String(10 + (salt % 50))}.125Z`,
  time: (salt) => `12:30:${String(10 + (salt % 50))}Z`,
  duration: (salt) => `P${3 + salt}DT4H`,
  uuid: (salt) => `f81d4fae-7dec-41d0-a765-00a0c91e6b${(16 + salt).toString(16)}`,
  email: (salt) => `user${salt}@example.com`,
  'idn-email': (salt) => `user${salt}@example.com`,
  hostname: (salt) => `host${salt}.example.com`,
  ipv4: (salt) => `192.0.2.${1 + salt}`,
  ipv6: (salt) => `2001:db8::${1 + salt}`,
  uri: (salt) => `https://example.com/${salt}`,
  url: (salt) => `https://example.com/${salt}`,
  'uri-reference': (salt) => `/a/${salt}`,
  iri: (salt) => `https://example.com/${salt}`,
  byte: (salt) => Buffer.from(`bytes ${salt}`).toString('base64'),
  'json-pointer': (salt) => `/a/${salt}`,
  regex: (salt) => `^a{${salt}}$`,
};

/**
 * A text that a string schema allows.
 * @param text what it is where it may be anything.
 * @param salt tells apart the items of an array.
 */
export function stringOf(flat: JsonObject, text: string, salt: number): string | undefined {
  const { format, pattern, minLength, maxLength, example, examples } = flat;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const patterns = [pattern].flat().filter((one) => typeof one === 'string');
  const fits = (one: string): boolean =>
    Array.from(one).length >= least &&
    Array.from(one).length <= most &&
    patterns.every((each) => expression(each)?.test(one) ?? true);
  const formatted = typeof format === 'string' ? FORMATS[format]?.(salt) : undefined;
  const plain = sized(salt === 0 ? text : `${text}${salt}`, least, most);
  const declared = [example, ...arrayOf(examples)].filter((one) => typeof one === 'string');
  const candidates = [
    ...(formatted === undefined ? [plain] : [formatted]),
    ...declared,
    sized(`a${salt}`, least, most),
  ];
  const matches = (): string[] => patterns.flatMap((one) => matching(one, most)).filter(fits);
  if (salt === 0) return candidates.find(fits) ?? matches()[0] ?? formatted;
  const fitting = [...new Set([...candidates.slice(0, 1).filter(fits), ...matches()])];
  return fitting[salt % fitting.length] ?? formatted;
}

/** The text, repeated or cut to a length in code points, which are the items of a text. */
function sized(text: string, least: number, most: number): string {
  const repeated = text.repeat(Math.max(1, Math.ceil(least / Array.from(text).length)));
  return Array.from(repeated)
    .slice(0, Math.max(least, Math.min(Array.from(text).length, most)))
    .join('')
    .trim()
    .padEnd(least, 'a');
}

const EXPRESSIONS = new Map<string, RegExp | undefined>();

/** The regular expression, with the u flag where that is possible; undefined for none at all. */
export function expression(pattern: string): RegExp | undefined {
  if (!EXPRESSIONS.has(pattern)) EXPRESSIONS.set(pattern, compiled(pattern, 'u') ?? compiled(pattern, ''));
  return EXPRESSIONS.get(pattern);
}

function compiled(pattern: string, flags: string): RegExp | undefined {
  const [, before = '', own = '', after = pattern] = /^(.*?)\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(before + after, flags + own);
  } catch {
    return undefined;
  }
}

const MATCHES = new Map<string, string[]>();

/** Texts that match a pattern; none where fast-check cannot read it. */
function matching(pattern: string, most: number): string[] {
  const size = most > 30 ? 'medium' : 'small';
  const key = `${size} ${pattern}`;
  const matches = MATCHES.get(key) ?? sampled(expression(pattern), size);
  MATCHES.set(key, matches);
  return matches;
}

function sampled(found: RegExp | undefined, size: 'small' | 'medium'): string[] {
  try {
    const texts = found === undefined ? [] : fc.sample(fc.stringMatching(found, { size }), { numRuns: 200, seed: 1 });
    // Printable ASCII first: headers and cookies can carry it.
    return texts.toSorted((a, b) => Number(/^[ -~]+$/.test(b)) - Number(/^[ -~]+$/.test(a)));
  } catch {
    return [];
  }
}
