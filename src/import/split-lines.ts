import { OperatorError } from '../errors.ts';

/** A line of text, without its end, and its number, from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Characters in a line, or bytes in a record of CSV, at most: longer ones would be gathered in memory. */
export const MAX_LINE = 1_000_000;

/**
 * Splits text into lines, those of one chunk at a time. A line ends with LF or CRLF; a byte order mark is no part of the first.
 * @throws OperatorError when a line is too long to be one.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let rest = '';
  let line = 0;
  const toLine = (text: string): TextLine => {
    line += 1;
    const start = line === 1 && text.startsWith('\uFEFF') ? 1 : 0;
    return { line, text: text.slice(start, text.endsWith('\r') ? -1 : undefined) };
  };
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_LINE) {
      throw new OperatorError(`Nothing was imported: line ${line + parts.length + 1} is too long for a list of ids.`);
    }
    if (parts.length > 0) yield parts.map(toLine);
  }
  if (rest !== '') yield [toLine(rest)];
}
