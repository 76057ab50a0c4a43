import { INT64_MIN } from '../../contract/numbers/int64.ts';
import { PlantInUseError, type Deletions, type PlantStore } from '../../plants/plant-store.ts';
import { StoreError } from '../../errors.ts';
import { asNothingDone, asStoreError, isKept, isOfRows } from './failures.ts';
import { orStoreError, read, type Pool } from './pool.ts';

/** How many ids are read at a time. The first page is smaller: who looks for one id, or a few, reads no more. */
const PAGE = 10_000;
const FIRST_PAGE = 100;
/** How long the rows of a batch that failed are tried apart, in milliseconds. */
const APART_FOR = 2_000;

const DELETE = 'DELETE FROM plants WHERE id = ANY($1::bigint[]) RETURNING id';
const FIND = 'SELECT id FROM plants WHERE id = ANY($1::bigint[])';

/** Plants in PostgreSQL. */
export function postgresPlants(pool: Pool): PlantStore {
  const { query } = pool;
  return {
    deletePlants: async (ids) => {
      // In one order everywhere, so that transactions with the same rows wait for each other instead of locking each other out.
      const sorted = [...ids].sort(ascending);
      let deleted: ReadonlySet<bigint>;
      try {
        deleted = idsOf(await query(DELETE, [arrayOf(sorted)]));
      } catch (error) {
        if (!isOfRows(error)) throw asStoreError(error);
        return deleteApart(pool, sorted, performance.now() + APART_FOR);
      }
      const others = sorted.filter((id) => !deleted.has(id));
      return others.length === 0 ? { deleted, refused: new Map() } : deleteKept(pool, deleted, others);
    },
    insertPlants: async (ids) => {
      const text = 'INSERT INTO plants (id) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING';
      return (await orStoreError(query(text, [arrayOf(ids)]))).count;
    },
    countPlants: async () => BigInt((await read(query('SELECT count(*) FROM plants'))).rows[0]?.[0] ?? 0),
    plantIds: async function* (start = INT64_MIN) {
      const page = async (condition: string, from: bigint, size: number): Promise<bigint[]> => {
        const text = `SELECT id FROM plants WHERE id ${condition} $1 ORDER BY id LIMIT $2`;
        return [...idsOf(await read(query(text, [String(from), String(size)])))];
      };
      let ids = await page('>=', start, FIRST_PAGE);
      while (ids.length > 0) {
        yield* ids;
        ids = await page('>', ids.at(-1) ?? 0n, PAGE);
      }
    },
  };
}

/**
 * Looks for plants that a statement did not delete, since 404 must be true: a trigger or a policy of the table may have kept them, or
 * somebody else has deleted them and put them back while the statement waited. Those that are there are tried once more, in a transaction
 * that sees one state of the table: of a row that it sees and cannot delete nobody else can be the reason, for then it fails (40001) and is
 * repeated (https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ).
 */
async function deleteKept(pool: Pool, deleted: ReadonlySet<bigint>, others: readonly bigint[]): Promise<Deletions> {
  // What is deleted is durable, whatever becomes of the others.
  const refuse = (ids: readonly bigint[], error: Error): Deletions => ({
    deleted,
    refused: new Map(ids.map((id) => [id, error])),
  });
  let there: bigint[];
  try {
    there = [...idsOf(await pool.query(FIND, [arrayOf(others)]))];
  } catch (error) {
    return refuse(others, asNothingDone(error));
  }
  if (there.length === 0) return { deleted, refused: new Map() };
  try {
    const { seen, again } = await pool.transaction(async (query) => {
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      const seen = idsOf(await query(FIND, [arrayOf(there)]));
      return { seen, again: idsOf(await query(DELETE, [arrayOf([...seen])])) };
    });
    const kept = [...seen].filter((id) => !again.has(id));
    return {
      deleted: new Set([...deleted, ...again]),
      refused: new Map(kept.map((id) => [id, new PlantInUseError(`The table keeps the plant ${id}.`)])),
    };
  } catch (error) {
    return refuse(there, asError(asStoreError(error)));
  }
}

/**
 * Deletes plants of which some cannot be deleted: the halves of those that fail are tried apart, until each row that is to blame is
 * alone. No row is waited for, since that was done before.
 */
async function deleteApart(pool: Pool, ids: readonly bigint[], deadline: number): Promise<Deletions> {
  try {
    if (performance.now() > deadline) throw new StoreError('There was no time left for these plants.', 'nothing done');
    const result = await pool.transaction(async (query) => {
      await query("SET LOCAL lock_timeout = '50ms'");
      await query("SET LOCAL statement_timeout = '1s'");
      return query(DELETE, [arrayOf(ids)]);
    });
    const deleted = idsOf(result);
    const others = ids.filter((id) => !deleted.has(id));
    return others.length === 0 ? { deleted, refused: new Map() } : await deleteKept(pool, deleted, others);
  } catch (error) {
    if (ids.length === 1 || !isOfRows(error)) {
      return { deleted: new Set(), refused: new Map(ids.map((id) => [id, refusalOf(id, error)])) };
    }
    const middle = Math.ceil(ids.length / 2);
    const left = await deleteApart(pool, ids.slice(0, middle), deadline);
    const right = await deleteApart(pool, ids.slice(middle), deadline);
    return {
      deleted: new Set([...left.deleted, ...right.deleted]),
      refused: new Map([...left.refused, ...right.refused]),
    };
  }
}

function refusalOf(id: bigint, cause: unknown): Error {
  if (isKept(cause)) return new PlantInUseError(`The database keeps the plant ${id}.`, { cause });
  return asError(asStoreError(cause));
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An array as PostgreSQL writes it (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
function arrayOf(ids: readonly bigint[]): string {
  return `{${ids.join(',')}}`;
}

function idsOf({ rows }: { readonly rows: readonly (readonly (string | null)[])[] }): ReadonlySet<bigint> {
  const ids = new Set<bigint>();
  for (const [id] of rows) if (id !== null && id !== undefined) ids.add(BigInt(id));
  return ids;
}
