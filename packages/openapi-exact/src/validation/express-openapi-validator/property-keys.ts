import { REPEATED } from './repeated-items.ts';

/** A property of each object, by which the validator counts how often it evaluates objects. */
export const EVALUATED = '#evaluated';

/**
 * Names that the validator misreads: inherited properties such as `constructor`, marks, `$ref`,
 * which it follows even in constants, and the empty name, which it never requires.
 */
const MISREAD: readonly string[] = [...Object.getOwnPropertyNames(Object.prototype), REPEATED, EVALUATED, '$ref', ''];
const MISREAD_NAMES = new Set(MISREAD);
const MARK = '\0';
/** One of these names, as it is or already marked, so that different names have different keys. */
const MARKED = new RegExp(`^(?:${MISREAD.map(escapedName).join('|')})${MARK}*$`);

/**
 * The key by which the validator knows a property, in schemas and in messages: a name that it
 * misreads gets a mark.
 */
export function propertyKey(name: string): string {
  const isMisread = name.endsWith(MARK) ? MARKED.test(name) : MISREAD_NAMES.has(name);
  return isMisread ? `${name}${MARK}` : name;
}

/** The name of a key. */
export function propertyName(key: string): string {
  return key.endsWith(MARK) && MARKED.test(key) ? key.slice(0, -MARK.length) : key;
}

/** A pattern of names, with the flag u, as one of keys. */
export function keyPattern(pattern: string): string {
  const expression = new RegExp(pattern, 'u');
  const differing = MISREAD.filter((name) => expression.test(name) !== expression.test(`${name}${MARK}`));
  if (differing.length === 0) return pattern;
  const fitting = differing.filter((name) => expression.test(name)).map((name) => `^${escapedName(name)}\\0$`);
  return [...fitting, `^(?!(?:${differing.map(escapedName).join('|')})\\0$)[^]*?(?:${pattern})`].join('|');
}

/** A text of the validator with the names themselves. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}

/** A name as part of a pattern. */
function escapedName(name: string): string {
  return name.replace('$', String.raw`\$`);
}
