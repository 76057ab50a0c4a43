import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { nameOf, postgresServer, run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { deleteThroughout } from './delete-during.ts';

const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

/** Ends all connections of a service. @returns how many there were. */
async function terminate(url: string): Promise<number> {
  const text = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'plant-store' AND datname = '${nameOf(url)}'`;
  return (await run(url, text)).length;
}

test('connections that the server ends under load cost no plant', async () => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 20_000, { DATABASE_URL });
  const service = await place.serve({ DATABASE_URL });
  let ended = 0;
  const fault = async (): Promise<void> => {
    for (let round = 0; round < 50; round++) {
      await pause(50);
      ended += await terminate(DATABASE_URL);
    }
  };
  const wanted = everyOther(plants.ids)[Symbol.iterator]();
  await deleteThroughout(fault(), plants, service, wanted, 32);
  // Nothing is done on a connection that is ended before it can be used.
  const { 204: deleted = 0, [OUTCOME_UNKNOWN]: unknown = 0, [NOTHING_DONE]: _, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(unknown);
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toBe('');
  await plants.expectUnharmed('connections to PostgreSQL are ended under load', `${plants.answers()}; ${ended} ended`, [
    OUTCOME_UNKNOWN,
  ]);
});
