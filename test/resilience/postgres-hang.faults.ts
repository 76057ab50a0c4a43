import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { nameOf, run } from '../support/postgres.ts';
import { everyOther, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';

const POOL = 3;
/** For deletes, look-ups and /readyz. */
const CONNECTIONS = POOL + 2;
/** Longer than a statement may take, so that some are abandoned, in milliseconds. */
const FROZEN_FOR = 18_000;

const place = workplaceOfEachTest();

test('while the synchronous standby is frozen nothing is acknowledged, /readyz says so, and no further connections open', async () => {
  const primary = await ownPostgres();
  const url = await primary.createDatabase();
  const plants = await stock(place, 2_000, { DATABASE_URL: url });
  const standby = await primary.standby('standby');
  try {
    await run(primary.adminUrl, "ALTER SYSTEM SET synchronous_standby_names = 'standby'", 'SELECT pg_reload_conf()');
    const inSync = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await run(primary.adminUrl, inSync)).length === 0) await pause(50);
    const service = await place.serve({ DATABASE_URL: url, DATABASE_POOL: String(POOL), NODE_ENV: 'production' });
    const wanted = everyOther(plants.ids);
    await plants.deleteAll(service, wanted.slice(0, 100));
    expect(plants.ledger.statuses()).toEqual({ 204: 100 });

    await standby.signal('SIGSTOP');
    const start = performance.now();
    let most = 0;
    const backends = `SELECT 1 FROM pg_stat_activity WHERE datname = '${nameOf(url)}' AND application_name = 'plant-store'`;
    // Clients without back-off.
    const deletes = plants.deleteAll(service, wanted.slice(100, 400), 50);
    const { body } = await untilReadyz(service, 503, 10_000);
    while (performance.now() - start < FROZEN_FOR) {
      expect(await healthOf(service, '/readyz')).toMatchObject({ status: 503 });
      expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
      most = Math.max(most, (await run(primary.adminUrl, backends)).length);
      await pause(200);
    }
    await standby.signal('SIGCONT');
    await untilReadyz(service, 200, 10_000);
    await deletes;
    expect(body).toEqual({ status: 'not ready', reason: expect.stringMatching(/^PostgreSQL: no answer within/) });
    expect(most).toBeLessThanOrEqual(CONNECTIONS);
    expect(plants.ledger.statuses()[OUTCOME_UNKNOWN]).toBeGreaterThan(0);
    // One line of a cause in a second, and one per change of the audit.
    const errors = service
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":50'));
    expect(errors.length).toBeLessThan((2 * FROZEN_FOR) / 1000 + 10);
    expect(errors.join('\n')).not.toContain('    at ');
    await plants.deleteAll(service, wanted.slice(400));
    expect(await service.stop()).toBe(0);
    const happened = `${plants.answers()}; at most ${most} connections`;
    await plants.expectUnharmed('the synchronous standby of PostgreSQL is frozen', happened, [50300, 50301, 50302]);
  } finally {
    await standby.signal('SIGCONT');
    await standby.close();
    await primary.close();
  }
});
