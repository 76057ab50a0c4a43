import { describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { readConfig, SETTINGS } from '../../src/config.ts';
import type { Setting } from '../../src/setting.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { workplaceOfEachTest, type Environment } from '../support/cli.ts';

const place = workplaceOfEachTest();

/** Root may read and write everything, unless its capabilities are taken away. */
const UNPRIVILEGED = process.getuid?.() === 0 ? 'setpriv --bounding-set=-all ' : '';

const BAD_URLS =
  ' sqlite: sqlite::memory: sqlite://data/plants.db sqlite:a.db?mode=ro plants.db postgres:plants ' +
  'postgres://db:x/plants postgres://u:47/x@db/plants postgres://u:47#x@db/plants postgres://a:1,b:x/plants ' +
  'postgres://a,b/plants?target_session_attrs=standby postgres:///plants?host=a,b ' +
  'postgres://db/plants?sslmod=verify-full postgres://a,b/plants?SSLMODE=verify-full';

const PROVIDER = { AUTH_ISSUER: 'https://login.example.com/', AUTH_AUDIENCE: 'plants' };
const BAD_PROVIDERS = [
  ...['login.example.com', 'http://login.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com'],
  ...['ftp://login.example.com', 'file:///etc/keys', 'https://user:secret@login.example.com', 'https://'],
  ...['https://login.example.com/#a', 'https://login.example.com/ ', 'https://login.exa\nmple.com/'],
];

describe('settings', () => {
  test('that are bad are all named in one line, with what would be right and without a password', async () => {
    const bad = {
      HOST: 'not a\nhost',
      PORT: '65536',
      DATABASE_URL: 'mysql://root:secret@db/plants',
      LOG_LEVEL: 'loud',
    };
    const refused = await place.call(['serve'], { env: bad });
    const line =
      /^Bad settings: HOST must be [^;]+; PORT must be [^;]+; DATABASE_URL must be [^;]+; LOG_LEVEL [^;]+\.\n$/;
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
    expect(refused.stderr).not.toMatch(/secret|\n./);
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test.each([
    ['PORT', ['', ' 1', '-1', '1e3', '0x10', '3000.5', 'http']],
    ['DATABASE_URL', BAD_URLS.split(' ')],
    ['DATABASE_POOL', ['', '0', '1001', '2.5']],
    ['LOG_LEVEL', ['', 'INFO', '30']],
    ['HOST', ['', 'http://localhost', 'a b', 'localhost:3000', '127.0.0.1:3000', '[::1]']],
    ['ADMIN_HOSTS', ['http://plants', 'a b', 'plants:9464', '*']],
    ['CONNECTIONS_PER_CLIENT', ['', '-1', '1e3', 'none']],
    ['CORS_ORIGINS', ['*', 'null', 'app.example', 'https://app.example/', 'https://App.example', 'ftp://app.example']],
    ['AUTH_ISSUER', [...BAD_PROVIDERS, 'https://a.example/?b']],
    ['AUTH_AUDIENCE', ['a\n']],
    ['AUTH_JWKS_URL', BAD_PROVIDERS],
    ['AUTH_ALGORITHMS', ['HS256', 'none', 'RS256,HS512', 'RS256,', 'rs256', 'RSA-OAEP']],
    ['AUTH_REQUIRED_SCOPE', [' ', 'a  b', 'a ', ' a', 'a"b', 'a\\b', 'a\nb', 'ä']],
  ])('name %s when it is bad, and only that one, without a password', (name, values) => {
    for (const value of values) {
      // `secret` is the password of all URLs that have one.
      const problem = new RegExp(`^Bad settings: ${name} must be ((?!secret)[^;])+\\.$`);
      expect(() => readConfig({ ...PROVIDER, [name]: value })).toThrow(problem);
    }
  });

  test('name an identity provider, by TLS unless it is on this machine, or none', () => {
    expect(readConfig({ AUTH_ISSUER: '', AUTH_AUDIENCE: '' }).identityProvider).toBeNull();
    expect(readConfig(PROVIDER).identityProvider).toEqual({
      issuer: 'https://login.example.com/',
      audience: 'plants',
      jwksUrl: null,
      requiredScope: [],
      algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
    });
    const more = { AUTH_REQUIRED_SCOPE: 'a b:c', AUTH_ALGORITHMS: 'ES512, RS256' };
    const urls = ['http://127.0.0.1:8080/realms/a', 'http://[::1]:8080', 'http://localhost', 'https://k.example/'];
    for (const url of urls) {
      const environment = { ...PROVIDER, ...more, AUTH_ISSUER: url, AUTH_JWKS_URL: `${url}?p=1` };
      const expected = { jwksUrl: new URL(`${url}?p=1`), requiredScope: ['a', 'b:c'], algorithms: ['ES512', 'RS256'] };
      expect(readConfig(environment).identityProvider).toMatchObject(expected);
    }
    expect(() => readConfig({ AUTH_ISSUER: 'https://a.example' })).toThrow(/^Bad settings: AUTH_AUDIENCE [^;]+$/);
    const keysAlone = { AUTH_AUDIENCE: 'plants', AUTH_JWKS_URL: 'https://k.example' };
    expect(() => readConfig(keysAlone)).toThrow(/^Bad settings: AUTH_AUDIENCE [^;]+; AUTH_JWKS_URL [^;]+$/);
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

  test('in an unreadable .env, or one of another user, stop the start with one line that says so', async () => {
    const problem = (text: string): object => ({
      code: 1,
      stderr: expect.stringMatching(`^The file \\.env cannot be read: ${text}[^\n]+\n$`),
    });
    await place.write('.env', 'PORT=0\n');
    const count = `${UNPRIVILEGED}node "$CLI" plants count`;
    expect(await place.shell(`chmod 044 .env && ${count}`)).toMatchObject(problem('EACCES: permission denied, '));
    await place.shell('rm .env && mkdir .env');
    expect(await place.call(['plants', 'count'])).toMatchObject(problem('EISDIR'));
  });

  test.each([
    ['UTF-16', Buffer.from('\uFEFFPORT=0\n', 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from('PORT=0\n', 'utf16le')],
    ['UTF-8 with a byte order mark', '\uFEFFPORT=0\n'],
    ['Latin-1', Buffer.from('PORT=0 # für Tests\n', 'latin1')],
  ])('in a .env in %s stop the start, since some would be ignored', async (_encoding, content) => {
    await place.write('.env', content);
    const stderr = 'The file .env cannot be read: save it as UTF-8, without a byte order mark.\n';
    expect(await place.call(['config'])).toEqual({ code: 1, stdout: '', stderr });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '.env\n' });
  });

  test('with a HOST that is not of this machine are refused in one line', async () => {
    const stderr = expect.stringMatching(/^Cannot listen on 192\.0\.2\.1:0: [^\n]+ Choose another HOST or PORT\.\n$/);
    expect(await place.run(['serve'], { env: { HOST: '192.0.2.1' } })).toEqual({ code: 1, stdout: '', stderr });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });
});

/** What `config` prints, by variable. */
async function shown(env: Environment, run = place.call.bind(place)): Promise<Record<string, string>> {
  const { code, stdout } = await run(['config'], { env });
  expect(code).toBe(0);
  const lines = [...stdout.matchAll(/^(\w+)=(.*)$/gm)];
  return Object.fromEntries(lines.map(([, name = '', rest = '']) => [name, rest.replace(/ +# /, ' # ')]));
}

test('config prints every setting with its effective value and where that comes from', async () => {
  await place.write('.env', 'LOG_LEVEL=warn\nPORT=1\n');
  const settings: readonly Setting<unknown>[] = Object.values(SETTINGS);
  const lines = await shown({ PORT: '8080' }, place.run.bind(place));
  expect(Object.keys(lines)).toEqual(settings.map(({ variable }) => variable));
  expect(lines).toMatchObject({
    PORT: '8080 # environment',
    LOG_LEVEL: 'warn # .env',
    AUDIT_LOG: 'off # default',
    DOCS: 'on # default',
    HOST: '127.0.0.1 # default',
    DATABASE_URL: `sqlite:${place.folder}/data/plants.db # default`,
  });
  expect(await place.shell('rm .env; ls -A')).toMatchObject({ stdout: '' });
  expect(await shown({ NODE_ENV: 'production' })).toMatchObject({ DOCS: 'off # default' });
});

test.each(['db', 'a:1,b:2,[::1]:3'])('config masks passwords in a URL with the hosts "%s"', async (hosts) => {
  const url = (password: string): string =>
    `postgres://plants:${password}@${hosts}/plants?password=${password}&sslmode=require`;
  const masked = expect.stringContaining(`'${url('***')}' `);
  expect(await shown({ DATABASE_URL: url('secret') })).toMatchObject({ DATABASE_URL: masked });
});

test('config names unknown settings in .env', async () => {
  await place.write('.env', 'PROT=8080\nPGPASSWORD=x\n');
  const stderr = '.env has PROT, which is not a setting of plant-store.\n';
  expect(await place.run(['config'])).toMatchObject({ code: 0, stderr });
});

// test/stores/sqlite.test.ts has files of other programs and files that are too short.
const FOLDER = /^The database \S+\/plants\.db cannot be opened: its folder or the file cannot be written/;
const NO_FOLDER =
  /^There is no database \S+\/dta\/plants\.db, nor its folder\. Correct DATABASE_URL, or make the folder for a new database\.\n$/;
const NOTES =
  /^The database \S+\/notes cannot be opened: it is not a SQLite database\. It is left as it is; name another file in DATABASE_URL\.\n$/;
const NEWER =
  /schema version 99, but this program knows up to \d+: run a newer plant-store; in a checkout, build it first: npm run build\.\n$/;
const READ_ONLY = /^The database \S+\/plants\.db cannot be opened: /;
/** Overwrites a part of the database. */
const overwrite = (from: number, to: number): string =>
  `yes | head -c ${to - from} | dd of=plants.db bs=1 seek=${from} conv=notrunc 2>/dev/null`;
const DAMAGED = /^The database \S+\/plants\.db .*damaged/;
const LOOP = /^The database \S+\/link cannot be opened: ELOOP[^\n]+\. Correct DATABASE_URL\.\n$/;
const NO_DATABASE = /^The database \S+\/plants\.db cannot be opened: it is not a SQLite database/;
const SERVE = `${UNPRIVILEGED}node "$CLI" serve`;

/** Commands run in this process: they open databases as servers do. */
test.each<[what: string, make: string, path: string, line: RegExp, ...commands: string[]]>([
  ['one whose folder is a file', 'echo text > notes', 'notes/plants.db', FOLDER, 'migrate'],
  ['one in a mistyped folder', 'mkdir data', 'dta/plants.db', NO_FOLDER, SERVE, 'migrate', 'tokens create shop'],
  ['one that cannot be looked for', 'ln -s link link', 'link', LOOP, 'migrate', 'plants count'],
  ['one that is read-only', 'chmod 444 plants.db', 'plants.db', READ_ONLY, SERVE],
  ['one in a folder that is read-only', 'mkdir a; mv *.db a; chmod 555 a', 'a/plants.db', READ_ONLY, SERVE],
  ['a folder', 'mkdir folder', 'folder', /^The database \S+\/folder is not a file: /, 'migrate', 'plants count'],
  ['one whose header is overwritten', overwrite(0, 100), 'plants.db', NO_DATABASE, 'migrate'],
  ['one whose header is overwritten behind its first words', overwrite(16, 100), 'plants.db', DAMAGED, 'migrate'],
  ['one whose format is unknown', overwrite(44, 48), 'plants.db', DAMAGED, 'migrate', 'plants count'],
  ['one whose first page is overwritten', overwrite(100, 4_096), 'plants.db', DAMAGED, 'migrate'],
  ['one whose second half is missing', 'truncate -s 20480 plants.db', 'plants.db', DAMAGED, 'migrate'],
  ['no database', 'yes "These are notes." | head -n 1000 > notes', 'notes', NOTES, SERVE, 'plants count'],
  ['one of a newer version', 'true', 'plants.db', NEWER, SERVE, 'plants count'],
])(
  'a database that cannot be used is refused in one line and stays unchanged: %s',
  async (_what, make, path, problem, ...commands) => {
    const env = { DATABASE_URL: `sqlite:${path}` };
    const input = Array.from({ length: 5_000 }, (_, id) => id).join('\n');
    await place.call(['plants', 'import', '-'], { env: { DATABASE_URL: 'sqlite:plants.db' }, input });
    if (problem === NEWER)
      new SqliteConnection(join(place.folder, 'plants.db')).exec('PRAGMA user_version = 99').close();
    expect(await place.shell(make)).toMatchObject({ code: 0 });
    const files = 'find . -type f -exec sha256sum {} + ; find .';
    const before = await place.shell(files);
    for (const command of commands) {
      const run =
        command === SERVE
          ? place.shell(`DATABASE_URL=sqlite:${path} ${SERVE}`)
          : place.call(command.split(' '), { env });
      const { code, stdout, stderr } = await run;
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toMatch(problem);
    }
    expect(await place.shell(files)).toEqual(before);
    await place.shell('chmod -R u+w .');
  },
);
