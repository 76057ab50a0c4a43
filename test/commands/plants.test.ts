import { describe, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { callProgram } from 'test-support/call-program.ts';
import { workplaceOfEachTest, type Outcome } from '../support/cli.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { whileLocked } from '../support/write-lock.ts';

const MIN = '-9223372036854775808';
const MAX = '9223372036854775807';
/** Ids that go wrong wherever a double or a 32-bit integer is on the way, in ascending order. */
const IDS = [MIN, '-9007199254740993', '-1', '0', '2147483648', '9007199254740993', MAX];

const place = workplaceOfEachTest();

const plants = (...args: string[]): Promise<Outcome> => place.call(['plants', ...args]);

function importText(text: string, ...options: string[]): Promise<Outcome> {
  return place.call(['plants', 'import', '-', ...options], { input: text });
}

async function exported(): Promise<string[]> {
  const { code, stdout, stderr } = await plants('export');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

function summary(imported: number, present = 0, skipped = 0): string {
  return `Imported: ${imported}. There already or repeated: ${present}. Invalid lines skipped: ${skipped}.\n`;
}

// test/import/import-plants.test.ts has the formats, and what is wrong in them.
describe('plants import', () => {
  test('reads a file by its name, and counts ids that are there already or come twice', async () => {
    await place.write('ids.txt', '3\n1\n3\n2\n');
    expect(await plants('import', 'ids.txt')).toEqual({ code: 0, stdout: summary(3, 1), stderr: '' });
    expect(await plants('import', 'ids.txt')).toEqual({ code: 0, stdout: summary(0, 4), stderr: '' });
    expect(await plants('count')).toEqual({ code: 0, stdout: '3\n', stderr: '' });
    expect(await exported()).toEqual(['1', '2', '3']);
  });

  test('with an invalid line imports nothing, or the rest with --skip-invalid, and counts what it skipped', async () => {
    const refusal = expect.stringMatching(
      /^Nothing was imported: line 2 is "007" \(write it without leading zeros\)\. [^\n]+\n$/,
    );
    expect(await importText('1\n007\n2\n')).toEqual({ code: 1, stdout: '', stderr: refusal });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
    const skipped = {
      code: 0,
      stdout: summary(2, 0, 1),
      stderr: 'skipped: line 2 is "007" (write it without leading zeros)\n',
    };
    expect(await importText('1\n007\n2\n', '--skip-invalid')).toEqual(skipped);
    expect(await exported()).toEqual(['1', '2']);
  });

  const UNPRINTABLE = '\u001b[2J\u009b31m\u007f\u202e\u2028\ufeff\u{e0001}';
  const ESCAPED = '\\u001b[2J\\u009b31m\\u007f\\u202e\\u2028\\ufeff\\u{e0001}';
  test.each([
    ['one id per line', `1\n${UNPRINTABLE}\n`, `line 2 is "${ESCAPED}"`],
    ['the header of CSV', `na${UNPRINTABLE}me,x\n`, `the CSV header has no column id: na${ESCAPED}me,x`],
    ['a field that no CSV has', `id,x\n${UNPRINTABLE}"a",1\n`, ESCAPED],
  ])('escapes what would steer a terminal in %s', async (_place, text, shown) => {
    const refused = await importText(text);
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(shown) });
    const { stderr } = await importText(text, '--skip-invalid');
    for (const printed of [refused.stderr, stderr]) expect(printed).toMatch(/^([^\p{C}\p{Zl}\p{Zp}]|\n)*$/u);
  });

  const LENGTH = 10_000_000;
  const LINE = /^Nothing was imported: line [12] is too long for a list of ids\.\n$/;
  const RECORD = /^Nothing was imported: the CSV cannot be read: Max Record Size: [^\n]{1,200}\n$/;
  test.each([
    ['blank lines', `yes '' | head -c 3000000`, 0, /^$/],
    ['one endless line', `yes 1 | tr -d '\\n' | head -c ${LENGTH}`, 1, LINE],
    ['a CSV header without end', `printf id; yes ,a | tr -d '\\n' | head -c ${LENGTH}`, 1, LINE],
    ['a CSV header without end, over lines', `printf 'id,"'; yes | head -c ${LENGTH}`, 1, RECORD],
    ['a quoted field of CSV without end', `printf 'id,x\\n1,"'; yes '' | head -c ${LENGTH}`, 1, RECORD],
    ['a value of JSON without end', `printf '{"id":'; yes [ | tr -d '\\n' | head -c ${LENGTH}`, 1, LINE],
    [
      'long invalid rows of CSV',
      `printf 'id,x\\n'; head -c 40000000 /dev/zero | tr '\\0' y | fold -w 800000`,
      1,
      /line 2 is "y{40}" \(not as many columns as the header\); line 3/,
    ],
  ])('takes little memory for %s', async (_input, input, code, stderr) => {
    const heap = 'NODE_OPTIONS=--max-old-space-size=40';
    expect(await place.shell(`{ ${input}; } 2>/dev/null | ${heap} node "$CLI" plants import -`)).toEqual({
      code,
      stdout: code === 0 ? summary(0) : '',
      stderr: expect.stringMatching(stderr),
    });
  });

  test.each([
    ['missing.txt', 'The file missing.txt cannot be read: ENOENT'],
    ['.', 'The file . cannot be read: EISDIR'],
  ])('says in one line that %s cannot be read', async (file, problem) => {
    const line = expect.stringMatching(new RegExp(`^${problem}[^\\n]*\\n$`));
    expect(await plants('import', file)).toEqual({ code: 1, stdout: '', stderr: line });
  });

  test('says in one line that there is no room for temporary files, and leaves none behind', async () => {
    const run = (TMPDIR: string, input: string): Promise<Outcome> =>
      place.run(['plants', 'import', '-'], { env: { TMPDIR }, input });
    const stderr = expect.stringMatching(/^The import needs room in \/dev\/null: ENOTDIR[^\n]+ TMPDIR\.\n$/);
    expect(await run('/dev/null', '1\n')).toEqual({ code: 1, stdout: '', stderr });
    await place.shell('mkdir tmp');
    for (const input of ['1\n', 'x\n']) await run(`${place.folder}/tmp`, input);
    expect(await place.shell('ls -A tmp')).toMatchObject({ stdout: '' });
  });
});

