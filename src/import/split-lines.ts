import { OperatorError } from '../errors.ts';

/** A line of text without its line ending, and its number, from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Maximum characters of a line, and bytes of a CSV record, which are held in memory. */
export const MAX_LINE = 1_000_000;

/**
 * Splits text into lines, one chunk at a time. LF or CRLF ends a line; a byte order mark is
 * skipped.
 * @throws OperatorError when a line is too long.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let incomplete = '';
  let line = 0;
  const toLine = (text: string): TextLine => {
    line += 1;
    const start = line === 1 && text.startsWith('\uFEFF') ? 1 : 0;
    return { line, text: text.slice(start, text.endsWith('\r') ? -1 : undefined) };
  };
  for await (const chunk of chunks) {
    const parts = (incomplete + chunk).split('\n');
    incomplete = parts.pop() ?? '';
    if (incomplete.length > MAX_LINE) {
      throw new OperatorError(`Nothing was imported: line ${line + parts.length + 1} is too long for a list of ids.`);
    }
    if (parts.length > 0) yield parts.map(toLine);
  }
  if (incomplete !== '') yield [toLine(incomplete)];
}
