import { INT64_MIN } from 'openapi-exact/int64';
import { PlantInUseError, type Deletions, type OnDeleted, type PlantStore } from '../../plants/plant-store.ts';
import { StoreError } from '../../errors.ts';
import { inPages } from '../in-pages.ts';
import { observeCommit, type OnCommit } from '../observe-commit.ts';
import { asNothingDone, asStatementFailure, asStoreError, isKept, isOfRows } from './failures.ts';
import { awaitRead, type Pool, type Result } from './pool.ts';
import { sqlText } from './sql-text.ts';

/** How long the rows of a failed batch are deleted separately, in milliseconds. */
const APART_FOR = 2_000;

const ONE_SNAPSHOT = ['SET TRANSACTION ISOLATION LEVEL REPEATABLE READ'];
const HARDLY_WAITING = ['SET LOCAL lock_timeout = 50', 'SET LOCAL statement_timeout = 1000'];

const NO_IDS: ReadonlySet<bigint> = new Set();

/**
 * Plants in PostgreSQL.
 * @param poolOf the pool for deletes of a batch with this plant; `pool` by default.
 */
export function postgresPlants(pool: Pool, onCommit: OnCommit, poolOf: (id: bigint) => Pool = () => pool): PlantStore {
  return {
    deletePlants: async (ids, onDeleted = () => undefined) => {
      // A consistent order, so that concurrent transactions wait instead of deadlocking.
      const sorted = [...ids].sort(ascending);
      const deletes = poolOf(sorted[0] ?? 0n);
      let deleted: ReadonlySet<bigint>;
      try {
        deleted = idsOf(await deletes.query(deleteStatement(sorted)));
      } catch (error) {
        if (!isOfRows(error)) throw asStatementFailure(error);
        return deleteApart(deletes, sorted, performance.now() + APART_FOR, onDeleted);
      }
      return deleteKept(deletes, sorted, deleted, onDeleted);
    },
    insertPlants: async (ids) => {
      if (ids.length === 0) return 0;
      // Citus counts conflicting rows too, but returns only new ones.
      const statement = sqlText`INSERT INTO plants (id) SELECT unnest(${ids}) ON CONFLICT DO NOTHING RETURNING true`;
      try {
        return (await observeCommit(onCommit, 1, () => pool.query(statement))).rows.length;
      } catch (error) {
        throw asStatementFailure(error);
      }
    },
    findPlants: async (ids) => idsOf(await awaitRead(pool.query(findStatement(ids)))),
    countPlants: async () => BigInt((await awaitRead(pool.query('SELECT count(*) FROM plants'))).rows[0]?.[0] ?? 0),
    plantIds: (start = INT64_MIN) =>
      inPages(start, async (first, limit) => [
        ...idsOf(
          await awaitRead(pool.query(sqlText`SELECT id FROM plants WHERE id >= ${first} ORDER BY id LIMIT ${limit}`)),
        ),
      ]),
  };
}

/**
 * Retries plants that a statement did not delete, since 404 must be true: a trigger may keep them,
 * or another transaction re-inserted them. A row in the retry's snapshot is kept by the table,
 * unless another transaction deletes it first, which fails (40001) and is retried
 * (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ).
 */
async function deleteKept(
  pool: Pool,
  ids: readonly bigint[],
  deleted: ReadonlySet<bigint>,
  onDeleted: OnDeleted,
): Promise<Deletions> {
  const undeleted = ids.filter((id) => !deleted.has(id));
  if (undeleted.length === 0) return { deleted, refused: new Map() };
  onDeleted(deleted);
  // The deleted rows are durable, whatever happens to the others.
  const refuse = (ids: readonly bigint[], error: Error): Deletions => ({
    deleted,
    refused: new Map(ids.map((id) => [id, error])),
  });
  let there: bigint[];
  try {
    there = [...idsOf(await pool.query(findStatement(undeleted)))];
  } catch (error) {
    return refuse(undeleted, asNothingDone(error));
  }
  if (there.length === 0) return { deleted, refused: new Map() };
  try {
    const results = await pool.queries([findStatement(there), deleteStatement(there)], ONE_SNAPSHOT);
    const [seen = NO_IDS, again = NO_IDS] = results.map(idsOf);
    const kept = [...seen].filter((id) => !again.has(id));
    return {
      deleted: new Set([...deleted, ...again]),
      refused: new Map(kept.map((id) => [id, new PlantInUseError(`The table keeps the plant ${id}.`)])),
    };
  } catch (error) {
    // Which of several plants a new reference keeps shows when they are asked for again.
    return refuse(there, isKept(error) ? asStoreError(error) : asStatementFailure(error));
  }
}

/**
 * Deletes a batch that failed by halving it, until each failing row is alone. Does not wait for
 * locks, since the first attempt did.
 */
async function deleteApart(
  pool: Pool,
  ids: readonly bigint[],
  deadline: number,
  onDeleted: OnDeleted,
): Promise<Deletions> {
  try {
    if (performance.now() > deadline) throw new StoreError('The time for these plants is over.', 'nothing done');
    const deleted = idsOf(await pool.query(deleteStatement(ids), HARDLY_WAITING));
    onDeleted(deleted);
    return await deleteKept(pool, ids, deleted, onDeleted);
  } catch (error) {
    if (ids.length === 1 || !isOfRows(error)) {
      return { deleted: new Set(), refused: new Map(ids.map((id) => [id, deletionFailure(id, error)])) };
    }
    const middle = Math.ceil(ids.length / 2);
    const left = await deleteApart(pool, ids.slice(0, middle), deadline, onDeleted);
    const right = await deleteApart(pool, ids.slice(middle), deadline, onDeleted);
    return {
      deleted: new Set([...left.deleted, ...right.deleted]),
      refused: new Map([...left.refused, ...right.refused]),
    };
  }
}

function deleteStatement(ids: readonly bigint[]): string {
  return sqlText`DELETE FROM plants WHERE id = ANY(${ids}) RETURNING id`;
}

function findStatement(ids: readonly bigint[]): string {
  return sqlText`SELECT id FROM plants WHERE id = ANY(${ids})`;
}

function deletionFailure(id: bigint, cause: unknown): Error {
  if (isKept(cause)) return new PlantInUseError(`The database keeps the plant ${id}.`, { cause });
  return asStatementFailure(cause);
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function idsOf({ rows }: Result): ReadonlySet<bigint> {
  const ids = new Set<bigint>();
  for (const [id] of rows) if (id !== null && id !== undefined) ids.add(BigInt(id));
  return ids;
}
