import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { untilReadyz } from '../support/health.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { run } from '../support/postgres.ts';
import { OUTCOME_UNKNOWN, stock } from '../support/stock.ts';

const server = await ownPostgres();
afterAll(() => server.close());
const place = workplaceOfEachTest();

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
  const [other = 0n, ...others] = plants.ids;
  const service = await place.serve({ DATABASE_URL });
  expect(await plants.delete(service, other)).toBe(204);
  for (const statement of wait) await run(DATABASE_URL, statement);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'plant-store' AND wait_event = '${event}'`;
  const isWaiting = async (): Promise<boolean> => (await run(DATABASE_URL, waiting)).length > 0;
  const { id, answer } = await firstThatWaits(others, (one) => plants.delete(service, one), isWaiting);
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
