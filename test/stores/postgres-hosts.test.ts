import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnreachableError, ERRORS, OperatorError } from '../../src/errors.ts';
import { openStores } from '../../src/stores/open.ts';
import { expectRefused, workplaceOfEachTest } from '../support/cli.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { plantsOf, run, throughPort } from '../support/postgres.ts';
import { deletePlant } from '../support/send.ts';
import { issueToken, plantsIn, startService, type Service } from '../support/service.ts';
import { errorCode } from '../support/stock.ts';
import { deletions } from './plant-store-suite.ts';

const primary = await ownPostgres();
const database = await primary.createDatabase();
const standby = await primary.standby();
afterAll(async () => {
  await standby.close();
  await primary.close();
});

const place = workplaceOfEachTest();

/** The URL of the test's database on servers at these ports. */
function hosts(ports: readonly (number | undefined)[], parameters = ''): string {
  const list = ports.map((port) => `127.0.0.1:${port ?? 1}`).join(',');
  return database.replace(/127\.0\.0\.1:\d+/, list) + parameters;
}

test.each([
  ['the first takes no writes', () => hosts([standby.port, primary.port])],
  ['the first is down', () => hosts([undefined, primary.port], '?target_session_attrs=read-write')],
  ['the last is down', () => hosts([primary.port, undefined], '?target_session_attrs=primary')],
  ['libpq would take any', () => hosts([standby.port, primary.port], '?target_session_attrs=any')],
])('of several hosts in the URL the one that takes writes is used when %s', async (_name, url) => {
  const stores = await openStores({ kind: 'postgres', url: url() });
  await stores.plants.insertPlants([1n, 2n, 3n]);
  expect(await stores.plants.deletePlants([2n])).toEqual(deletions(2n));
  expect(await plantsIn(stores)).toEqual([1n, 3n]);
  await stores.close();
});

test.each([
  ['all hosts are standbys', () => hosts([standby.port, standby.port])],
  ['the only host is one, and a primary is demanded', () => hosts([standby.port], '?target_session_attrs=read-write')],
])('when %s the service waits for a primary', async (_name, url) => {
  const failure: unknown = await openStores({ kind: 'postgres', url: url() }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseUnreachableError);
  expect(String(failure)).toContain(`127.0.0.1:${standby.port} takes no writes`);
  expect(String(failure)).not.toContain(new URL(database).password);
});

test.each([
  ['a wrong password', (url: string) => url.replace(/:[^:@]*@/, ':wrong@'), /\(28P01\)\. .* PGPASSFILE/],
  ['a missing database', (url: string) => `${url}_missing`, /\(3D000\)\. Create /],
])('%s is not waited for while another host is down, and has its reason', async (_name, change, reason) => {
  const url = change(hosts([undefined, standby.port, primary.port]));
  const failure: unknown = await openStores({ kind: 'postgres', url }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(OperatorError);
  expect(failure).not.toBeInstanceOf(DatabaseUnreachableError);
  expect(String(failure)).toMatch(reason);
});

test('migrate and tokens create on a standby say that it takes no writes, and what to do', async () => {
  await (await openStores({ kind: 'postgres', url: hosts([primary.port]) })).close();
  const isThere = "SELECT 1 FROM pg_class WHERE relname = 'plant_store_schema'";
  while ((await run(hosts([standby.port]), isThere)).length === 0) await pause(20);
  const env = { DATABASE_URL: hosts([standby.port]) };
  for (const command of [['migrate'], ['tokens', 'create', 'shop']]) {
    expectRefused(await place.call(command, { env }), 1, '(25006)', 'primary', 'DATABASE_URL');
  }
});

/** Deletes plants until one is answered 204. @returns the other answers, each once. */
async function deleteUntilDone(service: Service, ids: Iterator<bigint>): Promise<Set<number>> {
  const answers = new Set<number>();
  for (;;) {
    const id = ids.next();
    if (id.done === true) throw new Error('No delete was answered 204.');
    const { status, text } = await deletePlant(service, id.value);
    if (status === 204) return answers;
    answers.add(status === 503 ? errorCode(text) : status);
    await pause(20);
  }
}

test('a primary that takes no writes any more is left at once for the other, and a frozen one after a time-out', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => 2n ** 53n + BigInt(index));
  const url = hosts([primary.port, standby.port]);
  const service = await startService(ids, undefined, { database: { kind: 'postgres', url, pool: 2 } });
  const wanted = ids.filter((_, index) => index % 2 === 1)[Symbol.iterator]();
  try {
    expect(await deleteUntilDone(service, wanted)).toEqual(new Set());
    const caughtUp = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()';
    while ((await run(primary.adminUrl, caughtUp)).length === 0) await pause(20);
    await run(standby.adminUrl, 'SELECT pg_promote()');
    await run(primary.adminUrl, 'ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    // The server tells its older connections before it takes a new one that has the setting.
    const isReadOnly = `SELECT 1 WHERE current_setting('default_transaction_read_only') = 'on'`;
    while ((await run(primary.adminUrl, isReadOnly)).length === 0) await pause(20);
    const refused = await deleteUntilDone(service, wanted);
    expect(refused).toEqual(new Set([ERRORS.storeUnavailable.code]));
    const idle = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'plant-store' AND query LIKE '%DELETE%'`;
    while ((await run(primary.adminUrl, idle)).length > 0) await pause(20);
    // Look-ups of tokens, which a read-only server answers too, leave it as well.
    const others = await openStores({ kind: 'postgres', url: hosts([standby.port]) });
    const token = await issueToken(others, 'later');
    await others.close();
    expect(await deletePlant(service, ids[1] ?? 0n, { token })).not.toMatchObject({ status: 401 });

    await standby.signal('SIGSTOP');
    await run(primary.adminUrl, 'ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()');
    // The outcome is unknown where the delete had been sent; new connections time out before that.
    const timedOut = [ERRORS.outcomeUnknown.code, ERRORS.storeUnavailable.code];
    expect(timedOut).toEqual(expect.arrayContaining([...(await deleteUntilDone(service, wanted))]));
    await standby.signal('SIGCONT');

    // Those that were never asked for live, wherever they are.
    const neighbours = ids.filter((_, index) => index % 2 === 0);
    for (const { port } of [primary, standby]) {
      expect(await plantsOf(throughPort(database, port))).toEqual(expect.arrayContaining(neighbours));
    }
  } finally {
    await standby.signal('SIGCONT');
    await service.close();
  }
});
