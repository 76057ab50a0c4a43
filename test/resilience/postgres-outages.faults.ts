import { afterAll, afterEach, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/faults.ts';
import { fillDisk } from '../support/fill-disk.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { run, throughPort, withConnection } from '../support/postgres.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { expectRecovery, ON_THEIR_WAY, type Outage } from './outage.ts';

const server = await ownPostgres();
afterAll(() => server.close());
// Before the folder of the test is removed.
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const place = workplaceOfEachTest();

/** Holds a lock on the table until the end. */
async function locked(): Promise<Outage> {
  const DATABASE_URL = await server.createDatabase();
  let release: () => void = () => undefined;
  let held: Promise<void>;
  return {
    env: { DATABASE_URL, DATABASE_POOL: '2' },
    begin: () =>
      new Promise<void>((locked) => {
        held = withConnection(DATABASE_URL, async (execute) => {
          await execute('BEGIN');
          await execute('LOCK TABLE plants');
          const released = new Promise<void>((done) => (release = done));
          locked();
          await released;
          await execute('COMMIT');
        });
      }),
    end: () => {
      release();
      return held;
    },
    reason: /lock timeout \(55P03\)/,
  };
}

/** A server on a small disk. */
async function onSmallDisk(): Promise<Outage | undefined> {
  const disk = join(place.folder, 'disk');
  mkdirSync(disk);
  if ((await place.shell('chmod 755 . && mount -t tmpfs -o size=200m,mode=755 tmpfs disk 2>/dev/null')).code !== 0)
    return undefined;
  closing.push(() => place.shell('umount -l disk'));
  const small = await ownPostgres({}, { folder: join(disk, 'data') });
  closing.unshift(() => small.close());
  return {
    env: { DATABASE_URL: await small.createDatabase() },
    begin: async () => {
      fillDisk(join(disk, 'filler'));
      // Its log needs a new file with the next change.
      await run(small.adminUrl, 'SELECT pg_switch_wal()').catch(() => undefined);
    },
    end: async () => {
      await rm(join(disk, 'filler'));
      await small.start();
    },
    reason: /^PostgreSQL: /,
    // It panics: whether a commit was written before shows when it comes up again.
    unknown: Infinity,
  };
}

async function endedBy(begin: () => Promise<void>): Promise<Outage> {
  const env = { DATABASE_URL: await server.createDatabase() };
  return { env, begin, end: () => server.start(), reason: /^PostgreSQL: /, unknown: ON_THEIR_WAY };
}

test.each<readonly [fault: string, prepare: () => Promise<Outage | undefined>]>([
  ['the server is stopped and started', () => endedBy(() => server.stop())],
  ['the server is killed, all of its processes at once, and started', () => endedBy(() => server.kill())],
  ["the server's disk is full", onSmallDisk],
  ["somebody locks the table, so that the pool's connections are all in use", locked],
  [
    'new connections hang when they begin',
    async () => {
      const proxy = await tcpProxy(server.port);
      closing.unshift(() => proxy.close());
      return {
        env: { DATABASE_URL: throughPort(await server.createDatabase(), proxy.port) },
        begin: () => {
          proxy.fate = (text) => (text.includes('user') ? 'hang' : 'pass');
          proxy.cut();
        },
        end: () => (proxy.fate = () => 'pass'),
        reason: /^PostgreSQL: /,
        unknown: ON_THEIR_WAY,
      };
    },
  ],
  [
    'commits hang, because its synchronous standby is away',
    async () => {
      const env = { DATABASE_URL: await server.createDatabase() };
      const set = (change: string): Promise<unknown> =>
        run(server.adminUrl, `ALTER SYSTEM ${change}`, 'SELECT pg_reload_conf()');
      const begin = (): Promise<unknown> => set("SET synchronous_standby_names = 'away'");
      // Longer than the service waits for an answer.
      const end = (): Promise<unknown> => pause(6_000).then(() => set('RESET synchronous_standby_names'));
      return { env, begin, end, reason: /^PostgreSQL: no answer within/, unknown: Infinity };
    },
  ],
])(
  'PostgreSQL: %s: deletes are refused truthfully, /readyz says why, and all goes on by itself',
  async (fault, prepare) => {
    const outage = await prepare();
    if (outage === undefined) await reportFault({ fault, skipped: 'needs root, to mount a small disk' });
    else await expectRecovery(place, `PostgreSQL: ${fault}`, outage);
  },
);
