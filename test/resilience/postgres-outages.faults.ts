import { afterAll, afterEach, expect, test } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { workplaceOfEachTest } from '../support/cli.ts';
import { reportFault } from '../support/ledger.ts';
import { ownPostgres, type OwnPostgres } from '../support/own-postgres.ts';
import { createUser, nameOf, run, throughPort } from '../support/postgres.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { expectRecovery, fillDisk, ON_THEIR_WAY, type Outage } from './outage.ts';

/** Longer than an abandoned connection may be lost, in milliseconds. */
const FROZEN_FOR = 50_000;

const server = await ownPostgres();
afterAll(() => server.close());
// Before the folder of the test is removed.
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const place = workplaceOfEachTest();

/** Of what the deletes of one user need, something is taken away and given back. */
async function withoutRight(begin: string, end: string, reason: RegExp): Promise<Outage> {
  const url = await server.createDatabase();
  expect(await place.run(['migrate'], { env: { DATABASE_URL: url } })).toMatchObject({ code: 0 });
  const user = await createUser(
    url,
    'GRANT SELECT, DELETE ON plants TO {user}',
    'GRANT SELECT, UPDATE ON plant_store_tokens TO {user}',
    'GRANT SELECT ON plant_store_schema TO {user}',
  );
  closing.push(() => user.drop());
  // Those that are open notice nothing.
  const endConnections = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = '{user}'";
  return {
    env: { DATABASE_URL: url },
    serviceEnv: { DATABASE_URL: user.url },
    begin: () => user.run(begin, endConnections),
    end: () => user.run(end),
    reason,
    unknown: ON_THEIR_WAY,
  };
}

/** Holds a lock on the table until the end. */
async function locked(): Promise<Outage> {
  const DATABASE_URL = await server.createDatabase();
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  closing.push(() => client.end());
  return {
    env: { DATABASE_URL, DATABASE_POOL: '2' },
    begin: () => client.query('BEGIN; LOCK TABLE plants'),
    end: () => client.query('COMMIT'),
    reason: /lock timeout \(55P03\)/,
  };
}

/** The primary, and a standby that has each commit before it is acknowledged. */
async function replicated(): Promise<{ primary: OwnPostgres; standby: OwnPostgres; url: string }> {
  const primary = await ownPostgres();
  closing.push(() => primary.close());
  const url = await primary.createDatabase();
  const standby = await primary.standby();
  closing.unshift(() => standby.close());
  await run(primary.adminUrl, "ALTER SYSTEM SET synchronous_standby_names = 'walreceiver'", 'SELECT pg_reload_conf()');
  const inSync = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await run(primary.adminUrl, inSync)).length === 0) await pause(50);
  return { primary, standby, url };
}

async function proxyOf(url: string): Promise<{ proxy: Awaited<ReturnType<typeof tcpProxy>>; DATABASE_URL: string }> {
  const proxy = await tcpProxy(Number(new URL(url).port));
  closing.unshift(() => proxy.close());
  return { proxy, DATABASE_URL: throughPort(url, proxy.port) };
}

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

const [READ_ONLY, PASSWORD, LIMIT] = ['SET default_transaction_read_only =', 'PASSWORD', 'CONNECTION LIMIT'].map(
  (change) => `ALTER ROLE {user} ${change}`,
);
const [REVOKE, GRANT] = ['REVOKE DELETE ON plants FROM {user}', 'GRANT DELETE ON plants TO {user}'];
const [AWAY, BACK] = ['ALTER TABLE plants RENAME TO away', 'ALTER TABLE away RENAME TO plants'];

/** What is taken away and given back, and what /readyz says meanwhile. */
const RIGHTS: readonly (readonly [fault: string, begin: string, end: string, reason: RegExp])[] = [
  ['a right is revoked', REVOKE, GRANT, /permission .*\(42501\)/],
  ['the table is gone', AWAY, BACK, /not exist \(42P01\)/],
  ['nobody may write', `${READ_ONLY} on`, `${READ_ONLY} off`, /read-only transaction \(25006\)/],
  ['the password is changed', `${PASSWORD} 'other'`, `${PASSWORD} 'password'`, /password .* failed .*\(28P01\)/],
  ['there are too many connections', `${LIMIT} 0`, `${LIMIT} -1`, /too many connections .*\(53300\)/],
];

test.each<readonly [fault: string, prepare: () => Promise<Outage | undefined>]>([
  ['the server is stopped and started', () => endedBy(() => server.stop())],
  ['the server is killed, all of its processes at once, and started', () => endedBy(() => server.kill())],
  ["the server's disk is full", onSmallDisk],
  ["somebody locks the table, so that the pool's connections are all in use", locked],
  ...RIGHTS.map(([fault, ...given]) => [fault, () => withoutRight(...given)] as const),
  [
    'new connections hang when they begin',
    async () => {
      const { proxy, DATABASE_URL } = await proxyOf(await server.createDatabase());
      return {
        env: { DATABASE_URL },
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
    'the primary dies, and its standby takes no writes until it is promoted',
    async () => {
      const { primary, standby, url } = await replicated();
      const { proxy, DATABASE_URL } = await proxyOf(url);
      return {
        env: { DATABASE_URL },
        begin: async () => {
          await primary.kill();
          proxy.targets = [standby.port];
          await pause(1_000);
        },
        end: () => run(standby.adminUrl, 'SELECT pg_promote()'),
        reason: /cannot execute DELETE in a read-only transaction \(25006\)/,
        unknown: ON_THEIR_WAY,
      };
    },
  ],
  [
    'the synchronous standby is frozen',
    async () => {
      const { primary, standby, url } = await replicated();
      closing.unshift(() => standby.signal('SIGCONT'));
      const pool = 3;
      // One that asks whether commits hang ends at once.
      const backends = `SELECT 1 FROM pg_stat_activity WHERE datname = '${nameOf(url)}'
        AND application_name = 'plant-store' AND backend_start < now() - interval '1 second'`;
      return {
        env: { DATABASE_URL: url },
        serviceEnv: { DATABASE_POOL: String(pool), NODE_ENV: 'production' },
        begin: () => standby.signal('SIGSTOP'),
        end: async () => {
          for (const end = performance.now() + FROZEN_FOR; performance.now() < end;) {
            // Deletes, look-ups and /readyz have their own; none is opened beyond.
            expect((await run(primary.adminUrl, backends)).length).toBeLessThanOrEqual(pool + 2);
            await pause(200);
          }
          await standby.signal('SIGCONT');
        },
        reason: /^PostgreSQL: no answer within/,
        unknown: Infinity,
      };
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
