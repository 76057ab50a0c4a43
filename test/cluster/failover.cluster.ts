import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Workplace } from '../support/cli.ts';
import { contend, expectOrder } from '../support/contention.ts';
import { reportFault } from '../support/ledger.ts';
import { healthOf, untilReadyz } from '../support/health.ts';
import { run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED, stock, type Stock } from '../support/stock.ts';
import { deleteByAllWays, type Way } from './load.ts';
import { PatroniCluster } from './patroni.ts';
import { clusterPlace, missing } from './programs.ts';
import { haproxy, pgbouncer, untilAnswered, type Proxy } from './proxies.ts';

const PLANTS = 600_000;
const POOL = 5;
/** Connections of a process: for deletes, look-ups and /readyz. */
const CONNECTIONS = POOL + 2;
/** How soon a service must notice that commits hang or succeed again, in milliseconds. */
const NOTICED = 6_000;
/** The longest recovery of a cluster, in milliseconds. */
const RECOVERY = 90_000;

const absent = missing(['patroni', 'etcd', 'haproxy', 'pgbouncer']);

let place: Workplace;
let cluster: PatroniCluster;
let balancer: Proxy;
let pooler: Proxy;
let plants: Stock;
let wanted: Iterator<bigint>;
let ways: Way[];

beforeAll(async () => {
  if (absent.length > 0) return;
  place = await clusterPlace();
  cluster = await PatroniCluster.start(place.folder);
  balancer = await haproxy(cluster, 'plants');
  const { leader } = await cluster.roles();
  const admin = `postgres://postgres@127.0.0.1:${leader.port}/postgres`;
  await run(admin, "CREATE ROLE plants SUPERUSER LOGIN PASSWORD 'password'", 'CREATE DATABASE plants');
  await untilAnswered(balancer.url);
  pooler = await pgbouncer(place.folder, balancer, 'plants');
  await untilAnswered(pooler.url);
  plants = await stock(place, PLANTS, { DATABASE_URL: balancer.url });
  wanted = everyOther(plants.ids)[Symbol.iterator]();
  ways = [
    { name: 'HAProxy', service: await serve(balancer.url) },
    { name: 'PgBouncer', service: await serve(pooler.url) },
    { name: 'several hosts', service: await serve(severalHosts()) },
  ];
}, 300_000);

afterAll(async () => {
  if (absent.length > 0) return;
  await (cluster as PatroniCluster | undefined)?.stop();
  await place.remove();
});

function severalHosts(): string {
  const hosts = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return `postgres://postgres@${hosts}/plants?target_session_attrs=read-write`;
}

async function serve(url: string): Promise<Way['service']> {
  const service = await place.serve({ DATABASE_URL: url, NODE_ENV: 'production', AUDIT_LOG: 'off' });
  service.forget();
  return service;
}

/** Deletes by all ways while a fault happens and until all recover, and expects no damage. */
async function survive(name: string, fault: () => Promise<unknown>): Promise<void> {
  if (absent.length > 0) {
    await reportFault({ fault: name, skipped: `needs ${absent.join(', ')}` });
    return;
  }
  await cluster.untilHealthy();
  const outages = await deleteByAllWays(
    (async () => {
      await pause(1_000);
      await fault();
      for (const { service } of ways) {
        expect(await healthOf(service, '/livez')).toMatchObject({ status: 200 });
        await untilReadyz(service, 200, RECOVERY);
      }
      await pause(1_000);
    })(),
    plants,
    ways,
    wanted,
  );
  for (const status of Object.keys(plants.ledger.statuses())) {
    expect([0, 204, 404, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED].map(String)).toContain(status);
  }
  await plants.expectUnharmed(name, [0, OUTCOME_UNKNOWN], `longest without a 204: ${outages}`);
}

async function freeze(signal: (name: NodeJS.Signals) => void, milliseconds: number): Promise<void> {
  signal('SIGSTOP');
  await pause(milliseconds);
  signal('SIGCONT');
}

/** No service may be ready now, nor open further connections. */
async function expectStalled(milliseconds: number): Promise<void> {
  const { leader } = await cluster.roles();
  const url = `postgres://postgres@127.0.0.1:${leader.port}/postgres`;
  const count = "SELECT count(*)::integer FROM pg_stat_activity WHERE application_name = 'plant-store'";
  for (const { service } of ways) await untilReadyz(service, 503, NOTICED);
  for (const end = performance.now() + milliseconds; performance.now() < end;) {
    await pause(500);
    for (const { service } of ways) expect(await healthOf(service, '/readyz')).toMatchObject({ status: 503 });
    const [row] = await run(url, count);
    expect(row?.['count']).toBeLessThanOrEqual(ways.length * CONNECTIONS);
  }
}

