import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { nameOf, postgresServer, run, withConnection } from '../support/postgres.ts';
import { everyOther, stock } from '../support/stock.ts';

const server = await postgresServer();
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
