import { afterAll, expect, test } from '@jest/globals';
import { chmod, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { isInstalled, PATH } from '../support/installed.ts';
import { reportFault } from '../support/ledger.ts';
import { freePort } from 'test-support/listen.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { nameOf, noteCommits, run, throughPort, withConnection } from '../support/postgres.ts';
import { type RunningProcess, startProcess } from 'test-support/process.ts';
import { everyOther, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';

const server = await ownPostgres();
afterAll(() => server.close());
const place = workplaceOfEachTest();

test('two processes that work on the same plants at SERIALIZABLE lose against each other, repeat, and have one winner each', async () => {
  const DATABASE_URL = await server.createDatabase();
  await run(DATABASE_URL, `ALTER DATABASE ${nameOf(DATABASE_URL)} SET default_transaction_isolation = 'serializable'`);
  const plants = await stock(place, 4_000, { DATABASE_URL });
  const services = [await place.serve({ DATABASE_URL }), await place.serve({ DATABASE_URL })];
  const both = everyOther(plants.ids);
  // The same ones at the same time, again and again, so that many batches meet.
  for (let from = 0; from < both.length; from += 32) {
    const ids = both.slice(from, from + 32);
    await Promise.all(services.map((service) => plants.deleteAll(service, ids, 32)));
  }
  const rollbacks = `SELECT xact_rollback AS count FROM pg_stat_database WHERE datname = '${nameOf(DATABASE_URL)}'`;
  expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
  const [row] = await run(DATABASE_URL, rollbacks);
  const lost = Number(row?.['count']);
  expect(plants.ledger.statuses()).toEqual({ 204: both.length, 404: both.length });
  // Nothing else is ever rolled back here.
  expect(lost).toBeGreaterThan(0);
  await plants.expectUnharmed('serialization failures in PostgreSQL, two processes', [], `${lost} repetitions`);
});

test('a deadlock with another program is resolved: the delete is repeated and succeeds', async () => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 100, { DATABASE_URL });
  const service = await place.serve({ DATABASE_URL });
  const wanted = everyOther(plants.ids);
  const [first = 0n, second = 0n] = wanted;
  await withConnection(DATABASE_URL, async (execute) => {
    await execute('BEGIN');
    // So that it is the service that loses.
    await execute("SET LOCAL deadlock_timeout = '1min'");
    await execute(`SELECT FROM plants WHERE id = ${second} FOR UPDATE`);
    const all = plants.deleteAll(service, wanted, wanted.length);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = '${nameOf(DATABASE_URL)}' AND wait_event_type = 'Lock'`;
    while ((await run(DATABASE_URL, waiting)).length === 0) await pause(20);
    await execute(`SELECT FROM plants WHERE id = ${first} FOR UPDATE`);
    await execute('ROLLBACK');
    await all;
  });
  expect(plants.ledger.statuses()).toEqual({ 204: wanted.length });
  expect(await service.stop()).toBe(0);
  // A process of the server reports what it has counted at its end at the latest.
  const count = `SELECT 1 FROM pg_stat_database WHERE datname = '${nameOf(DATABASE_URL)}' AND deadlocks = 1`;
  while ((await run(DATABASE_URL, count)).length === 0) await pause(100);
  await plants.expectUnharmed('a deadlock in PostgreSQL with another program');
});

/** Keeps the delete of a plant behind its statement, before its commit. */
const WAIT_BEFORE = [
  'CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$',
  `CREATE CONSTRAINT TRIGGER wait AFTER DELETE ON plants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
     EXECUTE FUNCTION wait()`,
];
/** Keeps it behind its own commit: the server waits for a standby that never comes. */
const WAIT_BEHIND = ["ALTER SYSTEM SET synchronous_standby_names = 'nobody'", 'SELECT pg_reload_conf()'];

/** Deletes plants until one waits: a server applies a setting a moment after it is asked to. */
async function firstThatWaits(
  ids: readonly bigint[],
  deletePlant: (id: bigint) => Promise<unknown>,
  isWaiting: () => Promise<boolean>,
): Promise<{ readonly id: bigint; readonly answer: Promise<unknown> }> {
  for (const id of ids) {
    const answer = deletePlant(id);
    do {
      if (await isWaiting()) return { id, answer };
    } while (!(await Promise.race([answer.then(() => true), pause(20, false)])));
  }
  throw new Error('No delete has waited.');
}

test.each([
  ['before the commit is written', WAIT_BEFORE, 'PgSleep', ['DROP TRIGGER wait ON plants'], 204],
  [
    'after the commit is written',
    WAIT_BEHIND,
    'SyncRep',
    ['ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()'],
    404,
  ],
])('the server is killed in mid-commit, %s: the outcome is unknown', async (when, wait, event, end, repeated) => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 100, { DATABASE_URL });
  const [first = 0n, ...others] = plants.ids;
  const service = await place.serve({ DATABASE_URL });
  expect(await plants.delete(service, first)).toBe(204);
  for (const statement of wait) await run(DATABASE_URL, statement);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'plant-store' AND wait_event = '${event}'`;
  const isWaiting = async (): Promise<boolean> => (await run(DATABASE_URL, waiting)).length > 0;
  const { id, answer } = await firstThatWaits(others, (plant) => plants.delete(service, plant), isWaiting);
  await server.kill();
  expect(await answer).toBe(OUTCOME_UNKNOWN);
  await server.start();
  for (const statement of end) await run(DATABASE_URL, statement);
  await untilReadyz(service, 200, 10_000);
  expect(await plants.delete(service, id)).toBe(repeated);
  expect(await service.stop()).toBe(0);
  const fault = `the PostgreSQL server is killed in mid-commit, ${when}`;
  await plants.expectUnharmed(fault, [OUTCOME_UNKNOWN], `repeated: ${repeated}`);
});

const FAULT = 'PgBouncer in transaction mode, and a database whose default is synchronous_commit=off';
const PLANTS = 4_000;

/**
 * Starts PgBouncer in front of a database, with its own defaults but for the mode.
 * @returns the URL through it.
 */
async function pooled(url: string): Promise<{ url: string; pooler: RunningProcess }> {
  const { hostname, port, username, password } = new URL(url);
  const [listenPort, folder] = [await freePort(), place.folder];
  const database = `host=${hostname} port=${port} user=${username} password=${password}`;
  const config = `[databases]\n${nameOf(url)} = ${database}\n[pgbouncer]
listen_addr = 127.0.0.1\nlisten_port = ${listenPort}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, config);
  // It refuses to run as root, and reads its file as another user then.
  await chmod(folder, 0o755);
  const args = userInfo().uid === 0 ? ['-u', 'nobody', file] : [file];
  const pooler = startProcess('pgbouncer', args, { env: { PATH }, cwd: tmpdir() });
  return { url: throughPort(url, listenPort), pooler };
}

/** Resolves when a server answers. @throws Error when the process in front of it has ended. */
async function untilAnswered(url: string, { child, errors }: RunningProcess): Promise<void> {
  while (!(await run(url, 'SELECT 1').then(Boolean, () => false))) {
    if (child.exitCode !== null) throw new Error(errors());
    await pause(50);
  }
}

test(`tokens and deletes are durable, and exactly one of two processes deletes each plant, behind ${FAULT}`, async () => {
  if (!isInstalled('pgbouncer')) {
    await reportFault({ fault: FAULT, skipped: 'needs pgbouncer' });
    return;
  }
  const direct = await server.createDatabase();
  await run(direct, `ALTER DATABASE ${nameOf(direct)} SET synchronous_commit = off`);
  const { url: DATABASE_URL, pooler } = await pooled(direct);
  try {
    await untilAnswered(DATABASE_URL, pooler);
    expect(await run(DATABASE_URL, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
    expect(await place.run(['migrate'], { env: { DATABASE_URL } })).toMatchObject({ code: 0, stderr: '' });
    await noteCommits(direct);
    const plants = await stock(place, PLANTS, { DATABASE_URL });
    const env = { DATABASE_URL, NODE_ENV: 'production' };
    const services = await Promise.all([place.serve(env), place.serve(env)]);
    const wanted = everyOther(plants.ids);
    await Promise.all(services.map((service) => plants.deleteAll(service, wanted)));
    expect(plants.ledger.statuses()).toEqual({ 204: wanted.length, 404: wanted.length });
    for (const service of services) {
      expect(await healthOf(service, '/readyz')).toMatchObject({ status: 200 });
      expect(await service.stop()).toBe(0);
      expect(service.errors()).toBe('');
    }
    const revoked = await place.run(['tokens', 'revoke', 'faults'], { env: { DATABASE_URL } });
    expect(revoked).toMatchObject({ code: 0 });
    const commits = await run(direct, 'SELECT value, count(*)::integer AS rows FROM commits GROUP BY 1');
    // At least the plants, the deletes, and the token made, used and revoked.
    expect(commits).toEqual([{ value: 'on', rows: expect.any(Number) }]);
    expect(commits[0]?.['rows']).toBeGreaterThanOrEqual(PLANTS + wanted.length + 3);
    await plants.expectUnharmed(FAULT);
  } finally {
    pooler.child.kill();
    await pooler.ended;
  }
});
