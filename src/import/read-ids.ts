import { parse as parseCsv } from 'csv-parse';
import { isLosslessNumber, parse as parseJson } from 'lossless-json';
import { pipeline } from 'node:stream';
import { parseInt64 } from 'openapi-exact/int64';
import { messageOf, OperatorError } from '../errors.ts';
import { hasLeadingZeros } from './leading-zeros.ts';
import { LINES_PER_BATCH, MAX_LINE, splitLines, type TextLine } from './split-lines.ts';

/** A line of the input: its number, from 1, and its id, or what is wrong with it. */
type ReadLine = { readonly line: number; readonly id: bigint } | InvalidLine;

/** A line without an id. */
export interface InvalidLine {
  readonly line: number;
  /** The beginning of its text. */
  readonly excerpt: string;
  readonly problem: Problem;
}

/** What is wrong with a line. */
export type Problem = 'no field id' | 'leading zeros' | 'other columns' | 'no JSON object' | 'no id';

/** Characters shown of an invalid line. */
const MAX_EXCERPT = 40;

/**
 * Reads ids from text: one per line, CSV with a column `id`, or JSON lines with a field `id` (a
 * number or a string). The first non-blank line determines the format. Blank lines are skipped.
 * @throws OperatorError for CSV without exactly one column `id`, a JSON array or unreadable text.
 */
export async function* readIds(chunks: AsyncIterable<string>): AsyncGenerator<ReadLine[]> {
  const lines = splitLines(chunks);
  for await (const batch of lines) {
    const first = batch.findIndex(({ text }) => text.trim() !== '');
    const head = batch.slice(first);
    const sample = batch[first]?.text.trim();
    if (sample === undefined) continue;
    requireReadable(sample);
    if (sample.startsWith('{')) yield* mapLines(head, lines, readJson);
    // A header with a column `id`. Ids contain no commas, so a comma marks CSV without that column.
    else if (/(^|[,"])\s*id\s*($|[,"])/.test(sample) || sample.includes(',')) yield* readCsv(head, lines);
    else yield* mapLines(head, lines, readPlain);
  }
}

/** @throws OperatorError with advice for a format that resembles a supported one. */
function requireReadable(sample: string): void {
  // UTF-16 has these between ASCII characters, and compressed files in their headers.
  if (sample.includes('\0')) {
    throw new OperatorError(
      'Nothing was imported: this is not text in UTF-8. Save a file in UTF-16 as UTF-8, and decompress a compressed one.',
    );
  }
  if (sample.startsWith('[')) {
    throw new OperatorError(
      'Nothing was imported: this is a JSON array. Put each id, or each object, on its own line.',
    );
  }
  if (!sample.includes(',') && /(^|[;\t"])\s*id\s*($|[;\t"])/.test(sample) && /[;\t]/.test(sample)) {
    throw new OperatorError(
      'Nothing was imported: the columns stand between semicolons or tabs. Save the file as CSV with commas.',
    );
  }
}

async function* mapLines(
  head: readonly TextLine[],
  lines: AsyncIterable<TextLine[]>,
  read: (line: TextLine) => ReadLine,
): AsyncGenerator<ReadLine[]> {
  const readAll = (batch: readonly TextLine[]): ReadLine[] => batch.filter(({ text }) => text.trim() !== '').map(read);
  yield readAll(head);
  for await (const batch of lines) yield readAll(batch);
}

function readPlain({ line, text }: TextLine): ReadLine {
  return readDigits(line, text, text);
}

/** @param text what an invalid line is shown as. */
function readDigits(line: number, digits: string, text: string): ReadLine {
  const id = parseInt64(digits);
  if (id !== undefined) return { line, id };
  return { line, excerpt: excerptOf(text), problem: hasLeadingZeros(digits) ? 'leading zeros' : 'no id' };
}

function readJson({ line, text }: TextLine): ReadLine {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    // JSON has no number with leading zeros.
    const problem = /"id"\s*:\s*-?0\d/.test(text) ? 'leading zeros' : 'no JSON object';
    return { line, excerpt: excerptOf(text), problem };
  }
  if (!isRecord(value)) return { line, excerpt: excerptOf(text), problem: 'no JSON object' };
  const field = value['id'];
  if (field === undefined) return { line, excerpt: excerptOf(text), problem: 'no field id' };
  // Programs with inexact numbers must write ids as strings.
  const digits = isLosslessNumber(field) ? field.value : field;
  return readDigits(line, typeof digits === 'string' ? digits : '', text);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
}

/** The beginning of a text, copied: a slice would keep the whole text in memory. */
function excerptOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_EXCERPT)).toString();
}

interface CsvRow {
  readonly record: readonly string[];
  /** `lines` is the number of the record's last line. */
  readonly info: { readonly lines: number };
}

interface CsvHeader {
  /** The index of the column `id`. */
  readonly column: number;
  readonly width: number;
}

async function* readCsv(head: readonly TextLine[], lines: AsyncIterable<TextLine[]>): AsyncGenerator<ReadLine[]> {
  // The parser counts from the first line that it receives.
  const before = (head[0]?.line ?? 1) - 1;
  let header: CsvHeader | undefined;
  let batch: ReadLine[] = [];
  for await (const { record, info } of csvRows(head, lines)) {
    const line = before + info.lines;
    if (header === undefined) {
      header = readHeader(record);
      continue;
    }
    batch.push(readRecord(line, record, header));
    if (batch.length < LINES_PER_BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function readRecord(line: number, record: readonly string[], { column, width }: CsvHeader): ReadLine {
  // With too many or too few fields, the column of the id is uncertain.
  if (record.length !== width) return { line, excerpt: excerptOf(record.join(',')), problem: 'other columns' };
  const digits = record[column] ?? '';
  return readDigits(line, digits, digits);
}

function readHeader(record: readonly string[]): CsvHeader {
  const column = record.indexOf('id');
  const problem = column === -1 ? 'no column id' : record.includes('id', column + 1) ? 'two columns id' : undefined;
  if (problem === undefined) return { column, width: record.length };
  throw new OperatorError(`Nothing was imported: the CSV header has ${problem}: ${record.join(',').slice(0, 80)}`);
}

async function* csvRows(head: readonly TextLine[], lines: AsyncIterable<TextLine[]>): AsyncGenerator<CsvRow> {
  const options = { info: true, skipEmptyLines: true, trim: true, relaxColumnCount: true, maxRecordSize: MAX_LINE };
  // The errors come with the rows, below.
  const parser = pipeline(textsOf(head, lines), parseCsv(options), () => undefined);
  try {
    // The options above give every row this form.
    yield* parser as AsyncIterable<CsvRow>;
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause;
    // The parser's messages quote whole fields, however long.
    const reason = messageOf(cause).slice(0, 200);
    throw new OperatorError(`Nothing was imported: the CSV cannot be read: ${reason}`, { cause });
  }
}

async function* textsOf(head: readonly TextLine[], lines: AsyncIterable<TextLine[]>): AsyncGenerator<string> {
  const joinedLines = (batch: readonly TextLine[]): string => batch.map(({ text }) => `${text}\n`).join('');
  yield joinedLines(head);
  for await (const batch of lines) yield joinedLines(batch);
}
