import { afterAll, afterEach, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deletePlantAt, expectRefused, workplaceOfEachTest } from '../support/cli.ts';
import { isInstalled } from '../support/installed.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { createUser, nameOf, plantsOf, postgresServer, run } from '../support/postgres.ts';

const server = await postgresServer();
afterEach(() => server.emptyDatabases());
afterAll(() => server.close());
const place = workplaceOfEachTest();

test('the service on PostgreSQL begins with sample plants and a token in an empty database, and deletes exactly the plant that is named', async () => {
  const url = await server.createDatabase();
  const service = await place.serve({ DATABASE_URL: url });
  const token = await service.firstToken();
  expect(await deletePlantAt(service.url, token, 9007199254740993n)).toMatchObject({ status: 204, text: '' });
  expect(await deletePlantAt(service.url, token, 9007199254740993n)).toMatchObject({ status: 404 });
  expect(await deletePlantAt(service.url, 'plant_other', 9223372036854775807n)).toMatchObject({ status: 401 });
  expect(await plantsOf(url)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 12n, 9223372036854775807n]);
  expect(await service.stop()).toBe(0);
  expect(service.output()).toContain(nameOf(url));
  expect(service.output() + service.errors()).not.toContain(`:${new URL(url).password}@`);
});

test.each(['PGPASSWORD', 'PGPASSFILE'])('the password may be in %s', async (variable) => {
  const url = new URL(await server.createDatabase());
  const { password, hostname, port, username } = url;
  url.password = '';
  await place.write('pgpass', `${hostname}:${port}:*:${username}:${password}\n`);
  // A file that others may read is not used
  // (https://www.postgresql.org/docs/current/libpq-pgpass.html).
  await chmod(join(place.folder, 'pgpass'), 0o600);
  const value = variable === 'PGPASSWORD' ? password : join(place.folder, 'pgpass');
  const env = { DATABASE_URL: url.href, [variable]: value };
  // pg warns on standard error that its next major version reads no password files.
  const { code, stdout } = await place.call(['migrate'], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(url.href) });
  const again = await place.call(['migrate'], { env });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/up to date.* 1\.\n$/) });
});

test('TLS is used as the URL says, and an untrusted certificate is refused', async () => {
  if (!isInstalled('openssl')) return;
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-tls-'));
  const secure = await ownPostgres({}, { folder });
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names];
  execFileSync('openssl', [...args, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const { uid, gid } = await stat(folder);
  for (const file of [certificate, key]) await chown(file, uid, gid);
  await chmod(key, 0o600);
  await run(secure.adminUrl, 'ALTER SYSTEM SET ssl = on');
  await run(secure.adminUrl, 'SELECT pg_reload_conf()');
  const url = await secure.createDatabase();
  const migrate = (parameters: string): ReturnType<typeof place.call> =>
    place.call(['migrate'], { env: { DATABASE_URL: `${url}?${parameters}` } });
  // The user postgres alone may read its folder, but root can.
  expect(await migrate(`sslmode=verify-full&sslrootcert=${certificate}`)).toMatchObject({ code: 0, stderr: '' });
  const refused = await migrate('sslmode=verify-full');
  expectRefused(refused, 1, 'self-signed certificate', 'DATABASE_URL');
  await secure.close();
});

test.each([
  ['TLS that the server does not have', { search: '?sslmode=verify-full' }, ['SSL']],
  [
    'a certificate that is not there',
    { search: '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' },
    ['ENOENT', '/nowhere/ca.pem'],
  ],
  ['a port on which nothing listens', { port: '1' }, ['ECONNREFUSED 127.0.0.1:1']],
])('a URL with %s is refused in one line, without its password', async (_what, change, named) => {
  const url = Object.assign(new URL(await server.createDatabase()), change);
  const refused = await place.call(['migrate'], { env: { DATABASE_URL: url.href } });
  expectRefused(refused, 1, `postgres://${url.username}@${url.host}`, ...named, 'DATABASE_URL');
  expect(refused.stderr).not.toContain(`:${url.password}@`);
});

test('pg_dump, delete, pg_restore: the plant is back, its neighbours live and the token is valid', async () => {
  if (!isInstalled('pg_dump') || !isInstalled('pg_restore')) return;
  const url = await server.createDatabase();
  const env = { DATABASE_URL: url, NODE_ENV: 'production' };
  await place.call(['plants', 'add', '1', '2', '3'], { env });
  const token = (await place.call(['tokens', 'create', 'shop'], { env })).stdout.trim();
  const dump = await place.shell(`pg_dump --format=custom --file=plants.dump '${url}'`);
  if (dump.stderr.includes('server version mismatch')) {
    process.stderr.write('skipped: pg_dump is older than the server\n');
    return;
  }
  expect(dump).toMatchObject({ code: 0 });
  const service = await place.serve(env);
  expect(await deletePlantAt(service.url, token, 2n)).toMatchObject({ status: 204 });
  expect(await service.stop()).toBe(0);
  const restore = `pg_restore --clean --if-exists --dbname='${url}' plants.dump`;
  expect(await place.shell(restore)).toMatchObject({ code: 0 });
  expect(await place.call(['plants', 'export'], { env })).toMatchObject({ stdout: '1\n2\n3\n' });
  const again = await place.serve(env);
  expect(await deletePlantAt(again.url, token, 2n)).toMatchObject({ status: 204 });
  expect(await again.stop()).toBe(0);
});

const GRANTS = ['GRANT SELECT, DELETE ON plants TO {user}', 'GRANT SELECT ON plant_store_schema TO {user}'];
const DENIED = ['plant_store_tokens (42501)', 'plant-store migrate', 'docs/postgresql.md'];
test.each([
  ['to the tokens', [], DENIED, DENIED],
  [
    'to write',
    ['GRANT ALL ON plant_store_tokens TO {user}', 'ALTER ROLE {user} SET default_transaction_read_only = on'],
    ['INSERT', '(25006)', 'DATABASE_URL'],
    ['DELETE', '(25006)', 'DATABASE_URL'],
  ],
])('a user without rights %s is told what to do, and serve does not listen', async (_what, more, onCreate, onServe) => {
  const url = await server.createDatabase();
  await place.call(['migrate'], { env: { DATABASE_URL: url } });
  const user = await createUser(url, ...GRANTS, ...more);
  const env = { DATABASE_URL: user.url, NODE_ENV: 'production' };
  try {
    expectRefused(await place.call(['tokens', 'create', 'a'], { env }), 1, ...onCreate);
    expectRefused(await place.run(['serve'], { env }), 1, ...onServe);
  } finally {
    await user.drop();
  }
});
