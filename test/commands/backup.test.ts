import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { hashToken } from '../../src/auth/tokens/token.ts';
import { openStores } from '../../src/stores/open.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { deletePlantAt, expectRefused, workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

const PLANTS = ['-1', '9007199254740992', '9007199254740993', '9007199254740994'];

/** Makes a database with plants and a token. @returns the token. */
async function stock(): Promise<string> {
  await place.call(['plants', 'add', ...PLANTS]);
  return (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
}

async function exported(): Promise<string[]> {
  const { code, stdout } = await place.call(['plants', 'export']);
  expect(code).toBe(0);
  return stdout.split('\n').slice(0, -1);
}

async function importMany(count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, (_, index) => index);
  expect(await place.call(['plants', 'import', '-'], { input: ids.join('\n') })).toMatchObject({ code: 0 });
  return ids;
}

describe('backup', () => {
  test('back up, delete, restore: the plant is back, its neighbours live and the token is valid', async () => {
    const token = await stock();
    const server = await place.serve();
    const stdout = expect.stringContaining(`${place.folder}/data/plants.db to copy.db.`);
    expect(await place.call(['backup', 'copy.db'])).toEqual({ code: 0, stdout, stderr: '' });
    expect(await deletePlantAt(server.url, token, 9007199254740993n)).toMatchObject({ status: 204 });
    expect(await server.stop()).toBe(0);
    expect(await exported()).toEqual(PLANTS.filter((id) => id !== '9007199254740993'));
    // As docs/operations.md has it.
    const restore =
      'rm -f data/plants.db-wal data/plants.db-shm && cp copy.db data/plants.db && chmod 600 data/plants.db';
    expect(await place.shell(restore)).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(PLANTS);
    const { tokens, close } = await openStores({ kind: 'sqlite', file: join(place.folder, 'data/plants.db') });
    expect(await tokens.findToken(hashToken(token))).toMatchObject({ name: 'shop', revokedAt: null });
    await close();
  });

  test('makes one file that this user alone can read, whatever the umask', async () => {
    await stock();
    expect(await place.shell('umask 0; node "$CLI" backup copy.db && stat -c %a copy.db && ls')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\n600\ncopy\.db\ndata\n$/),
    });
  });

  test.each([
    ['copy.db', 'copy.db', /^There is a file copy\.db already, which is left as it is: name a new one\.\n$/],
    ['copy.db.partial', 'copy.db', /^There is a file \S+copy\.db\.partial already, which is left as it is/],
    ['other', 'missing/copy.db', /^The backup missing\/copy\.db cannot be written: ENOENT[^\n]+\n$/],
  ])('beside a file %s is refused as %s in one line, and changes nothing', async (name, copy, stderr) => {
    await stock();
    await place.write(name, 'mine');
    const refused = { code: 1, stdout: '', stderr: expect.stringMatching(stderr) };
    expect(await place.call(['backup', copy])).toEqual(refused);
    expect(String(await place.read(name))).toBe('mine');
    expect(await place.call(['backup', 'data/plants.db'])).toMatchObject({ code: 1, stdout: '' });
    expect((await place.shell('ls')).stdout.split('\n').sort()).toEqual(['', 'data', name].sort());
    expect(await exported()).toEqual(PLANTS);
  });

  test('that is killed leaves no file under its name, which a restore would take for an empty store', async () => {
    await importMany(400_000);
    const killed =
      'node "$CLI" backup copy.db & while ! test -e copy.db -o -e copy.db.partial; do :; done; kill -9 $!; wait $!; ls';
    expect(await place.shell(killed)).toMatchObject({ stdout: expect.stringMatching(/^copy\.db\.partial\n/) });
    expect(await place.call(['plants', 'count'])).toMatchObject({ stdout: '400000\n' });
  });

  test('has the plants of one moment while a server deletes', async () => {
    const ids = await importMany(20_000);
    const token = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
    const server = await place.serve({ LOG_LEVEL: 'warn', NODE_ENV: 'development' });
    const ended = new AbortController();
    const backup = place.run(['backup', 'copy.db']).finally(() => {
      ended.abort();
    });
    const deleted: number[] = [];
    while (!ended.signal.aborted && deleted.length < ids.length) {
      const next = deleted.length;
      expect(await deletePlantAt(server.url, token, BigInt(next))).toMatchObject({ status: 204 });
      deleted.push(next);
    }
    expect(await backup).toMatchObject({ code: 0, stderr: '' });
    expect(await server.stop()).toBe(0);
    const copy = new SqliteConnection(join(place.folder, 'copy.db'));
    const rows = copy.prepare<[], number>('SELECT id FROM plants ORDER BY id').pluck().all();
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    copy.close();
    // Deletes came one after the other: all from some id on are there, and none before it.
    expect(rows).toEqual(ids.slice(ids.length - rows.length));
    expect(rows.length).toBeGreaterThanOrEqual(ids.length - deleted.length);
  });

  test('is refused for the file of another program, which is left as it is', async () => {
    const otherConnection = new SqliteConnection(join(place.folder, 'other.db'));
    otherConnection.exec('CREATE TABLE t (x)');
    otherConnection.close();
    const stderr = expect.stringMatching(/^The database \S+ belongs to another program\. /);
    const env = { DATABASE_URL: 'sqlite:other.db' };
    expect(await place.call(['backup', 'copy.db'], { env })).toMatchObject({ code: 1, stderr });
    expect(await place.shell('ls')).toMatchObject({ stdout: 'other.db\n' });
  });

  // The positions in its header: https://sqlite.org/fileformat.html.
  test.each<[what: string, damage: (content: Buffer) => void, found: RegExp]>([
    ['whose last pages are overwritten', (content) => content.fill(0xff, content.length - 2_048), /Tree \d+ page \d+/],
    ['whose header counts fewer pages', (content) => content.writeUInt32BE(5, 28), /disk image is malformed/],
    ['whose header names an unknown format', (content) => content.writeUInt32BE(9, 44), /unsupported file format/],
  ])('of a damaged database, %s, fails, leaves no file and says what to do', async (_what, damage, found) => {
    await importMany(5_000);
    const content = await place.read('data/plants.db');
    damage(content);
    await place.write('data/plants.db', content);
    const { code, stdout, stderr } = await place.call(['backup', 'copy.db']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Nothing was backed up: the database is damaged: [A-Za-z][^\n]+\n$/);
    expect(stderr).toMatch(found);
    expect(stderr).toContain('. Stop the service and restore a backup: plant-store restore <file>.\n');
    expect(await place.shell('ls')).toMatchObject({ stdout: 'data\n' });
  });

  test('of PostgreSQL makes nothing and names the command that does, without the password', async () => {
    const env = { DATABASE_URL: 'postgres://plants:secret@db/plants?sslmode=require&password=secret' };
    const refused = await place.call(['backup', "it's.dump"], { env });
    const command = String.raw`pg_dump --format=custom --file='it'\''s.dump' 'postgres://plants@db/plants?sslmode=require'`;
    expectRefused(refused, 1, 'PGPASSWORD', `: ${command}\n`);
    expect(refused.stderr).not.toContain('secret');
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });
});
