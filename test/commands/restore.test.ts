import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { deletePlantAt, expectRefused, workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** Makes a backup with the plants 1 and 2; then the database has 2 and 3. @returns a token. */
async function backUpAndChange(): Promise<string> {
  await place.call(['plants', 'add', '1', '2']);
  const token = (await place.call(['tokens', 'create', 'shop'])).stdout.trim();
  expect(await place.call(['backup', 'copy.db'])).toMatchObject({ code: 0 });
  const file = new SqliteConnection(databaseFile());
  file.exec('DELETE FROM plants WHERE id = 1; INSERT INTO plants VALUES (3)').close();
  return token;
}

function databaseFile(): string {
  return join(place.folder, 'data/plants.db');
}

async function exported(file = 'data/plants.db'): Promise<string[]> {
  const { stdout } = await place.call(['plants', 'export'], { env: { DATABASE_URL: `sqlite:${file}` } });
  return stdout.split('\n').slice(0, -1);
}

async function names(): Promise<string[]> {
  return (await place.shell('ls -A . data')).stdout
    .split('\n')
    .filter((name) => name !== '')
    .sort();
}

/** The line of a restore with a database before it, and the name of that one. */
const RESTORED = /^[^\n]*copy\.db [^\n]+\/plants\.db\. [^\n]+\/(data\/plants\.db\.replaced-\w+)\.\n$/;

/** Restores a backup. @returns the name of the database before it. */
async function restored(): Promise<string> {
  const { code, stdout, stderr } = await place.call(['restore', 'copy.db']);
  expect([code, stderr]).toEqual([0, '']);
  const [, kept = ''] = RESTORED.exec(stdout) ?? [];
  return kept;
}

/** Tries to restore a file, which must be refused with this reason and change nothing. */
async function expectRefusal(file: string, reason: RegExp | string): Promise<void> {
  const before = { names: await names(), plants: await exported() };
  expect(await place.call(['restore', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^[^\n]+\n$/),
  });
  expect((await place.call(['restore', file])).stderr).toMatch(reason);
  expect({ names: await names(), plants: await exported() }).toEqual(before);
}

describe('restore', () => {
  test('brings back the plants and tokens of a backup, which stays, and keeps the database before it', async () => {
    const token = await backUpAndChange();
    const kept = await restored();
    expect(await exported()).toEqual(['1', '2']);
    expect(await exported(kept)).toEqual(['2', '3']);
    expect(await exported('copy.db')).toEqual(['1', '2']);
    const server = await place.serve();
    expect(await deletePlantAt(server.url, token, 1n)).toMatchObject({ status: 204 });
    expect(await server.stop()).toBe(0);
  });

  test('makes files that this user alone can read, whatever the umask', async () => {
    await backUpAndChange();
    const { stdout } = await place.shell('chmod 644 copy.db; umask 0; node "$CLI" restore copy.db; stat -c %a data/*');
    expect(stdout).toMatch(/\n600\n600\n$/);
  });

  test('is refused while a service runs, which goes on, and done after it has stopped', async () => {
    const token = await backUpAndChange();
    const server = await place.serve();
    await expectRefusal(
      'copy.db',
      /^Nothing was restored: a process has the database \S+ open\. Stop the service\.\n$/,
    );
    expect(await deletePlantAt(server.url, token, 3n)).toMatchObject({ status: 204 });
    expect(await server.stop()).toBe(0);
    expect(await exported(await restored())).toEqual(['2']);
    expect(await exported()).toEqual(['1', '2']);
  });

  test('keeps all that a killed service has acknowledged', async () => {
    const token = await backUpAndChange();
    const server = await place.serve();
    expect(await deletePlantAt(server.url, token, 2n)).toMatchObject({ status: 204 });
    server.kill('SIGKILL');
    await server.ended;
    expect(await exported(await restored())).toEqual(['3']);
    expect(await exported()).toEqual(['1', '2']);
  });

  test.each<[what: string, make: string, reason: RegExp]>([
    ['a missing file', 'true', /^The backup other cannot be read: ENOENT/],
    ['a folder', 'mkdir other', /^Nothing was restored: other is not a backup: plant-store backup writes SQLite files/],
    ['an empty file', ': > other', /other is not a backup/],
    ['a text', 'seq 1000 > other', /other is not a backup/],
    ['the database itself', 'ln -s data/plants.db other', /other is not a backup: it is the database itself\.\n$/],
    ['a hard link to it', 'ln data/plants.db other', /it is the database itself/],
    ['half a backup', 'head -c 2048 copy.db > other', /other is not a backup: it is damaged: /],
    [
      'a database with a WAL',
      'cp copy.db other; echo x > other-wal',
      /other is not a backup: it has a write-ahead log/,
    ],
  ])('refuses %s, and changes nothing', async (_what, make, reason) => {
    await backUpAndChange();
    await place.shell(make);
    await expectRefusal('other', reason);
  });

  test.each([
    ['of another program', 'PRAGMA application_id = 1', /other\.db is not a backup: it is not a database of the plant/],
    [
      'of a newer version',
      'PRAGMA user_version = 99',
      /^The database other\.db has schema version 99, .*: run a newer/,
    ],
  ])('refuses a database %s, and changes nothing', async (_what, statement, reason) => {
    await backUpAndChange();
    await place.shell('cp copy.db other.db');
    new SqliteConnection(join(place.folder, 'other.db')).exec(statement).close();
    await expectRefusal('other.db', reason);
  });

  test('refuses to replace the database of another program', async () => {
    await backUpAndChange();
    new SqliteConnection(databaseFile()).exec('PRAGMA application_id = 1').close();
    await expectRefusal('copy.db', /^The database \S+ belongs to another program\. /);
  });

  test.each<[what: string, damage: (content: Buffer) => void]>([
    ['whose last pages are overwritten', (content) => content.fill(0xff, content.length - 2_048)],
    ['whose header is overwritten', (content) => content.fill(0xff, 0, 100)],
    ['whose header counts more pages', (content) => content.writeUInt32BE(99_999, 28)],
  ])('replaces a damaged database, %s, and keeps its bytes', async (_what, damage) => {
    await backUpAndChange();
    const content = await place.read('data/plants.db');
    damage(content);
    await place.write('data/plants.db', content);
    const kept = await restored();
    expect(await exported()).toEqual(['1', '2']);
    // SQLite notes in the header that the file has no WAL.
    expect((await place.read(kept)).subarray(100)).toEqual(content.subarray(100));
  });

  test('makes a lost database, and leaves what a WAL without one had', async () => {
    await backUpAndChange();
    await place.shell('rm data/plants.db; echo commits > data/plants.db-wal');
    expect(await place.call(['restore', 'copy.db'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`^[^\\n]+ ${databaseFile()}\\.\\n$`)),
      stderr: '',
    });
    expect(await exported()).toEqual(['1', '2']);
    expect(await place.shell('cat data/plants.db.replaced-*-wal')).toMatchObject({ stdout: 'commits\n' });
    await place.shell('rm -r data');
    expect(await place.call(['restore', 'copy.db'])).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(['1', '2']);
  });

  test('is refused where a service may use a database that is lost, until its traces are removed', async () => {
    const token = await backUpAndChange();
    const server = await place.serve();
    await place.shell('rm data/plants.db');
    expect(await deletePlantAt(server.url, token, 3n)).toMatchObject({ status: 503 });
    const before = await names();
    expect(await place.call(['restore', 'copy.db'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Nothing was restored: \S+-shm shows that a service uses the database, or was kill/,
      ),
    });
    expect(await names()).toEqual(before);
    server.kill('SIGKILL');
    await server.ended;
    await place.shell('rm data/plants.db-shm');
    expect(await place.call(['restore', 'copy.db'])).toMatchObject({ code: 0 });
    expect(await exported()).toEqual(['1', '2']);
  });

  test('a service that starts meanwhile never uses the database that was replaced', async () => {
    await backUpAndChange();
    const file = databaseFile();
    const held = new SqliteConnection(file);
    held.pragma('journal_mode = DELETE');
    held.exec('BEGIN EXCLUSIVE');
    const counting = place.run(['plants', 'count']);
    // Until it has opened the file and waits for the lock.
    await place.shell(
      `until find /proc/[0-9]*/fd -lname "${file}" 2>/dev/null | grep -qv "^/proc/${process.pid}/"; do sleep 0.05; done`,
    );
    await place.shell('mv copy.db data/plants.db');
    held.close();
    expect(await counting).toEqual({
      code: 1,
      stdout: '',
      stderr: `The database ${file} cannot be opened: it was replaced meanwhile. Start again.\n`,
    });
    expect(await names()).toEqual(['.:', 'data', 'data:', 'plants.db']);
    expect(await exported()).toEqual(['1', '2']);
  });

  test('that is killed leaves the database as it was, and says so at the next one', async () => {
    const ids = Array.from({ length: 400_000 }, (_, index) => index).join('\n');
    expect(await place.call(['plants', 'import', '-'], { input: ids })).toMatchObject({ code: 0 });
    await place.call(['backup', 'copy.db']);
    await place.call(['plants', 'add', '-1']);
    const killed =
      'node "$CLI" restore copy.db & while ! test -e data/plants.db.restoring; do :; done; kill -9 $!; wait $!';
    await place.shell(killed);
    expect(await place.call(['plants', 'count'])).toMatchObject({ stdout: '400001\n' });
    expect(await place.call(['restore', 'copy.db'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing was restored: \S+\.restoring is there, from a restore that runs or was/),
    });
    await place.shell('rm data/plants.db.restoring*');
    expect(await place.call(['restore', 'copy.db'])).toMatchObject({ code: 0 });
    expect(await place.call(['plants', 'count'])).toMatchObject({ stdout: '400000\n' });
  });

  test('of PostgreSQL changes nothing and names the command that does, without the password', async () => {
    const env = { DATABASE_URL: 'postgres://plants:secret@db/plants?sslmode=require&password=secret' };
    const refused = await place.call(['restore', "it's.dump"], { env });
    const command = String.raw`pg_restore --clean --if-exists --dbname='postgres://plants@db/plants?sslmode=require' 'it'\''s.dump'`;
    expectRefused(refused, 1, 'PGPASSWORD', `: ${command}\n`);
    expect(refused.stderr).not.toContain('secret');
  });
});
