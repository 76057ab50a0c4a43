import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { userInfo } from 'node:os';
import { deletePlantAt, workplaceOfEachTest } from '../support/cli.ts';
import { freePort } from '../support/free-port.ts';
import { nameOf, postgresServer, run, throughPort, type PostgresServer } from '../support/postgres.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await postgresServer();
}, 60_000);
afterAll(() => server.close());
const place = workplaceOfEachTest();

function isThere(program: string): boolean {
  const found = spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
  if (!found) process.stderr.write(`skipped: ${program} is not installed\n`);
  return found;
}

test('pg_dump, delete, pg_restore: the plant is back, its neighbours live and the token is valid', async () => {
  if (!isThere('pg_dump') || !isThere('pg_restore')) return;
  const url = await server.createDatabase();
  const env = { DATABASE_URL: url, NODE_ENV: 'production' };
  await place.run(['plants', 'add', '1', '2', '3'], { env });
  const token = (await place.run(['tokens', 'create', 'shop'], { env })).stdout.trim();
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
  expect(await place.run(['plants', 'export'], { env })).toMatchObject({ stdout: '1\n2\n3\n' });
  const again = await place.serve(env);
  expect(await deletePlantAt(again.url, token, 2n)).toMatchObject({ status: 204 });
  expect(await again.stop()).toBe(0);
});

describe('a user without rights', () => {
  const GRANTS = ['GRANT SELECT, DELETE ON plants TO {user}', 'GRANT SELECT ON plant_store_schema TO {user}'];
  const RIGHTS =
    '. Run plant-store migrate as a user who may create tables, and grant this one the rights that docs/postgresql.md lists.\n';
  const STANDBY = '. This server takes no writes, as a standby does: name the primary in DATABASE_URL.\n';
  test.each([
    [
      'to the tokens',
      [],
      `PostgreSQL: permission denied for table plant_store_tokens (42501)${RIGHTS}`,
      `PostgreSQL: permission denied for table plant_store_tokens (42501)${RIGHTS}`,
    ],
    [
      'to write',
      ['GRANT ALL ON plant_store_tokens TO {user}', 'ALTER ROLE {user} SET default_transaction_read_only = on'],
      `PostgreSQL: cannot execute INSERT in a read-only transaction (25006)${STANDBY}`,
      `PostgreSQL: cannot execute DELETE in a read-only transaction (25006)${STANDBY}`,
    ],
  ])('%s is told what to do, and serve does not listen', async (_what, more, onCreate, onServe) => {
    const url = await server.createDatabase();
    await place.run(['migrate'], { env: { DATABASE_URL: url } });
    const user = `service_${nameOf(url)}`;
    const make = `CREATE ROLE {user} LOGIN PASSWORD '${new URL(url).password}'`;
    await run(url, ...[make, ...GRANTS, ...more].map((text) => text.replaceAll('{user}', user)));
    const env = { DATABASE_URL: url.replace('//postgres:', `//${user}:`), NODE_ENV: 'production' };
    try {
      expect(await place.run(['tokens', 'create', 'a'], { env })).toEqual({ code: 1, stdout: '', stderr: onCreate });
      expect(await place.run(['serve'], { env })).toEqual({ code: 1, stdout: '', stderr: onServe });
    } finally {
      await run(url, `DROP OWNED BY ${user}`, `DROP ROLE ${user}`);
    }
  });
});

test('all works behind PgBouncer in transaction mode', async () => {
  if (!isThere('pgbouncer')) return;
  const url = await server.createDatabase();
  const { username, password, hostname, port } = new URL(url);
  const folder = join(place.folder, 'pgbouncer');
  await mkdir(folder);
  const listen = await freePort();
  await place.write('pgbouncer/users', `"${username}" "${password}"\n`);
  await place.write(
    'pgbouncer/ini',
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=${listen}\n` +
      `auth_type=plain\nauth_file=${folder}/users\npool_mode=transaction\nunix_socket_dir=\n`,
  );
  // It refuses to run as root.
  for (const path of [place.folder, folder]) await chmod(path, 0o755);
  const user = userInfo().uid === 0 ? ['-u', 'nobody'] : [];
  const pooler: ChildProcess = spawn('pgbouncer', ['-q', ...user, join(folder, 'ini')], { stdio: 'ignore' });
  try {
    const env = { DATABASE_URL: throughPort(url, listen), NODE_ENV: 'production' };
    while ((await place.run(['migrate'], { env })).code !== 0) expect(pooler.exitCode).toBeNull();
    expect(await place.run(['plants', 'add', '1', '2', '3'], { env })).toMatchObject({ code: 0 });
    const token = (await place.run(['tokens', 'create', 'shop'], { env })).stdout.trim();
    const service = await place.serve(env);
    expect(await deletePlantAt(service.url, token, 2n)).toMatchObject({ status: 204 });
    expect(await deletePlantAt(service.url, token, 2n)).toMatchObject({ status: 404 });
    expect(await service.stop()).toBe(0);
    expect(await place.run(['plants', 'export'], { env })).toMatchObject({ stdout: '1\n3\n' });
  } finally {
    pooler.kill();
  }
});
