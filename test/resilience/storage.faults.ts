import { afterEach, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { copyFile, link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { workplaceOfEachTest } from '../support/cli.ts';
import { healthOf, queueLength } from '../support/health.ts';
import { reportFault } from '../support/ledger.ts';
import { openRaw } from '../support/raw-connection.ts';
import { errorCode, everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';
import { expectRecovery, fillDisk } from './outage.ts';

// Before the folder is removed; lazily, for when a test has failed its server still works there.
afterEach(() => place.shell('umount -l data 2>/dev/null'));
const place = workplaceOfEachTest();

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

test('while another process holds the lock for 2 seconds /livez is answered and deletes wait for their 204', async () => {
  const plants = await stock(place, 400);
  const server = await place.serve();
  const wanted = everyOther(plants.ids);
  await plants.deleteAll(server, wanted.slice(0, 20));
  const { asked, early, queued } = await whileLocked(plants.file, async (release) => {
    const asked = plants.deleteAll(server, wanted.slice(20), 64);
    await pause(2_000);
    expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
    const early = plants.ledger.statuses()[204];
    const queued = await queueLength(server);
    release();
    return { asked, early, queued };
  });
  await asked;
  expect({ early, queued }).toEqual({ early: 20, queued: 64 });
  expect(await queueLength(server)).toBe(0);
  expect(plants.ledger.statuses()).toEqual({ 204: 200 });
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed('another process holds the write lock for 2 s');
});

test('what waits on a connection behind a delete that waits too long is refused at once, with nothing done', async () => {
  const plants = await stock(place, 100);
  const server = await place.serve();
  const wanted = everyOther(plants.ids).slice(0, 5);
  const { responses, seconds } = await whileLocked(plants.file, async () => {
    const start = performance.now();
    const { socket, until } = await openRaw(server.url);
    socket.write(wanted.map((id) => plants.request(id)).join(''));
    const responses = await until(wanted.length);
    socket.destroy();
    return { responses, seconds: (performance.now() - start) / 1000 };
  });
  const [first, ...behind] = responses.map(({ text }) => errorCode(text));
  expect([50300, 50302]).toContain(first);
  expect(behind).toEqual([50302, 50302, 50302, 50302]);
  for (const { headers } of responses) expect(headers).toMatchObject({ 'retry-after': '1' });
  // Each of them waited for 5 s of its own once.
  expect(seconds).toBeLessThan(8);
  wanted.forEach((id, index) => {
    plants.ledger.note(id, errorCode(responses[index]?.text ?? ''));
  });
  for (const id of wanted) expect(await plants.delete(server, id)).toBe(204);
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed('five deletes in one write while the lock is held for longer than 5 s');
});

test.each([
  ['the database is unlinked under the server', ''],
  ['the database is replaced under the server', ''],
  // What is committed into a log without a name is lost with the process.
  ['the write-ahead log is unlinked under the server', '-wal'],
  ['the index of the write-ahead log is unlinked under the server', '-shm'],
])('%s: it deletes nothing and goes on when the file is back', async (fault, suffix) => {
  const file = join(place.folder, 'data', 'plants.db');
  const [victim, kept, replacement] = [`${file}${suffix}`, `${file}.kept`, `${file}.other`];
  const replaced = fault.includes('replaced');
  await expectRecovery(place, fault, {
    begin: async () => {
      // A second name, by which the operator brings the file back.
      await link(victim, kept);
      if (!replaced) {
        await rm(victim);
        return;
      }
      await copyFile(file, replacement);
      await copyFile(replacement, `${replacement}.copy`);
      await rename(replacement, file);
    },
    end: async () => {
      if (replaced) expect((await readFile(file)).equals(await readFile(`${replacement}.copy`))).toBe(true);
      await rename(kept, victim);
    },
    reason: /removed or replaced/,
  });
});

/** A page in the middle of the plants. */
const PAGE = { start: 12 * 4_096, length: 4_096 };

/** Overwrites the page. @returns what it held. */
async function overwrite(file: string, bytes: Buffer): Promise<Buffer> {
  const handle = await open(file, 'r+');
  try {
    const { buffer } = await handle.read(Buffer.alloc(PAGE.length), 0, PAGE.length, PAGE.start);
    await handle.write(bytes, 0, PAGE.length, PAGE.start);
    return buffer;
  } finally {
    await handle.close();
  }
}

test('plants on a page that was overwritten are refused with nothing done, never with "there is no such plant"', async () => {
  const plants = await stock(place, 20_000);
  const page = await overwrite(plants.file, Buffer.alloc(PAGE.length, 0xa5));
  const server = await place.serve();
  await plants.deleteAll(
    server,
    plants.ids.filter((_, index) => index % 20 === 1),
    4,
  );
  const { 204: deleted = 0, [NOTHING_DONE]: refused = 0, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect({ deleted: deleted > 0, refused: refused > 0 }).toEqual({ deleted: true, refused: true });
  expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
  // Damage stays, whatever is deleted elsewhere.
  const [undamaged = 0n] = plants.ids.slice(19_990);
  expect(await plants.delete(server, undamaged)).toBe(204);
  expect(await healthOf(server, '/readyz')).toEqual({
    status: 503,
    body: { status: 'not ready', reason: expect.stringMatching(/damaged/) },
  });
  expect(server.output()).toMatch(/"level":50.*SQLITE_CORRUPT/);
  expect(await server.stop()).toBe(0);
  // With the page as it was, as a backup would bring it back, every plant can be counted.
  await overwrite(plants.file, page);
  await plants.expectUnharmed('a page of the stopped database is overwritten');
});

const SOURCE = fileURLToPath(new URL('fixtures/failing-io.c', import.meta.url));

test.each(['write', 'fsync'])(
  'a %s that fails is answered with "outcome unknown", the server ends with 1, and the next one finds its files in order',
  async (call) => {
    const fault = `I/O error at ${call}`;
    const { code: compiled } = await place.shell(`cc -shared -fPIC -o failing-io.so '${SOURCE}' -ldl`);
    if (process.platform !== 'linux' || compiled !== 0) {
      await reportFault({ fault, skipped: 'needs Linux and a C compiler' });
      return;
    }
    const plants = await stock(place, 100);
    const env = { LD_PRELOAD: join(place.folder, 'failing-io.so'), FAILING_IO: place.folder };
    const server = await place.serve(env);
    await plants.deleteAll(server, plants.ids.slice(10, 20));
    expect(plants.ledger.statuses()).toEqual({ 204: 10 });

    await place.write(call, '');
    const [id = 0n] = plants.ids.slice(30);
    expect(await plants.delete(server, id)).toBe(OUTCOME_UNKNOWN);
    const { code, stdout } = await server.ended;
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\{"level":60.*SQLITE_IOERR/m);
    // The audit log says that this plant may be gone.
    expect(stdout).toMatch(
      new RegExp(`^.*"name":"audit","id":"${id}","operation":"deletePlant".*"msg":"unknown"\\}$`, 'm'),
    );
    await rm(join(place.folder, call));

    const next = await place.serve();
    expect([204, 404]).toContain(await plants.delete(next, id));
    await plants.deleteAll(next, plants.ids.slice(40, 50));
    expect(await next.stop()).toBe(0);
    const connection = new SqliteConnection(plants.file, { readonly: true });
    expect(connection.pragma('integrity_check', { simple: true })).toBe('ok');
    connection.close();
    await plants.expectUnharmed(fault, [OUTCOME_UNKNOWN]);
  },
);
