import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workplace, type Workplace } from '../support/cli.ts';
import { reportFault } from '../support/faults.ts';
import { fillDisk } from '../support/fill-disk.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { deleteThroughout } from './delete-throughout.ts';

const FAULT = "the PostgreSQL server's disk is full";

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(async () => {
  // Lazily, for when a test has failed its server still works there.
  await place.shell('umount -l disk 2>/dev/null');
  await place.remove();
});

test('while the disk of the server is full the service lives, is not ready and tells the truth; with room it goes on by itself', async () => {
  mkdirSync(join(place.folder, 'disk'));
  if ((await place.shell('chmod 755 . && mount -t tmpfs -o size=200m,mode=755 tmpfs disk 2>/dev/null')).code !== 0) {
    await reportFault({ fault: FAULT, skipped: 'needs root, to mount a small disk' });
    return;
  }
  const server = await ownPostgres({}, { folder: join(place.folder, 'disk', 'data') });
  try {
    const DATABASE_URL = await server.createDatabase();
    const plants = await stock(place, 20_000, { DATABASE_URL });
    const service = await place.serve({ DATABASE_URL });
    const wanted = everyOther(plants.ids)[Symbol.iterator]();
    const filler = join(place.folder, 'disk', 'filler');
    const fault = async (): Promise<unknown> => {
      await pause(500);
      fillDisk(filler);
      // Its log needs a new file with the next change.
      await run(server.adminUrl, 'SELECT pg_switch_wal()').catch(() => undefined);
      const { body } = await untilReadyz(service, 503, 20_000);
      expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
      await pause(1_000);
      await rm(filler);
      await server.start();
      await untilReadyz(service, 200, 20_000);
      return body;
    };
    const body = await deleteThroughout(fault(), plants, service, wanted);
    expect(body).toEqual({ status: 'not ready', reason: expect.stringMatching(/^PostgreSQL: /) });
    // It panics: whether the commit was written before shows when it comes up again.
    const failures = service
      .output()
      .split('\n')
      .filter((line) => line.includes('(53100)') && line.includes('"outcome"'));
    expect(failures.length).toBeGreaterThan(0);
    for (const line of failures) expect(line).toContain('"outcome":"unknown"');
    const after = [...wanted].slice(0, 100);
    const { 204: deleted = 0, [NOTHING_DONE]: _, [OUTCOME_UNKNOWN]: __, ...others } = plants.ledger.statuses();
    expect(others).toEqual({});
    await plants.deleteAll(service, after);
    expect(plants.ledger.statuses()).toMatchObject({ 204: deleted + after.length });
    expect(await service.stop()).toBe(0);
    await plants.expectUnharmed(FAULT, `${plants.answers()}; alive, not ready`, [OUTCOME_UNKNOWN]);
  } finally {
    await server.close();
  }
});
