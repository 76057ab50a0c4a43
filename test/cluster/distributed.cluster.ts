import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { hashInt8 } from '../../src/stores/postgres/shards.ts';
import { openStores } from '../../src/stores/open.ts';
import type { ServerProcess, Workplace } from '../support/cli.ts';
import { reportFault } from '../support/ledger.ts';
import { healthOf } from '../support/health.ts';
import { run } from '../support/postgres.ts';
import { everyOther, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED, stock, type Stock } from '../support/stock.ts';
import { plantsIn } from '../support/service.ts';
import { hasCitus, startCitus, type CitusCluster } from './citus.ts';
import { clusterPlace } from './programs.ts';

/** How soon a plant on a running worker is deleted while the other is down, in milliseconds. */
const SOON = 1_000;
const CLIENTS = 32;
const INT64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const isHere = hasCitus();

let place: Workplace;
let cluster: CitusCluster;
let plants: Stock;
let env: { DATABASE_URL: string; NODE_ENV: string };
let service: ServerProcess;

beforeAll(async () => {
  if (!isHere) return;
  place = await clusterPlace();
  cluster = await startCitus(place.folder);
  env = { DATABASE_URL: cluster.coordinator.adminUrl, NODE_ENV: 'production' };
  expect(await place.run(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
  await cluster.distribute();
  plants = await stock(place, 20_000, env);
  service = await place.serve(env);
}, 120_000);

afterAll(async () => {
  if (!isHere) return;
  expect(await service.stop()).toBe(0);
  for (const node of [cluster.coordinator, ...cluster.workers]) await node.close();
  await place.remove();
});

/** Runs a test where Citus is installed, and says so where it is not. */
async function onCitus(fault: string, work: () => Promise<void>): Promise<void> {
  if (isHere) await work();
  else await reportFault({ fault, skipped: 'needs the extension Citus' });
}

test('the shard of every id is that of Citus, so that a statement for one shard goes to one', () =>
  onCitus('the shard of an id', async () => {
    const ids = [...fc.sample(INT64, 1_000), -(2n ** 63n), 2n ** 63n - 1n, 0n, -1n, 9007199254740993n];
    const rows = await run(
      cluster.coordinator.adminUrl,
      `SELECT hashint8(id) AS hash FROM unnest('{${ids.join()}}'::bigint[]) AS id`,
    );
    expect(ids.map(hashInt8)).toEqual(rows.map(({ hash }) => hash));
    const stores = await openStores({ kind: 'postgres', url: cluster.coordinator.adminUrl });
    try {
      const shards = ids.map((id) => `get_shard_id_for_distribution_column('plants', '${id}'::bigint)`);
      const [row = {}] = await run(cluster.coordinator.adminUrl, `SELECT ARRAY[${shards.join()}] AS shards`);
      const partOf = stores.partOf ?? (() => NaN);
      const pairs = new Set(ids.map((id, index) => `${partOf(id)} ${String((row['shards'] as unknown[])[index])}`));
      // As many pairs as shards: each part is one shard.
      expect(pairs.size).toBe(new Set(ids.map(partOf)).size);
      expect(new Set(ids.map(partOf)).size).toBe(32);
    } finally {
      await stores.close();
    }
  }));

test('ids are exact over the whole range, an import is complete, and migrate leaves the table distributed', () =>
  onCitus('a distributed table', async () => {
    const stores = await openStores({ kind: 'postgres', url: cluster.coordinator.adminUrl });
    try {
      const ends = [-(2n ** 63n), -(2n ** 63n) + 1n, 9007199254740993n - 2n ** 60n, 2n ** 63n - 2n, 2n ** 63n - 1n];
      expect(await stores.plants.insertPlants([...ends, ...ends])).toBe(5);
      expect(await stores.plants.insertPlants(ends)).toBe(0);
      const [first = 0n, , third = 0n, , last = 0n] = ends;
      for (const id of [first, third, last]) {
        expect(await stores.plants.deletePlants([id])).toEqual({ deleted: new Set([id]), refused: new Map() });
      }
      expect((await plantsIn(stores)).filter((id) => ends.includes(id))).toEqual([ends[1], ends[3]]);
      for (const id of ends) await stores.plants.deletePlants([id]);
    } finally {
      await stores.close();
    }
    expect(await place.run(['migrate'], { env })).toMatchObject({ code: 0, stderr: '' });
    const text = "SELECT count(*)::integer AS shards FROM pg_dist_shard WHERE logicalrelid = 'plants'::regclass";
    expect(await run(cluster.coordinator.adminUrl, text)).toEqual([{ shards: 32 }]);
  }));

test('of two processes that delete the same plants exactly one deletes each', () =>
  onCitus('two processes on Citus', async () => {
    const second = await place.serve(env);
    const wanted = everyOther(plants.ids).slice(0, 2_000);
    await Promise.all([service, second].map((deleting) => plants.deleteAll(deleting, wanted, CLIENTS)));
    expect(plants.ledger.statuses()).toEqual({ 204: wanted.length, 404: wanted.length });
    expect(await second.stop()).toBe(0);
    await plants.expectUnharmed('two processes on Citus');
  }));

/** The plants whose shards a worker has. */
async function plantsOf(port: number): Promise<ReadonlySet<bigint>> {
  const text = `SELECT id FROM (SELECT id FROM plants OFFSET 0) p JOIN pg_dist_shard s
      ON hashint8(id) BETWEEN s.shardminvalue::integer AND s.shardmaxvalue::integer
    JOIN citus_shards c USING (shardid) WHERE s.logicalrelid = 'plants'::regclass AND c.nodeport = ${port}`;
  const rows = await run(cluster.coordinator.adminUrl, text);
  return new Set(rows.map(({ id }) => BigInt(String(id))));
}

/** Deletes plants of both workers while one of them fails. */
async function survive(
  fault: string,
  first: number,
  fail: () => Promise<void>,
  recover: () => Promise<void>,
  whileFailed: () => Promise<void>,
): Promise<void> {
  const [, secondWorker] = cluster.workers;
  const wanted = everyOther(plants.ids).slice(first, first + 3_000);
  const own = await plantsOf(secondWorker.port);
  const before = plants.ledger.statuses();
  const statuses = new Set<number>();
  let [soon, asked, isOver] = [0, 0, false];
  const work = async (ids: Iterable<bigint>): Promise<void> => {
    for (const id of ids) {
      if (isOver) return;
      const start = performance.now();
      const status = await plants.delete(service, id);
      if (!own.has(id)) statuses.add(status);
      else {
        asked++;
        if (status === 204 && performance.now() - start < SOON) soon++;
      }
    }
  };
  const clients = (ids: readonly bigint[]): Promise<unknown> => {
    const queue = ids[Symbol.iterator]();
    return Promise.all(Array.from({ length: CLIENTS }, () => work(queue)));
  };
  const others = clients(wanted.filter((id) => !own.has(id)));
  await pause(100);
  try {
    await fail();
    // Longer than the service waits for an answer, so that it has given connections up.
    await pause(10_000);
    await clients(wanted.filter((id) => own.has(id)));
    expect(await healthOf(service, '/readyz')).toEqual({ status: 200, body: { status: 'ready' } });
    await whileFailed();
  } finally {
    isOver = true;
    await recover();
    await others;
  }
  expect(asked).toBeGreaterThan(500);
  expect(soon / asked).toBeGreaterThanOrEqual(0.95);
  for (const status of statuses) expect([204, NOTHING_DONE, OUTCOME_UNKNOWN, OVERLOADED]).toContain(status);
  expect(plants.ledger.statuses()[404]).toBe(before[404]);
  const measured = `${soon} of ${asked} plants of the other worker deleted within a second`;
  await plants.expectUnharmed(fault, [OUTCOME_UNKNOWN], measured);
}

test.each<[fault: string, first: number, signal: 'SIGSTOP' | 'SIGKILL']>([
  ['frozen', 2_000, 'SIGSTOP'],
  ['killed', 5_000, 'SIGKILL'],
])('while one of two workers is %s the plants of the other are deleted within a second', async (how, first, signal) => {
  const fault = `one of two workers of Citus is ${how}`;
  await onCitus(fault, async () => {
    const [failed, alive] = cluster.workers;
    const isKilled = signal === 'SIGKILL';
    await survive(
      fault,
      first,
      () => (isKilled ? failed.kill() : failed.signal(signal)),
      () => (isKilled ? failed.start() : failed.signal('SIGCONT')),
      async () => {
        if (!isKilled) return;
        const metrics = await (await fetch(`${service.admin}/metrics`)).text();
        expect(metrics).toContain(`store_worker_up{worker="127.0.0.1:${failed.port}"} 0`);
        expect(metrics).toContain(`store_worker_up{worker="127.0.0.1:${alive.port}"} 1`);
      },
    );
  });
});