test.each(['plants count', 'tokens revoke shop', 'backup copy.db'])(
  '%s without a database says in one line what to do, makes none and exits with 1',
  async (command) => {
    expect(await place.call(command.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no database file \S+\/data\/plants\.db\. [^\n]*DATABASE_URL[^\n]*\n$/),
    });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  },
);

test.each(['plants count', 'backup copy.db'])(
  '%s says of an empty file that it holds no database, and leaves it empty: its content is lost',
  async (command) => {
    await place.shell('mkdir data && : > data/plants.db');
    expect(await place.call(command.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no database in the empty file \S+\/data\/plants\.db\. [^\n]*\n$/),
    });
    expect(await place.shell('ls; find data -empty')).toMatchObject({ stdout: 'data\ndata/plants.db\n' });
  },
);

test('plants add adds each id once, exactly, and keeps those that are there', async () => {
  const added = { code: 0, stdout: 'Added: 7. There already: 0.\n', stderr: '' };
  expect(await plants('add', ...IDS, '0')).toEqual(added);
  expect(await plants('add', '0', '5')).toEqual({ ...added, stdout: 'Added: 1. There already: 1.\n' });
  expect(await exported()).toEqual(IDS.toSpliced(4, 0, '5'));
});

test('plants has exits with 0 for a plant that is there, 1 for its neighbours, and 2 on failure', async () => {
  const problem = expect.stringMatching(/^There is no database/);
  expect(await plants('has', '1')).toEqual({ code: 2, stdout: '', stderr: problem });
  await importText('9007199254740993\n');
  const there = { code: 0, stdout: 'The plant 9007199254740993 is there.\n', stderr: '' };
  expect(await plants('has', '9007199254740993')).toEqual(there);
  for (const id of ['9007199254740992', '9007199254740994']) {
    expect(await plants('has', id)).toEqual({ code: 1, stdout: `There is no plant with the id ${id}.\n`, stderr: '' });
  }
});

