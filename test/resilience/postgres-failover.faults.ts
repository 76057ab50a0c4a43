import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/faults.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { UNHARMED } from '../support/ledger.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { run, throughPort } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { deleteThroughout } from './delete-throughout.ts';

const STANDBY = 'standby';

const place = workplaceOfEachTest();

test('failover: the primary dies, its standby takes no writes until it is promoted, and no acknowledged delete is lost', async () => {
  const primary = await ownPostgres();
  const url = await primary.createDatabase();
  const plants = await stock(place, 20_000, { DATABASE_URL: url });
  const standby = await primary.standby(STANDBY);
  const proxy = await tcpProxy(primary.port);
  try {
    // From now on a commit is on both before it is acknowledged.
    await run(primary.adminUrl, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`, 'SELECT pg_reload_conf()');
    const inSync = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await run(primary.adminUrl, inSync)).length === 0) await pause(50);
    const service = await place.serve({ DATABASE_URL: throughPort(url, proxy.port) });
    const wanted = everyOther(plants.ids)[Symbol.iterator]();

    const fault = async (): Promise<{ body: unknown; ms: number }> => {
      await pause(500);
      await primary.kill();
      proxy.targets = [standby.port];
      await pause(1_000);
      const { body } = await healthOf(service, '/readyz');
      expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
      await run(standby.adminUrl, 'SELECT pg_promote()');
      const start = performance.now();
      await untilReadyz(service, 200, 10_000);
      const ms = Math.round(performance.now() - start);
      await pause(500);
      return { body, ms };
    };
    const { body, ms } = await deleteThroughout(fault(), plants, service, wanted);
    const reason = 'PostgreSQL: cannot execute DELETE in a read-only transaction (25006)';
    expect(body).toEqual({ status: 'not ready', reason });
    const { 204: deleted = 0, [NOTHING_DONE]: refused = 0, [OUTCOME_UNKNOWN]: _, ...others } = plants.ledger.statuses();
    expect(others).toEqual({});
    expect(refused).toBeGreaterThan(0);
    const after = [...wanted].slice(0, 100);
    await plants.deleteAll(service, after);
    expect(plants.ledger.statuses()).toMatchObject({ 204: deleted + after.length });
    expect(await service.stop()).toBe(0);
    const env = { DATABASE_URL: throughPort(url, standby.port) };
    const { stdout } = await place.run(['plants', 'export'], { env });
    const now = stdout.split('\n').slice(0, -1).map(BigInt);
    const damage = plants.ledger.damage(now, (status) => status === OUTCOME_UNKNOWN);
    await reportFault({
      fault: 'failover of PostgreSQL to a standby that takes no writes at first',
      happened: `${plants.answers()}; ready ${ms} ms after the promotion`,
      ...damage,
    });
    expect(damage).toEqual(UNHARMED);
  } finally {
    await proxy.close();
    await standby.close();
    await primary.close();
  }
});
