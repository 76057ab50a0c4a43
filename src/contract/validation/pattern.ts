import { getOrInsert } from '../document/get-or-insert.ts';

/** What a regular expression with the flag `u` may escape (ECMA-262, section 22.2.1). */
const SYNTAX = /[\^$\\.*+?()[\]{}|/\w]/;

/**
 * The expression of a pattern: with the flag `u`, or without it if it is none then. Flags in front,
 * as in `(?i)`, have the meaning that PCRE and Python give them.
 * @throws SyntaxError for a pattern that is none either way.
 */
export function expressionOf(pattern: string): RegExp {
  return getOrInsert(EXPRESSIONS, pattern, () => {
    const [, flags = '', source = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
    return new RegExp(source, isUnicode(source) ? `u${flags}` : flags);
  });
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

/** A pattern whose needless escapes, such as `\-` and `\_`, are spelled as `u` wants them. */
export function withUnicodeEscapes(pattern: string): string {
  return pattern.replaceAll(/\\([^])/g, (escape, character: string) =>
    SYNTAX.test(character) && character !== '_'
      ? escape
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
