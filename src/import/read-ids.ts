import { parse as parseCsv } from 'csv-parse';
import { isLosslessNumber, parse as parseJson } from 'lossless-json';
import { parseInt64 } from '../contract/int64.ts';
import { OperatorError } from '../errors.ts';

/** A line of the input: its number, from 1, and its id, or what stands there instead. */
export type Line = { readonly line: number; readonly id: bigint } | { readonly line: number; readonly invalid: string };

/**
 * Reads ids from text: one per line, CSV whose header has a column `id`, or JSON lines with a field `id`. Which of them it
 * is shows in the first line. Blank lines are passed over.
 * @throws OperatorError when the text is CSV without a column `id`, or no readable CSV.
 */
export async function* readIds(chunks: AsyncIterable<string>): AsyncGenerator<Line[]> {
  const lines = splitLines(chunks);
  const first = await lines.next();
  if (first.done === true) return;
  const head = first.value;
  const sample = head.find(({ text }) => text.trim() !== '')?.text.trim() ?? '';
  if (sample.startsWith('{')) yield* map(head, lines, readJson);
  else if (/^[+-]?\d/.test(sample) || !/(^|[,"])\s*id\s*($|[,"])/.test(sample)) {
    if (sample.includes(',')) throw new OperatorError(`The CSV header has no column id: ${sample.slice(0, 80)}`);
    yield* map(head, lines, readPlain);
  } else yield* readCsv(head, lines);
}

interface TextLine {
  readonly line: number;
  readonly text: string;
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    if (parts.length > 0)
      yield parts.map((text) => ({ line: ++line, text: line === 1 ? text.replace(/^\uFEFF/, '') : text }));
  }
  if (rest !== '') yield [{ line: ++line, text: line === 1 ? rest.replace(/^\uFEFF/, '') : rest }];
}

async function* map(
  head: readonly TextLine[],
  lines: AsyncIterable<TextLine[]>,
  read: (line: TextLine) => Line | undefined,
): AsyncGenerator<Line[]> {
  yield head.map(read).filter((line) => line !== undefined);
  for await (const batch of lines) yield batch.map(read).filter((line) => line !== undefined);
}

function readPlain({ line, text }: TextLine): Line | undefined {
  const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text;
  if (trimmed === '') return undefined;
  const id = parseInt64(trimmed);
  return id === undefined ? { line, invalid: trimmed } : { line, id };
}

function readJson({ line, text }: TextLine): Line | undefined {
  if (text.trim() === '') return undefined;
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { line, invalid: text };
  }
  const field: unknown = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  // A number as it was written; a string with digits in it is no integer of JSON.
  const id = isLosslessNumber(field) ? parseInt64(field.value) : undefined;
  return id === undefined ? { line, invalid: text } : { line, id };
}

interface CsvRecord {
  readonly record: Record<string, string | undefined>;
  readonly info: { readonly lines: number };
}

async function* readCsv(head: readonly TextLine[], lines: AsyncIterable<TextLine[]>): AsyncGenerator<Line[]> {
  const parser = parseCsv({ columns: true, info: true, skipEmptyLines: true, trim: true, relaxColumnCount: true });
  const feed = async (): Promise<void> => {
    await write(head);
    for await (const batch of lines) await write(batch);
    parser.end();
  };
  const write = (batch: readonly TextLine[]): Promise<void> =>
    new Promise((done, fail) => {
      parser.write(batch.map(({ text }) => `${text}\n`).join(''), (error) => {
        if (error) fail(error);
        else done();
      });
    });
  const fed = feed().catch((error: unknown) =>
    parser.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const row of parser) {
      // The options above make every record one of this form.
      const { record, info } = row as CsvRecord;
      const text = record['id'] ?? '';
      const id = parseInt64(text);
      yield [id === undefined ? { line: info.lines, invalid: text } : { line: info.lines, id }];
    }
    await fed;
  } catch (cause) {
    throw new OperatorError(`The CSV cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
