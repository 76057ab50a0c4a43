import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { workplace, type Workplace } from '../support/cli.ts';
import { reportFault } from '../support/ledger.ts';
import { NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { expectRecovery, fillDisk } from './outage.ts';

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(async () => {
  // Lazily, for when a test has failed its server still works there.
  await place.shell('umount -l data 2>/dev/null');
  await place.remove();
});

/** Mounts a small file system at `data`. @returns false, with a row, where it cannot. */
async function mountAtData(fault: string, mount: string, needs: string): Promise<boolean> {
  mkdirSync(join(place.folder, 'data'));
  const { code } = await place.shell(`(${mount}) 2>/dev/null`);
  if (code !== 0) await reportFault({ fault, skipped: `needs ${needs}` });
  return code === 0;
}

test('while the disk is full the server lives and deletes nothing; when there is room it goes on by itself', async () => {
  const fault = 'the disk is full';
  if (!(await mountAtData(fault, 'mount -t tmpfs -o size=32m tmpfs data', 'root, to mount a small disk'))) return;
  const filler = join(place.folder, 'data', 'filler');
  await expectRecovery(place, fault, {
    begin: () => {
      fillDisk(filler);
    },
    end: () => rm(filler),
    reason: /full/,
  });
});

/** A file system of its own at `data`. */
const MOUNT = 'dd if=/dev/zero of=disk bs=1M count=16 && mkfs.ext4 -q disk && mount -o loop disk data';
/** ext4 that finds damage (https://man7.org/linux/man-pages/man5/ext4.5.html: abort). */
const ABORT = 'mount -o remount,abort data';

test('when its file system makes itself read-only the server says so and acknowledges nothing more, and what it had is there', async () => {
  const fault = 'the file system finds an error and makes itself read-only';
  if (!(await mountAtData(fault, MOUNT, 'root, ext4 and a loop device'))) return;
  const plants = await stock(place, 400);
  const server = await place.serve();
  await plants.deleteAll(server, plants.ids.slice(0, 50));
  expect(plants.ledger.statuses()).toEqual({ 204: 50 });

  expect(await place.shell(ABORT)).toMatchObject({ code: 0 });
  await plants.deleteAll(server, plants.ids.slice(100, 150), 1);
  const { code } = await server.ended;
  const { 204: deleted, ...refused } = plants.ledger.statuses();
  expect(deleted).toBe(50);
  const known = new Set([String(NOTHING_DONE), String(OUTCOME_UNKNOWN), '0']);
  expect(Object.keys(refused).filter((status) => !known.has(status))).toEqual([]);
  expect(code).toBe(1);

  expect(await place.shell('umount data && mount -o loop disk data')).toMatchObject({ code: 0 });
  await plants.expectUnharmed(fault, [0, OUTCOME_UNKNOWN]);
});
