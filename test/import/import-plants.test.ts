import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { importPlants, type Imported } from '../../src/import/import-plants.ts';
import { showProgress } from '../../src/import/progress.ts';
import { OperatorError } from '../../src/errors.ts';
import { openStores } from '../../src/stores/open.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { plantsIn, temporaryFolder } from '../support/service.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Ids that go wrong wherever a double or a 32-bit integer is on the way, in ascending order. */
const IDS = [MIN, -9007199254740993n, -1n, 0n, 2147483648n, 9007199254740993n, MAX];

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true }));

interface Outcome {
  readonly result: Imported | undefined;
  /** What the import was refused with, in one line. */
  readonly problem: string | undefined;
  readonly skipped: readonly string[];
  /** The plants; undefined while no database was opened. */
  readonly plants: readonly bigint[] | undefined;
}

/** Imports a text. A database is made only when it is opened. */
async function importText(text: string | Buffer, skipInvalid = false): Promise<Outcome> {
  const file = join(folder, 'ids');
  await writeFile(file, text);
  const skipped: string[] = [];
  const report = (line: string): number => skipped.push(line);
  const opened: Awaited<ReturnType<typeof openStores>>[] = [];
  const open = async (): Promise<(typeof opened)[number]> => {
    const stores = await openStores({ kind: 'sqlite', file: join(folder, 'plants.db') });
    opened.push(stores);
    return stores;
  };
  let problem: string | undefined;
  const options = { skipInvalid, report, terminal: undefined };
  const result = await importPlants(open, file, options).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error;
    problem = error.message;
    expect(problem).not.toContain('\n');
    return undefined;
  });
  const [stores] = opened;
  const plants = stores && (await plantsIn(stores));
  await stores?.close();
  return { result, problem, skipped, plants };
}

const refusal = (problem: unknown): Outcome => ({
  result: undefined,
  problem: problem as string,
  skipped: [],
  plants: undefined,
});

const csvOf = (row: (id: bigint) => string, end = '\n'): string => IDS.map(row).join(end);
test.each([
  ['one id per line', IDS.join('\n')],
  ['one id per line, with CRLF, a byte order mark and blank lines', `\uFEFF${IDS.join('\r\n\r\n')}\r\n`],
  ['CSV with a column id alone', `id\n${IDS.join('\n')}\n`],
  ['CSV with quotes, commas and line breaks', `name,"id",x\n${csvOf((id) => `"a ""b"", c",${id},"two\nlines"`)}`],
  [
    'CSV with CRLF, a byte order mark and blank lines',
    `\uFEFF"id",x\r\n${csvOf((id) => `"${id}","x"`, '\r\n\r\n')}\r\n`,
  ],
  ['CSV with spaces and columns that look like ids', `1,2, id ,12\n${csvOf((id) => `7,8, ${id} ,9`)}\n`],
  ['JSON lines', `${IDS.map((id) => `{"id":${id}}`).join('\n')}\n`],
  ['JSON lines with the ids as strings', `${IDS.map((id) => `{"id":"${id}"}`).join('\n')}\n`],
  [
    'JSON lines with other fields, CRLF, a byte order mark and blank lines',
    `\uFEFF\r\n${IDS.map((id) => `{ "name": "x", "parent": {"id": 5}, "n": 1.5, "id" : ${id} }`).join('\r\n\r\n')}`,
  ],
])('reads %s, every id exactly', async (_format, text) => {
  expect(await importText(text)).toEqual({
    result: { imported: IDS.length, present: 0, invalid: 0 },
    problem: undefined,
    skipped: [],
    plants: IDS,
  });
});

test.each(['', '\n\r\n', '\uFEFF', 'id,name\n'])('accepts %j, which has no ids', async (text) => {
  expect(await importText(text)).toMatchObject({ result: { imported: 0, present: 0, invalid: 0 }, plants: [] });
});

