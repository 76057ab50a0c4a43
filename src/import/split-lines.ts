import { OperatorError } from '../errors.ts';

/** A line of text without its line ending, and its number, from 1. */
export interface TextLine {
  readonly line: number;
  readonly text: string;
}

/** Maximum characters of a line, and bytes of a CSV record, which are held in memory. */
export const MAX_LINE = 1_000_000;
/** Maximum lines that are held: a chunk of blank lines has as many as bytes. */
export const LINES_PER_BATCH = 10_000;

/**
 * Splits text into lines, some of a chunk at a time. LF or CRLF ends a line; a byte order mark is
 * skipped.
 * @throws OperatorError when a line is too long.
 */
export async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let incomplete = '';
  let line = 1;
  for await (const chunk of chunks) {
    const text = incomplete + chunk;
    let batch: TextLine[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      batch.push(toLine(text.slice(start, end), line));
      start = end + 1;
      line += 1;
      if (batch.length < LINES_PER_BATCH) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    incomplete = text.slice(start);
    if (incomplete.length > MAX_LINE) {
      throw new OperatorError(`Nothing was imported: line ${line} is too long for a list of ids.`);
    }
  }
  if (incomplete !== '') yield [toLine(incomplete, line)];
}

function toLine(text: string, line: number): TextLine {
  const start = line === 1 && text.startsWith('\uFEFF') ? 1 : 0;
  return { line, text: text.slice(start, text.endsWith('\r') ? -1 : undefined) };
}
