import { Lexer, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { Position } from './yaml-positions.ts';

/** A mistake of YAML: its place as an offset, what is wrong and what would be right. */
interface YamlMistake {
  readonly offset: number;
  readonly reason: string;
}

/** Tokens of the lexer that are not part of the text; one ends a flow that is not closed. */
const FLOW_END = '\u0018';
const MARKS = ['\u0002', FLOW_END, '\u001f'];

/**
 * The mistakes for which the parser that knows positions refuses a text; several only for repeated
 * keys, since other mistakes cause further ones behind them.
 */
export function yamlMistakes(text: string): readonly (Position & { readonly reason: string })[] {
  const lines = new LineCounter();
  const { errors } = parseDocument(text, { lineCounter: lines });
  const nullByte = nullByteMistake(text);
  const mistakes = nullByte === undefined ? independent(errors).map((error) => yamlMistake(error, text)) : [nullByte];
  return mistakes.map(({ offset, reason }) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col, reason: `the YAML does not parse: ${reason}` };
  });
}

/** The errors up to the first that may cause the ones behind it. */
function independent(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const cause = errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  return cause === -1 ? errors : errors.slice(0, cause + 1);
}

/** The parser's complaint about a text, in terms of its author. */
function yamlMistake({ code, message, pos: [offset] }: YAMLParseError, text: string): YamlMistake {
  const [said = message] = message.split(/ at line \d+, column \d+/);
  const line = /^.*/.exec(text.slice(offset))?.[0] ?? '';
  switch (code) {
    case 'TAB_AS_INDENT':
      return { offset, reason: 'a tab indents the line: YAML takes spaces only.' };
    case 'DUPLICATE_KEY':
      return repeatedKey(offset, text);
    case 'BAD_INDENT':
    case 'MISSING_CHAR':
      return (
        unclosed(said, offset, text) ?? {
          offset: afterSpaces(text, offset),
          reason: indentation(text.slice(0, offset)),
        }
      );
    case 'BLOCK_AS_IMPLICIT_KEY':
      return said.includes('sequence') ? misplacedItem(afterSpaces(text, offset)) : nestedValue(offset, text);
    case 'BLOCK_IN_FLOW':
      return { offset, reason: 'a comma is missing: it separates what stands between braces or brackets.' };
    case 'MULTILINE_IMPLICIT_KEY':
      return { offset, reason: keyWithoutValue(line) };
    case 'BAD_SCALAR_START':
    case 'BAD_ALIAS':
      return { offset, reason: `a value cannot begin with ${text.charAt(offset)}: put it in quotes.` };
    case 'BAD_DQ_ESCAPE':
      return { offset, reason: `${line.slice(0, 2)} is not an escape sequence: write \\\\ for a backslash.` };
    case 'MULTIPLE_DOCS':
      return { offset, reason: '--- begins a second document: a contract is one.' };
    case 'UNEXPECTED_TOKEN':
      return { offset, reason: unexpected(said) };
    default:
      return { offset, reason: `${said}.` };
  }
}

/** The first null byte, which only the parser of contracts refuses; it does not know the line. */
function nullByteMistake(text: string): YamlMistake | undefined {
  const offset = text.indexOf('\0');
  const reason = 'a null byte is not allowed: remove it, or save the file as UTF-8 if it is in another encoding.';
  return offset === -1 ? undefined : { offset, reason };
}

/** Describes a mistake that only the parser of contracts knows. @param said what it says. */
export function otherYamlMistake(said: string): string {
  const [, alias] = /^unidentified alias "(.*)"$/.exec(said) ?? [];
  if (alias !== undefined)
    return `no anchor has the name of the alias *${alias}: put the value in quotes if it is a text.`;
  if (said.startsWith('unknown tag ')) return `${said}: put a value that begins with ! in quotes.`;
  return said.startsWith('missed comma ') ? `${said}: write it; a comment begins with #.` : `${said}.`;
}

/** The parser names the end of the first key when that has no value. */
function repeatedKey(start: number, text: string): YamlMistake {
  const offset = start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0);
  const [key] = /^(?:"[^"\n]*"|'[^'\n]*'|[^:,}\n]*)/.exec(text.slice(offset)) ?? [''];
  return { offset, reason: `the key ${key} is given twice in one object: keep one.` };
}

/** A brace, bracket or quote that is never closed; undefined when it is another mistake. */
function unclosed(said: string, end: number, text: string): YamlMistake | undefined {
  const [, quote] = /^Missing closing (["'])/.exec(said) ?? [];
  if (quote === undefined && !said.startsWith('Flow ')) return undefined;
  const open: number[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.includes(token)) {
      if (token === FLOW_END && quote === undefined) break;
      continue;
    }
    if (quote !== undefined && token.startsWith(quote) && offset + token.length >= end) {
      return { offset, reason: `the text that begins with ${quote} does not end: close it with ${quote}.` };
    }
    if (token === '{' || token === '[') open.push(offset);
    if (token === '}' || token === ']') open.pop();
    offset += token.length;
  }
  const opening = open.pop();
  if (opening === undefined) return undefined;
  const sign = text.charAt(opening);
  return { offset: opening, reason: `the ${sign} is not closed: write ${sign === '{' ? '}' : ']'} where it ends.` };
}

/** @param before the text before the line that is wrongly indented. */
function indentation(before: string): string {
  const above = before.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const advice = 'start all keys of an object in the same column';
  const hint = /:(?:\s|$)/.test(above) ? '' : `, or end ${above} above it with a colon if it is their key`;
  return `the line is not indented like the other keys of its object: ${advice}${hint}.`;
}

/** A second colon in a line, or a deeper line below a key that has a value. */
function nestedValue(offset: number, text: string): YamlMistake {
  const line = /^.*/.exec(text.slice(offset))?.[0] ?? '';
  if (line.startsWith('?')) return { offset, reason: 'a value cannot begin with ?: put it in quotes.' };
  if (/:(?:\s|$)/.test(line)) return { offset, reason: 'a value with a colon and a space in it must be in quotes.' };
  const reason = 'the line is indented deeper than the key above it, which has a value: start both in the same column.';
  return { offset: afterSpaces(text, offset + line.length + 1), reason };
}

function misplacedItem(offset: number): YamlMistake {
  return { offset, reason: 'a list item is indented like no other item and no key: indent it like the others.' };
}

function afterSpaces(text: string, offset: number): number {
  return offset + (/^ */.exec(text.slice(offset))?.[0].length ?? 0);
}

function keyWithoutValue(line: string): string {
  if (/^(?:<{7}|={7}|>{7})/.test(line)) return 'a conflict of a merge was left in the file: resolve it.';
  const [, key, value] = /^([^\s:]+):(\S.*)$/.exec(line) ?? [];
  if (key !== undefined) return `a space is missing behind the colon: write ${key}: ${value}.`;
  return `${line.trim()} is neither a key with a colon nor a value: write a colon and a space behind a key.`;
}

function unexpected(said: string): string {
  if (said.endsWith('at node end')) {
    return `text follows the quote that ends a value: within '…' write '' for a quote, within "…" \\".`;
  }
  const [, sign] = /: "([}\]])"$/.exec(said) ?? [];
  return sign === undefined ? 'a comma is missing before it, or a quote.' : `the ${sign} closes nothing: leave it out.`;
}
