import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePlantAt, workplace, type Workplace } from '../support/cli.ts';
import { reportFault } from '../support/faults.ts';
import { fillDisk } from '../support/fill-disk.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { errorCode, everyOther, NOTHING_DONE, stock } from '../support/stock.ts';

const FAULT = 'the disk is full';

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(async () => {
  // Lazily, for when a test has failed its server still works there.
  await place.shell('umount -l data 2>/dev/null');
  await place.remove();
});

test('while the disk is full the server lives, is not ready and deletes nothing; when there is room it goes on by itself', async () => {
  mkdirSync(join(place.folder, 'data'));
  if ((await place.shell('mount -t tmpfs -o size=4m tmpfs data 2>/dev/null')).code !== 0) {
    await reportFault({ fault: FAULT, skipped: 'needs root, to mount a small disk' });
    return;
  }
  const plants = await stock(place, 400);
  const server = await place.serve();
  const wanted = everyOther(plants.ids);
  await plants.deleteAll(server, wanted.slice(0, 50));
  expect(plants.ledger.statuses()).toEqual({ 204: 50 });

  const filler = join(place.folder, 'data', 'filler');
  fillDisk(filler);
  // The last block of the WAL may have room for a few pages more.
  let done = 50;
  while ((await plants.delete(server, wanted[done] ?? 0n)) === 204) done++;
  expect(done).toBeLessThan(60);
  await plants.deleteAll(server, wanted.slice(done + 1, done + 50));
  expect(plants.ledger.statuses()).toEqual({ 204: done, [NOTHING_DONE]: 50 });
  const refused = await deletePlantAt(server.url, plants.token, wanted[done] ?? 0n);
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  expect(errorCode(refused.text)).toBe(NOTHING_DONE);
  const { body } = await untilReadyz(server, 503, 5_000);
  expect(body).toEqual({ status: 'not ready', reason: expect.stringMatching(/full/) });
  expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });

  await rm(filler);
  const start = performance.now();
  await untilReadyz(server, 200, 5_000);
  const ms = Math.round(performance.now() - start);
  await plants.deleteAll(server, wanted.slice(done));
  expect(plants.ledger.statuses()).toEqual({ 204: wanted.length, [NOTHING_DONE]: 50 });
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(FAULT, `${plants.answers()}; alive, not ready; ready ${ms} ms after there was room`);
});