test('plants list prints a page of ids from --from on, and the command for the next page', async () => {
  await importText(IDS.join('\n'));
  const pages: string[] = [];
  for (let next: string[] | undefined = ['--limit', '3']; next !== undefined;) {
    const { code, stdout, stderr } = await plants('list', ...next);
    expect(code).toBe(0);
    pages.push(stdout);
    next = /^There are more: plant-store plants list (.*)\n$/.exec(stderr)?.[1]?.split(' ');
    if (next === undefined) expect(stderr).toBe('');
  }
  expect(pages).toEqual([IDS.slice(0, 3), IDS.slice(3, 6), IDS.slice(6)].map((ids) => `${ids.join('\n')}\n`));
  // A page has 20 ids by default.
  await importText(Array.from({ length: 30 }, (_, index) => index).join('\n'));
  const page = Array.from({ length: 20 }, (_, index) => `${index + 5}\n`).join('');
  expect(await plants('list', '--from', '5')).toMatchObject({ code: 0, stdout: page });
});

test('plants list prints nothing from behind the last plant on', async () => {
  await importText('-8\n');
  expect(await plants('list', '--from', '-7')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('a command of a new version that updates the schema says so on standard error, once', async () => {
  expect(await plants('add', '1')).toMatchObject({ code: 0, stderr: '' });
  const copy = await scratchCopy();
  const migration = "[() => 'ALTER TABLE plants ADD COLUMN name text']";
  await copy.edit('src/stores/migrations.ts', '=> string)[] = []', `=> string)[] = ${migration}`);
  const { folder } = place;
  const newer = (...args: string[]): Promise<Outcome> =>
    callProgram(pathToFileURL(join(copy.folder, 'src/cli.ts')), args, { folder });
  try {
    const stderr = expect.stringContaining(`${folder}/data/plants.db was updated from version 1 to 2`);
    expect(await newer('plants', 'count')).toEqual({ code: 0, stdout: '1\n', stderr });
    expect(await newer('tokens', 'list', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  } finally {
    await rm(copy.folder, { recursive: true });
  }
});

/** Distinct unordered ids over all of int64: an odd factor permutes the 2^64 integers. */
function scattered(count: number): BigInt64Array {
  return BigInt64Array.from({ length: count }, (_, index) => BigInt.asIntN(64, BigInt(index) * 0x9e3779b97f4a7c15n));
}

// test/import/import-plants.test.ts has long files of the other formats.
test('many plants are exported as they were imported, ascending, also to a reader that closes the pipe', async () => {
  const ids = scattered(50_000);
  await place.write('ids', `${ids.join('\n')}\n`);
  expect(await place.run(['plants', 'import', 'ids'])).toEqual({ code: 0, stdout: summary(ids.length), stderr: '' });
  const sorted = ids.sort();
  // toEqual() on both would print a difference of megabytes.
  expect((await exported()).join() === sorted.join()).toBe(true);
  const first = { code: 0, stdout: `${sorted.at(0)}\n`, stderr: 'code 0\n' };
  expect(await place.shell('{ node "$CLI" plants export; echo "code $?" >&2; } | head -n 1')).toEqual(first);
});

test('a command that another process keeps from writing says so in one line', async () => {
  await place.call(['plants', 'add', '1']);
  const file = join(place.folder, 'data', 'plants.db');
  expect(await whileLocked(file, () => place.call(['plants', 'add', '2']))).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^SQLite: database is locked \(SQLITE_BUSY\)\. [^\n]+\n$/),
  });
  expect(await place.call(['plants', 'count'])).toMatchObject({ stdout: '1\n' });
});
