import { describe, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** Root may read and write everything, unless its capabilities are taken away. */
const UNPRIVILEGED = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all ' : '';

const BAD_URLS =
  ' sqlite: sqlite::memory: sqlite://data/plants.db sqlite:a.db?mode=ro plants.db postgres:plants ' +
  'postgres://db:x/plants postgres://u:47/x@db/plants postgres://u:47#x@db/plants postgres://a:1,b:x/plants ' +
  'postgres://a,b/plants?target_session_attrs=standby';

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
    ['DATABASE_URL', BAD_URLS.split(' ')],
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
    const { code, stderr } = await place.shell(`chmod 044 .env && ${UNPRIVILEGED}node "$CLI" plants count`);
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

// test/stores/sqlite.test.ts has files of other programs and files that are too short.
const FOLDER = /^The database \S+\/plants\.db cannot be opened: its folder or the file cannot be written/;
const NOTES =
  /^The database \S+\/notes cannot be opened: it is not a SQLite database\. It is left as it is; name another file in DATABASE_URL\.\n$/;
const NEWER = /schema version 99, but this program knows up to \d+: run a newer plant-store\.\n$/;
const READ_ONLY = /^The database \S+\/plants\.db cannot be opened: /;
const MIGRATE = 'node "$CLI" migrate';
const NO_COUNT = ['serve'];
const BOTH = ['serve', 'plants count'];
/** A database with plants, of which a part was overwritten. */
const overwritten = (from: number, to: number): string =>
  `seq 5000 | node "$CLI" plants import - && mv data/plants.db . && rmdir data &&
    yes | head -c ${to - from} | dd of=plants.db bs=1 seek=${from} conv=notrunc 2>/dev/null`;
const DAMAGED = /^The database \S+\/plants\.db .*damaged/;
const FILE = /^The database \S+\/plants\.db /;
const NO_DATABASE = /^The database \S+\/plants\.db cannot be opened: it is not a SQLite database/;

test.each<[what: string, make: string, url: string, line: RegExp, commands: readonly string[]]>([
  ['one whose folder is a file', 'echo text > notes', 'sqlite:notes/plants.db', FOLDER, NO_COUNT],
  ['one whose folder cannot be made', 'echo text > notes', 'sqlite:notes/a/b/plants.db', FOLDER, NO_COUNT],
  ['one that cannot be looked for', 'ln -s plants.db plants.db', 'sqlite:plants.db', /cannot be opened: ELOOP/, BOTH],
  ['one that is read-only', `${MIGRATE} && chmod 444 data/plants.db`, 'sqlite:data/plants.db', READ_ONLY, NO_COUNT],
  ['one in a folder that is read-only', `${MIGRATE} && chmod 555 data`, 'sqlite:data/plants.db', READ_ONLY, NO_COUNT],
  ['a folder', 'mkdir folder', 'sqlite:folder', /^The database \S+\/folder is not a file: /, BOTH],
  ['one whose header is overwritten', overwritten(0, 100), 'sqlite:plants.db', NO_DATABASE, NO_COUNT],
  ['one whose header is overwritten behind its first words', overwritten(16, 100), 'sqlite:plants.db', FILE, NO_COUNT],
  ['one whose first page is overwritten', overwritten(100, 4_096), 'sqlite:plants.db', DAMAGED, NO_COUNT],
  [
    'one whose second half is missing',
    `${overwritten(0, 0)} && truncate -s 20480 plants.db`,
    'sqlite:plants.db',
    DAMAGED,
    NO_COUNT,
  ],
  ['no database', 'yes "These are notes." | head -n 1000 > notes', 'sqlite:notes', NOTES, BOTH],
  ['one of a newer version', `${MIGRATE} && mv data/plants.db . && rmdir data`, 'sqlite:plants.db', NEWER, BOTH],
])(
  'a database that cannot be used stops the start and stays unchanged: %s',
  async (_what, make, url, problem, commands) => {
    expect(await place.shell(make)).toMatchObject({ code: 0 });
    if (problem === NEWER) new Database(join(place.folder, 'plants.db')).exec('PRAGMA user_version = 99').close();
    const files = 'find . -type f -exec sha256sum {} + ; find .';
    const before = await place.shell(files);
    for (const command of commands) {
      const line = `DATABASE_URL=${url} ${UNPRIVILEGED}node "$CLI" ${command}`;
      const { code, stdout, stderr } = await place.shell(line);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toMatch(problem);
    }
    expect(await place.shell(files)).toEqual(before);
    await place.shell('chmod -R u+w .');
  },
);