const COLUMNS = ' (not as many columns as the header)';
const OBJECT = ' (not a JSON object with each name once)';
test.each([
  [
    'one per line',
    '1\n\n007\n2\n9223372036854775808',
    ['line 3 is "007" (write it without leading zeros)', 'line 5 is "9223372036854775808"'],
  ],
  ['one per line', '12 \n0x10\n1\n2', ['line 1 is "12 "', 'line 2 is "0x10"']],
  [
    'CSV',
    `${'\n'.repeat(100_000)}id,name\r\n1,"a\r\nb"\r\n\r\n1e3,c\r\n2,d\r\n5,e,f\r\n6\r\n,g\r\n`,
    ['line 100005 is "1e3"', `line 100007 is "5,e,f"${COLUMNS}`, `line 100008 is "6"${COLUMNS}`, 'line 100009 is ""'],
  ],
  [
    'JSON lines',
    '{"id":1}\n{"id":"03"}\n{"id":4.0}\n{"id":5\n{"id":null}\n6\n{"id":-014}\n{"id":7,"id":8}\n{"id":2}\n',
    [
      'line 2 is "{\\"id\\":\\"03\\"}" (write it without leading zeros)',
      'line 3 is "{\\"id\\":4.0}"',
      `line 4 is "{\\"id\\":5"${OBJECT}`,
      'line 5 is "{\\"id\\":null}"',
      `line 6 is "6"${OBJECT}`,
      'line 7 is "{\\"id\\":-014}" (write it without leading zeros)',
      `line 8 is "{\\"id\\":7,\\"id\\":8}"${OBJECT}`,
    ],
  ],
])('names each invalid line (%s) with its number and imports nothing, or the rest', async (_format, text, invalid) => {
  expect(await importText(text)).toEqual(
    refusal(
      `Nothing was imported: ${invalid.join('; ')}. An id is a decimal integer between ${MIN} and ${MAX}, such as 12. Correct the input, or import the rest with --skip-invalid.`,
    ),
  );
  expect(await importText(text, true)).toEqual({
    result: { imported: 2, present: 0, invalid: invalid.length },
    problem: undefined,
    skipped: invalid.map((line) => `skipped: ${line}`),
    plants: [1n, 2n],
  });
});

const NO_FIELD = 'Each line needs a field id, such as {"id":12}.';
test.each([
  ['{"x":1}\n', 'line 1 has no field id', NO_FIELD],
  ['{"x":1}\n{"id":1}\n\n{}\n{"ID":2}\n', 'line 1 and 2 more have no field id', NO_FIELD],
  ['{"id":1}\n{"id":"x"}\n{"x":1}\n', 'line 2 is "{\\"id\\":\\"x\\"}"; line 3 has no field id', `${NO_FIELD} An id is`],
])('names the field that JSON lines lack, once for all of them', async (text, problem, advice) => {
  const { problem: refused } = await importText(text);
  expect(refused).toMatch(/Correct the input, or import the rest with --skip-invalid\.$/);
  expect(refused).toContain(`Nothing was imported: ${problem}. ${advice}`);
  const skipped = problem.split('; ').map((problemPart) => `skipped: ${problemPart}`);
  expect(await importText(text, true)).toMatchObject({ problem: undefined, skipped });
});

const MANY = [...Array.from({ length: 30_000 }, (_, index) => String(index)), '1e3'];
test.each([
  ['one id per line', MANY],
  ['CSV', ['id', ...MANY]],
  ['JSON lines', MANY.map((id) => `{"id":${id}}`)],
])('one invalid line (%s) far behind is noticed before anything is imported', async (_format, lines) => {
  const expected = `Nothing was imported: line ${lines.length} is ${JSON.stringify(lines.at(-1))}. An id is`;
  expect(await importText(`${lines.join('\n')}\n`)).toEqual(refusal(expect.stringContaining(expected)));
});

test('names the first 20 of many invalid lines and counts the others', async () => {
  const { problem = '' } = await importText('1\n'.repeat(2) + 'x\n'.repeat(1_000));
  expect(problem.match(/line \d+ is "x"/g)).toHaveLength(20);
  expect(problem).toContain('line 22 is "x"; and 980 more. An id is');
});

