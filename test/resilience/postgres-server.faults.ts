import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { deleteThroughout } from './delete-throughout.ts';

const server = await ownPostgres();
afterAll(() => server.close());
const place = workplaceOfEachTest();

test.each([
  ['is stopped and started', () => server.stop()],
  ['is killed, all of its processes at once, and started', () => server.kill()],
])('when the server %s, deletes are refused, /readyz follows, and all goes on by itself', async (name, end) => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 20_000, { DATABASE_URL });
  const service = await place.serve({ DATABASE_URL });
  const wanted = everyOther(plants.ids)[Symbol.iterator]();
  const fault = async (): Promise<{ reason: unknown; ms: number }> => {
    await pause(500);
    await end();
    const { body } = await untilReadyz(service, 503, 5_000);
    expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
    await pause(1_000);
    await server.start();
    const start = performance.now();
    await untilReadyz(service, 200, 10_000);
    const ms = Math.round(performance.now() - start);
    await pause(500);
    return { reason: body, ms };
  };
  const { reason, ms } = await deleteThroughout(fault(), plants, service, wanted);
  expect(reason).toEqual({ status: 'not ready', reason: expect.stringMatching(/^PostgreSQL: /) });
  const {
    204: deleted = 0,
    [NOTHING_DONE]: refused = 0,
    [OUTCOME_UNKNOWN]: unknown = 0,
    ...others
  } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
  // Those that were on their way, at most.
  expect(unknown).toBeLessThanOrEqual(8 + 8);
  const after = [...wanted].slice(0, 100);
  await plants.deleteAll(service, after);
  expect(plants.ledger.statuses()).toMatchObject({ 204: deleted + after.length });
  expect(await service.stop()).toBe(0);
  await plants.expectUnharmed(`the PostgreSQL server ${name}`, `${plants.answers()}; ready ${ms} ms after it was`, [
    OUTCOME_UNKNOWN,
  ]);
});

/** Waits until a statement of the service waits for something. */
async function untilWaiting(url: string, event: string): Promise<void> {
  const text = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'plant-store' AND wait_event = '${event}'`;
  while ((await run(url, text)).length === 0) await pause(20);
}

test('killed in mid-commit, before the commit is written: the outcome is unknown, and the plant lives', async () => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 100, { DATABASE_URL });
  const [, id = 0n, other = 0n] = plants.ids;
  await run(
    DATABASE_URL,
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$`,
    `CREATE CONSTRAINT TRIGGER wait AFTER DELETE ON plants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (OLD.id = ${id}) EXECUTE FUNCTION wait()`,
  );
  const service = await place.serve({ DATABASE_URL });
  const answer = plants.delete(service, id);
  await untilWaiting(DATABASE_URL, 'PgSleep');
  await server.kill();
  expect(await answer).toBe(OUTCOME_UNKNOWN);
  await server.start();
  await untilReadyz(service, 200, 10_000);
  await run(DATABASE_URL, 'DROP TRIGGER wait ON plants');
  expect(await plants.delete(service, other)).toBe(204);
  expect(await plants.delete(service, id)).toBe(204);
  expect(await service.stop()).toBe(0);
  await plants.expectUnharmed(
    'the PostgreSQL server is killed in mid-commit, before it is written',
    `${plants.answers()}; repeated: 204`,
    [OUTCOME_UNKNOWN],
  );
});

test('killed in mid-commit, after the commit is written: the outcome is unknown, and the plant is gone', async () => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 100, { DATABASE_URL });
  const [, id = 0n, other = 0n] = plants.ids;
  const service = await place.serve({ DATABASE_URL });
  expect(await plants.delete(service, other)).toBe(204);
  // It waits for a standby that never comes, behind its own commit.
  await run(server.adminUrl, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'", 'SELECT pg_reload_conf()');
  const answer = plants.delete(service, id);
  await untilWaiting(DATABASE_URL, 'SyncRep');
  await server.kill();
  expect(await answer).toBe(OUTCOME_UNKNOWN);
  await server.start();
  await run(server.adminUrl, 'ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
  await untilReadyz(service, 200, 10_000);
  expect(await plants.delete(service, id)).toBe(404);
  expect(await service.stop()).toBe(0);
  await plants.expectUnharmed(
    'the PostgreSQL server is killed in mid-commit, after it is written',
    `${plants.answers()}; repeated: 404`,
    [OUTCOME_UNKNOWN],
  );
});
