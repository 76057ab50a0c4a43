import { REPEATED } from './repeated-items.ts';

/** Names of properties that every object inherits, such as `constructor`, and that of the mark. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype), REPEATED];
const MARK = '\0';
/** One of these names, as it is or already marked, so that different names have different keys. */
const MARKED = new RegExp(`^(?:${INHERITED.join('|')})${MARK}*$`);

/**
 * The key by which the validator knows a property, in schemas and in messages. The validator takes
 * an inherited property for one that an object has, so that such names get a mark.
 */
export function keyOf(name: string): string {
  return MARKED.test(name) ? `${name}${MARK}` : name;
}

/** The name of a key. */
export function nameOf(key: string): string {
  return key.endsWith(MARK) && MARKED.test(key) ? key.slice(0, -MARK.length) : key;
}

/** A pattern of names, with the flag u, as one of keys. */
export function keyPattern(pattern: string): string {
  const expression = new RegExp(pattern, 'u');
  const differing = INHERITED.filter((name) => expression.test(name) !== expression.test(`${name}${MARK}`));
  if (differing.length === 0) return pattern;
  const fitting = differing.filter((name) => expression.test(name)).map((name) => `^${name}\\0$`);
  return [...fitting, `^(?!(?:${differing.join('|')})\\0$)[^]*?(?:${pattern})`].join('|');
}

/** A text of the validator with the names themselves. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}