const ARRAY = 'this is a JSON array';
const BINARY = 'this is not text in UTF-8';
const SEPARATED = 'the columns stand between semicolons or tabs';
test.each([
  ['[1, 2]\n', ARRAY],
  ['\n [\n{"id":1}\n]', ARRAY],
  ['id;name\n1;a\n', SEPARATED],
  ['"name";"id"\n"a";1\n', SEPARATED],
  ['id\tname\n1\ta\n', SEPARATED],
  ['name,number\na,1\n', 'the CSV header has no column id: name,number'],
  ['id,name,id\n1,a,2\n', 'the CSV header has two columns id: id,name,id'],
  ['id,name\n1,"open\n2,b\n', 'the CSV cannot be read: Quote Not Closed'],
  ['1\n' + '\0'.repeat(2_000_000), 'line 2 is too long'],
  [Buffer.from('\uFEFF12\n13\n', 'utf16le'), BINARY],
  [Buffer.from('\uFEFFid,name\r\n1,a\r\n', 'utf16le').swap16(), BINARY],
  [gzipSync('12\n13\n').subarray(0, 20), BINARY],
])('refuses a file that is no list of ids, although it may skip lines, and imports nothing', async (text, problem) => {
  expect(await importText(text, true)).toEqual(refusal(expect.stringContaining(`Nothing was imported: ${problem}`)));
});

test('in a store of several parts, each transaction adds to one part, and all plants are there', async () => {
  const stores = await openStores({ kind: 'sqlite', file: join(folder, 'plants.db') });
  const ids = Array.from({ length: 30_000 }, (_, index) => BigInt(index - 15_000));
  const file = join(folder, 'ids');
  await writeFile(file, ids.join('\n'));
  const partOf = (id: bigint): number => Number(BigInt.asUintN(2, id));
  const parts: (readonly number[])[] = [];
  const plants = {
    ...stores.plants,
    insertPlants: (batch: readonly bigint[]): Promise<number> => {
      parts.push([...new Set(batch.map(partOf))]);
      return stores.plants.insertPlants(batch);
    },
  };
  const options = { skipInvalid: false, report: () => undefined, terminal: undefined };
  const imported = await importPlants(() => Promise.resolve({ plants, partOf }), file, options);
  expect(imported).toEqual({ imported: ids.length, present: 0, invalid: 0 });
  expect(parts).toEqual([[0], [1], [2], [3]]);
  expect(await plantsIn(stores)).toEqual(ids);
  await stores.close();
});

test('an import that the database ends on the way says how many ids it has imported, and can be repeated', async () => {
  await importText('1\n');
  const database = new SqliteConnection(join(folder, 'plants.db'));
  database.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON plants WHEN NEW.id = 9000 BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  const ids = Array.from({ length: 20_000 }, (_, index) => BigInt(index));
  const stores = await openStores({ kind: 'sqlite', file: join(folder, 'plants.db') });
  await writeFile(join(folder, 'ids'), ids.join('\n'));
  const said: string[] = [];
  const options = { skipInvalid: false, report: (line: string) => said.push(line), terminal: undefined };
  const run = (): Promise<Imported> => importPlants(() => Promise.resolve(stores), join(folder, 'ids'), options);
  await expect(run()).rejects.toThrow();
  expect(said).toEqual([expect.stringContaining('8000 of 20000 ids')]);
  expect(await plantsIn(stores)).toEqual(ids.slice(0, 8_000));
  database.exec('DROP TRIGGER refuse');
  database.close();
  expect(await run()).toEqual({ imported: 12_000, present: 8_000, invalid: 0 });
  expect(await plantsIn(stores)).toEqual(ids);
  await stores.close();
});

const BAR = /^\rimporting {2}█{8}░{22} 25 %.*\rimporting {2}█{30} 100 %\n$/;
test.each<[what: string, total: number | undefined, steps: number[], text: RegExp]>([
  ['is a bar that is redrawn in its line, full at the end', 200, [50, 150], BAR],
  ['of an input of unknown length is a growing count', undefined, [50, 150], /^\rimporting +50.*\rimporting +200\n$/],
  ['of nothing is complete', 0, [], /100 %\n$/],
])('progress on a terminal %s', async (_what, total, steps, text) => {
  const terminal = new PassThrough();
  const progress = showProgress(terminal, 'importing', total);
  for (const step of steps) progress.advance(step);
  progress.end();
  terminal.end();
  expect((await terminal.setEncoding('utf8').toArray()).join('')).toMatch(text);
});
