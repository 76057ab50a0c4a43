import { getOrInsert } from '../json/get-or-insert.ts';
import { fieldsOf, type Schema } from './openapi-document.ts';

/** An escape, the start of a class, a quantifier, or one character (ECMA-262, section 22.2.1). */
const PATTERN_TOKEN = /\\[uPp]\{[^}]*\}|\\[^]|\[\^?|\{\d+(?:,\d*)?\}|[^]/gu;

/** An escape with the flag `u`, except `\-`, which it knows inside a class only. */
const ESCAPE = /^\\[\^$\\.*+?()[\]{}|/a-z\d]/i;

/**
 * The expression of a pattern: with the flag `u`, or without it if that has no such spelling. Flags
 * in front, as in `(?i)`, have the meaning that PCRE, Java and Python give them.
 * @throws SyntaxError for a pattern that is none either way.
 */
export function expressionOf(pattern: string): RegExp {
  return getOrInsert(EXPRESSIONS, pattern, () => {
    const { flags, source } = withoutFlags(pattern);
    const spelled = unicodeSpelling(source);
    return isUnicode(spelled) ? new RegExp(spelled, `u${flags}`) : new RegExp(source, flags);
  });
}

/** True for a pattern that is a regular expression, with the flag `u` or without. */
export function isExpression(pattern: string): boolean {
  try {
    expressionOf(pattern);
    return true;
  } catch {
    return false;
  }
}

/** The schemas of the patterns that the name of a property matches, malformed patterns left out. */
export function schemasOfPatterns({ patternProperties }: Schema, name: string): readonly unknown[] {
  return Object.entries(fieldsOf(patternProperties))
    .filter(([pattern]) => isExpression(pattern) && expressionOf(pattern).test(name))
    .map(([, schema]) => schema);
}

/** Flags, with what stands before them without letters outside of escapes. */
const INLINE_FLAGS = /^((?:\\[BbDdSsWw\W]|[^\\A-Za-z])*?)\(\?([ims]+)\)(.*)$/s;
/** The text up to the end of the group that it is in. */
const REST_OF_GROUP = /^(?:\\.|[^()\\]|\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\))*/s;

/**
 * Takes flags out of a pattern. `(?i)` holds up to the end of its group: inside a pattern, it is a
 * flag of the whole if no letters stand around that group.
 */
function withoutFlags(pattern: string): { flags: string; source: string } {
  const [, before = '', flags = '', after = pattern] = INLINE_FLAGS.exec(pattern) ?? [];
  const [group = ''] = REST_OF_GROUP.exec(after) ?? [];
  const isForAll = before === '' || (flags === 'i' && !/[A-Za-z]/.test(after.slice(group.length)));
  return isForAll ? { flags, source: before + after } : { flags: '', source: pattern };
}

/** A contract has few patterns, which are asked of each key. */
const EXPRESSIONS = new Map<string, RegExp>();

/** True for a pattern that is a regular expression with the flag `u`. */
export function isUnicode(pattern: string): boolean {
  try {
    RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

/**
 * A pattern as the flag `u` wants it spelled: without needless escapes, such as `\_`, without `-`
 * beside a class escape, as in `[\w-.]`, and without literal braces and brackets.
 */
export function unicodeSpelling(pattern: string): string {
  if (isUnicode(pattern)) return pattern;
  let isInClass = false;
  let before = '';
  return pattern.replaceAll(PATTERN_TOKEN, (token, at: number) => {
    const isBesideEscape = [before, pattern.slice(at + 1)].some((text) => /^\\[dpsw]/i.test(text));
    before = token;
    if (token.length > 1 && token.startsWith('\\')) return ESCAPE.test(token) ? token : code(token.slice(1));
    if (!isInClass) {
      isInClass = token.startsWith('[');
      return /^[{}\]]$/.test(token) ? code(token) : token;
    }
    if (token === ']') isInClass = false;
    return token === '-' && isBesideEscape ? code(token) : token;
  });
}

function code(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
