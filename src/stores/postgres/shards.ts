import type { Pool, Query } from './pool.ts';

/** Where Citus keeps a plant. */
interface Shards {
  /** The shard of a plant, as a number. */
  readonly shardOf: (id: bigint) => number;
  /** The worker of its shard when the service started, as a number. */
  readonly workerOf: (id: bigint) => number;
  /** Number of workers. */
  readonly workers: number;
}

/**
 * Reads how Citus has distributed the table of plants over its workers
 * (https://docs.citusdata.com/en/stable/develop/api_metadata.html). A statement for one shard goes
 * to one worker in one phase; one for several shards is a two-phase commit that needs all workers.
 * @returns undefined for a table that is not distributed by the hash of its id.
 */
export async function readShards(query: Query): Promise<Shards | undefined> {
  const { rows: found } = await query("SELECT to_regclass('pg_catalog.pg_dist_partition')");
  if (found[0]?.[0] === null) return undefined;
  const { rows } = await query(
    `SELECT shardminvalue, min(groupid) FROM pg_dist_shard
       JOIN pg_dist_partition USING (logicalrelid) JOIN pg_dist_placement USING (shardid)
     WHERE logicalrelid = to_regclass('plants') AND partmethod = 'h'
       AND column_to_column_name(logicalrelid, partkey) = 'id'
     GROUP BY shardminvalue ORDER BY shardminvalue::integer`,
  );
  if (rows.length === 0) return undefined;
  const first = rows.map(([minimum]) => Number(minimum));
  const workers = rows.map(([, group]) => Number(group));
  const shardOf = (id: bigint): number => lastNotAbove(first, hashInt8(id));
  return { shardOf, workerOf: (id) => workers[shardOf(id)] ?? 0, workers: new Set(workers).size };
}

/** The workers of Citus, as host and port, and whether the coordinator reaches each. */
export async function reachableWorkers(pool: Pool): Promise<ReadonlyMap<string, boolean>> {
  const statement = "SELECT nodename || ':' || nodeport, success FROM run_command_on_workers('SELECT 1')";
  const { rows } = await pool.query(statement);
  return new Map(rows.map(([worker, isUp]) => [String(worker), isUp === 't']));
}

/** The index of the last number that is not above a value; the numbers ascend. */
function lastNotAbove(numbers: readonly number[], value: number): number {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** PostgreSQL's hashint8 (src/backend/access/hash/hashfunc.c), which Citus uses for bigint. */
export function hashInt8(id: bigint): number {
  const low = Number(BigInt.asIntN(32, id));
  const high = Number(BigInt.asIntN(32, id >> 32n));
  return hashUint32(low ^ (id >= 0n ? high : ~high));
}

/** PostgreSQL's hash_bytes_uint32 (src/common/hashfn.c): the last step of Bob Jenkins' lookup3. */
function hashUint32(key: number): number {
  const initial = 0x9e3779b9 + 4 + 3923095;
  let [a, b, c] = [initial + key, initial, initial];
  c = (c ^ b) - rotate(b, 14);
  a = (a ^ c) - rotate(c, 11);
  b = (b ^ a) - rotate(a, 25);
  c = (c ^ b) - rotate(b, 16);
  a = (a ^ c) - rotate(c, 4);
  b = (b ^ a) - rotate(a, 14);
  return ((c ^ b) - rotate(b, 24)) | 0;
}

/** Rotates 32 bits to the left. */
function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