const FAULTS: readonly (readonly [fault: string, happen: () => Promise<unknown>])[] = [
  ['switchover', () => cluster.switchOver()],
  [
    'leader killed',
    async () => {
      await (await cluster.roles()).leader.signalPostgres('SIGKILL');
      await pause(2_000);
    },
  ],
  [
    'leader and its Patroni killed',
    async () => {
      const { leader } = await cluster.roles();
      leader.signalPatroni('SIGKILL');
      await leader.signalPostgres('SIGKILL');
      await untilLeaderIsNot(leader.name);
      leader.start();
    },
  ],
  [
    'leader frozen with its Patroni, and continued when another has taken over',
    async () => {
      const { leader } = await cluster.roles();
      leader.signalPatroni('SIGSTOP');
      await leader.signalPostgres('SIGSTOP');
      await untilLeaderIsNot(leader.name);
      await pause(3_000);
      await leader.signalPostgres('SIGCONT');
      leader.signalPatroni('SIGCONT');
    },
  ],
  ['etcd away for 10 s', () => freeze(cluster.signalEtcd.bind(cluster), 10_000)],
  ['HAProxy restarted', () => balancer.restart()],
  ['PgBouncer restarted', () => pooler.restart()],
  ['HAProxy paused for 4 s', () => freeze(balancer.signal.bind(balancer), 4_000)],
  ['PgBouncer paused for 12 s', () => freeze(pooler.signal.bind(pooler), 12_000)],
  [
    'synchronous standbys frozen, so that commits hang',
    async () => {
      const { others } = await cluster.roles();
      for (const follower of others) await follower.signalPostgres('SIGSTOP');
      await expectStalled(15_000);
      for (const follower of others) await follower.signalPostgres('SIGCONT');
    },
  ],
  [
    'network between leader and standbys cut',
    async () => {
      const { replication, port } = (await cluster.roles()).leader;
      replication.targets = [];
      replication.cut();
      await expectStalled(5_000);
      replication.targets = [port];
    },
  ],
  [
    'a service killed',
    async () => {
      const [way] = ways;
      if (way === undefined) throw new Error('unreachable: there are three');
      way.service.kill('SIGKILL');
      await way.service.ended;
      way.service = await serve(balancer.url);
    },
  ],
  [
    'all servers killed at once and started again',
    async () => {
      for (const node of cluster.nodes) {
        node.signalPatroni('SIGKILL');
        await node.signalPostgres('SIGKILL');
      }
      await pause(2_000);
      for (const node of cluster.nodes) node.start();
      await cluster.roles();
    },
  ],
];

test.each(FAULTS)('%s', survive);

test('deletes of the same plants during a switchover and the end of a leader have an order that explains every answer', async () => {
  const fault = 'a switchover and a killed leader, the same plants again and again';
  if (absent.length > 0) {
    await reportFault({ fault, skipped: `needs ${absent.join(', ')}` });
    return;
  }
  await cluster.untilHealthy();
  await run(balancer.url, 'CREATE DATABASE histories');
  const url = severalHosts().replace('/plants?', '/histories?');
  const few = await stock(place, 2_000, { DATABASE_URL: url });
  const service = await serve(url);
  const over: { resolve: (time: number) => void } = { resolve: () => undefined };
  const ended = new Promise<number>((resolve) => (over.resolve = resolve));
  let faults = Promise.resolve();
  const crowd = { clients: 24, deletes: 12_000, importSize: 0 };
  const reachable = { port: Number(new URL(service.url).port), ended: () => ended };
  const outcomes = await contend(place, few, reachable, crowd, (deletes) => {
    if (deletes === 1_000) faults = faults.then(() => cluster.switchOver());
    if (deletes !== 6_000) return;
    faults = faults.then(async () => {
      await cluster.untilHealthy();
      await (await cluster.roles()).leader.signalPostgres('SIGKILL');
    });
  });
  await faults;
  await cluster.untilHealthy();
  // Patroni may still count the killed leader as a healthy one.
  await untilReadyz(service, 200, RECOVERY);
  expect(await service.stop()).toBe(0);
  over.resolve(performance.now());
  await expectOrder(fault, few, outcomes);
});

async function untilLeaderIsNot(name: string): Promise<void> {
  while ((await cluster.roles()).leader.name === name) await pause(200);
}
