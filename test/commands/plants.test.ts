import { describe, expect, test } from '@jest/globals';
import { workplaceOfEachTest, type Workplace } from '../support/cli.ts';

const MIN = '-9223372036854775808';
const MAX = '9223372036854775807';
/** Ids that go wrong wherever a double or a 32-bit integer is on the way, in ascending order. */
const IDS = [MIN, '-9007199254740993', '-1', '0', '2147483648', '9007199254740993', MAX];

const place = workplaceOfEachTest();

/** Imports a text, through a file or standard input. */
async function importText(text: string, ...options: string[]): ReturnType<Workplace['run']> {
  return place.run(['plants', 'import', '-', ...options], { input: text });
}

async function exported(): Promise<string[]> {
  const { code, stdout, stderr } = await place.run(['plants', 'export']);
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
    const run = (): ReturnType<Workplace['run']> => place.run(['plants', 'import', 'ids.txt']);
    expect(await run()).toEqual({ code: 0, stdout: summary(3, 1), stderr: '' });
    expect(await run()).toEqual({ code: 0, stdout: summary(0, 4), stderr: '' });
    expect(await exported()).toEqual(['1', '2', '3']);
  });

  test('with an invalid line imports nothing, or the rest with --skip-invalid, and counts what it skipped', async () => {
    expect(await importText('1\n007\n2\n')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Nothing was imported: line 2 is "007"\. [^\n]+\n$/),
    });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
    expect(await importText('1\n007\n2\n', '--skip-invalid')).toEqual({
      code: 0,
      stdout: summary(2, 0, 1),
      stderr: 'skipped line 2 is "007"\n',
    });
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
      `printf 'id,x\\n'; for i in $(seq 60); do head -c 800000 /dev/zero | tr '\\0' y; echo; done`,
      1,
      /line 2 is "y{40}"; line 3/,
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
    const { code, stdout, stderr } = await place.run(['plants', 'import', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toContain(problem);
  });

  test('says in one line that there is no room for temporary files', async () => {
    const { code, stderr } = await place.run(['plants', 'import', '-'], { env: { TMPDIR: '/dev/null' }, input: '1\n' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The import needs room in \/dev\/null: ENOTDIR[^\n]+ TMPDIR\.\n$/);
  });

  test('leaves no temporary files behind', async () => {
    await place.shell('mkdir tmp');
    const env = { TMPDIR: `${place.folder}/tmp` };
    for (const input of ['1\n', 'x\n']) {
      await place.run(['plants', 'import', '-'], { env, input });
    }
    expect(await place.shell('ls -A tmp')).toMatchObject({ stdout: '' });
  });
});

test.each(['plants count', 'tokens revoke shop', 'backup copy.db'])(
  '%s without a database says in one line what to do, makes none and exits with 1',
  async (command) => {
    expect(await place.run(command.split(' '))).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database file ${place.folder}/data/plants.db. Name another in DATABASE_URL; plant-store serve or migrate creates it.\n`,
    });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  },
);

test('plants count prints how many there are', async () => {
  await place.run(['migrate']);
  expect(await place.run(['plants', 'count'])).toEqual({ code: 0, stdout: '0\n', stderr: '' });
  await importText(IDS.join('\n'));
  expect(await place.run(['plants', 'count'])).toEqual({ code: 0, stdout: '7\n', stderr: '' });
});

test('plants add adds each id once, exactly, and keeps those that are there', async () => {
  const add = (...ids: string[]): ReturnType<Workplace['run']> => place.run(['plants', 'add', ...ids]);
  expect(await add(...IDS, '0')).toEqual({ code: 0, stdout: 'Added: 7. There already: 0.\n', stderr: '' });
  expect(await add('0', '5')).toEqual({ code: 0, stdout: 'Added: 1. There already: 1.\n', stderr: '' });
  expect(await exported()).toEqual(IDS.toSpliced(4, 0, '5'));
});

describe('plants has', () => {
  const has = (id: string): ReturnType<Workplace['run']> => place.run(['plants', 'has', id]);

  test('exits with 0 for a plant that is there and with 1 for its neighbours', async () => {
    await importText('9007199254740993\n');
    const there = { code: 0, stdout: 'The plant 9007199254740993 is there.\n', stderr: '' };
    expect(await has('9007199254740993')).toEqual(there);
    for (const id of ['9007199254740992', '9007199254740994']) {
      expect(await has(id)).toEqual({ code: 1, stdout: `There is no plant with the id ${id}.\n`, stderr: '' });
    }
  });

  test('exits with 2 on failure, so that a script can tell it from an absent plant', async () => {
    expect(await has('1')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^There is no database/),
    });
  });
});

describe('plants list', () => {
  const list = (...options: string[]): ReturnType<Workplace['run']> => place.run(['plants', 'list', ...options]);

  test('prints a page of ids and the command for the next page', async () => {
    await importText(IDS.join('\n'));
    const pages: string[] = [];
    let next: string[] = ['--limit', '3'];
    for (;;) {
      const { code, stdout, stderr } = await list(...next);
      expect(code).toBe(0);
      pages.push(stdout);
      if (stderr === '') break;
      next = /^There are more: plant-store plants list (.*)\n$/.exec(stderr)?.[1]?.split(' ') ?? [];
    }
    expect(pages).toEqual([IDS.slice(0, 3), IDS.slice(3, 6), IDS.slice(6)].map((ids) => `${ids.join('\n')}\n`));
  });

  test('begins at --from and has 20 ids by default', async () => {
    await importText(Array.from({ length: 30 }, (_, index) => index).join('\n'));
    const expected = Array.from({ length: 20 }, (_, index) => `${index + 5}\n`).join('');
    expect(await list('--from', '5')).toMatchObject({ code: 0, stdout: expected });
    expect(await list('--from', '-7', '--limit', '1')).toMatchObject({ code: 0, stdout: '0\n' });
    expect(await list('--from', '30')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
