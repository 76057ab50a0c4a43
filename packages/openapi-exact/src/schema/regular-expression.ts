/** A named group, and a reference to one; lookbehinds are none. */
const NAMED_GROUPS = /\(\?<(?![=!])/g;
const REFERENCES = /\\k/g;

/** Up to 50 named groups may be in the shortest text. */
const MOST_COMPARED = 2_500;

/** A way of other languages to write the end of a text. */
const END_OF_TEXT = /(?:^|[^\\])\\Z/;

/**
 * Whether a text is a regular expression (ECMA-262). V8 compares each named group with all others,
 * and with each reference: a text with so many that this is not linear in its length is none.
 */
export function isRegularExpression(text: string): boolean {
  const groups = countOf(text, NAMED_GROUPS);
  const compared = groups * (groups + countOf(text, REFERENCES));
  if (compared > Math.max(MOST_COMPARED, text.length) || END_OF_TEXT.test(text)) return false;
  try {
    RegExp(text);
    return true;
  } catch {
    return false;
  }
}

function countOf(text: string, expression: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(expression)) count += 1;
  return count;
}
