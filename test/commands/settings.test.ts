import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

/**
 * Runs the server, and a command, with a database that cannot be used, and expects one line that
 * says so.
 */
async function expectRefusal(url: string, line: RegExp, more: string[][] = [['plants', 'count']]): Promise<void> {
  for (const args of [['serve'], ['tokens', 'create', 'webshop'], ...more]) {
    const { code, stdout, stderr } = await place.run(args, { env: { DATABASE_URL: url } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(line);
  }
}

/** Makes a SQLite file as another program would. */
function makeDatabase(name: string, sql: string): void {
  const database = new Database(join(place.folder, name));
  database.exec(sql);
  database.close();
}

describe('settings', () => {
  test('that are bad are all named in one line, with what would be right', async () => {
    const env = {
      HOST: 'not a\nhost',
      PORT: '65536',
      DATABASE_URL: 'mysql://root:secret@db/plants',
      LOG_LEVEL: 'loud',
    };
    expect(await place.run(['serve'], { env })).toEqual({
      code: 1,
      stdout: '',
      stderr:
        "Bad settings: HOST must be an address or a name such as 127.0.0.1, not 'not a host'; " +
        "PORT must be a number from 0 to 65535, not '65536'; " +
        "DATABASE_URL must be 'sqlite:' and the path of a file, such as sqlite:data/plants.db, or postgres://user:password@host:5432/database, with special characters percent-encoded (several hosts with commas between them, target_session_attrs any, primary or read-write); " +
        "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not 'loud'.\n",
    });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test.each([
    ['PORT', ['', ' 1', '-1', '1e3', '0x10', '3000.5', 'http']],
    [
      'DATABASE_URL',
      [
        '',
        'sqlite:',
        'sqlite::memory:',
        'sqlite://data/plants.db',
        'sqlite:a.db?mode=ro',
        'plants.db',
        'postgres:plants',
        'postgres://db:x/plants',
        'postgres://u:47/x@db/plants',
        'postgres://u:47#x@db/plants',
        'postgres://a:1,b:x/plants',
        'postgres://a,b/plants?target_session_attrs=standby',
      ],
    ],
    ['DATABASE_POOL', ['', '0', '1001', '2.5']],
    ['LOG_LEVEL', ['', 'INFO', '30']],
    ['HOST', ['', 'http://localhost', 'a b']],
    ['ADMIN_HOSTS', ['http://plants', 'a b', 'plants:9464', '*']],
    ['CONNECTIONS_PER_CLIENT', ['', '-1', '1e3', 'none']],
    ['CORS_ORIGINS', ['*', 'null', 'app.example', 'https://app.example/', 'https://App.example', 'ftp://app.example']],
  ])('name %s when it is bad, and only that one', (name, values) => {
    for (const value of values) {
      const problem = new RegExp(`^Bad settings: ${name} must be [^;\n]+\\.$`);
      expect(() => readConfig({ [name]: value })).toThrow(problem);
    }
  });

  test('are read from .env in the working folder, and the real environment wins', async () => {
    await place.write('.env', 'DATABASE_URL=sqlite:from-file.db\nLOG_LEVEL=loud\n');
    expect(await place.run(['plants', 'count'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Bad settings: LOG_LEVEL .* not 'loud'\.\n$/),
    });
    const create = ['tokens', 'create', 'webshop'];
    expect(await place.run(create, { env: { LOG_LEVEL: 'info' } })).toMatchObject({ code: 0, stderr: '' });
    const env = { LOG_LEVEL: 'info', DATABASE_URL: `sqlite://${place.folder}/from-environment.db` };
    expect(await place.run(create, { env })).toMatchObject({ code: 0, stderr: '' });
    expect(await place.shell('ls *.db')).toMatchObject({ stdout: 'from-environment.db\nfrom-file.db\n' });
  });

  test('in an unreadable .env stop the start with one line', async () => {
    await place.shell('mkdir .env');
    const { code, stderr } = await place.run(['plants', 'count']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The file \.env cannot be read: EISDIR[^\n]+\n$/);
  });

  test('in a .env of another user stop the start with "permission denied"', async () => {
    await place.write('.env', 'PORT=0\n');
    // Root may read everything, unless its capabilities are taken away.
    const prefix = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all ' : '';
    const { code, stderr } = await place.shell(`chmod 044 .env && ${prefix}node "$CLI" plants count`);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The file \.env cannot be read: EACCES: permission denied, [^\n]+\n$/);
  });

  test('with a HOST that is not of this machine are refused in one line', async () => {
    const { code, stdout, stderr } = await place.run(['serve'], { env: { HOST: '192.0.2.1' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Cannot listen on 192\.0\.2\.1:0: [^\n]+ Choose another HOST or PORT\.\n$/);
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });
});

describe('a database that cannot be used', () => {
  test('stops the start when its folder cannot be made', async () => {
    await place.write('file', 'content');
    await expectRefusal(
      'sqlite:file/plants.db',
      /^The database \S+\/file\/plants\.db cannot be opened: its folder or the file cannot be written/,
      [],
    );
    await expectRefusal(
      'sqlite:file/a/b/plants.db',
      /^The database \S+\/plants\.db cannot be opened: its folder or the file cannot be written/,
      [],
    );
    expect(await place.read('file')).toEqual(Buffer.from('content'));
  });

  test('stops the start when it is a folder, which stays empty', async () => {
    await place.shell('mkdir folder');
    await expectRefusal('sqlite:folder', /^The database \S+\/folder is not a file: /);
    expect(await place.shell('ls -A folder')).toMatchObject({ stdout: '' });
  });

  test.each([
    ['a file that is no database', 'These are notes.\n'.repeat(1_000)],
    ['a file too short for a database', 'A note.\n'],
  ])('stops the start when it is %s, which stays unchanged', async (_what, content) => {
    await place.write('notes.txt', content);
    await expectRefusal(
      'sqlite:notes.txt',
      /^The database \S+\/notes\.txt cannot be opened: it is not a SQLite database\. It is left as it is; name another file in DATABASE_URL\.\n$/,
    );
    expect(await place.read('notes.txt')).toEqual(Buffer.from(content));
    expect(await place.shell('ls -A')).toMatchObject({ stdout: 'notes.txt\n' });
  });

  test.each([
    [
      'one with a newer schema',
      'PRAGMA user_version = 99',
      /schema version 99, but this program knows up to \d+: run a newer plant-store\.\n$/,
    ],
    [
      'one with a newer schema, in WAL mode',
      'PRAGMA journal_mode = WAL; PRAGMA user_version = 99',
      /schema version 99, but this program knows/,
    ],
    [
      'one of another program',
      'CREATE TABLE notes (text)',
      /belongs to another program\. It is left as it is; name another file in DATABASE_URL\.\n$/,
    ],
  ])('stops the start when it is %s, which stays unchanged', async (_what, sql, line) => {
    makeDatabase('other.db', sql);
    const before = await place.read('other.db');
    await expectRefusal('sqlite:other.db', line);
    expect((await place.read('other.db')).equals(before)).toBe(true);
    expect(await place.shell('ls -A')).toMatchObject({ stdout: 'other.db\n' });
  });
});
