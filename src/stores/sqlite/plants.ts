import { INT64_MIN } from 'openapi-exact/int64';
import type { SqliteStatement } from './driver.ts';
import { ConstraintError } from '../database.ts';
import { PlantInUseError, type PlantStore } from '../../plants/plant-store.ts';
import { inPages } from '../in-pages.ts';
import { observeCommit, type OnCommit } from '../observe-commit.ts';
import { commitApart } from './commit-apart.ts';
import { failureOfStatement, runRead, type SqliteDatabase } from './database.ts';

/** Rows per INSERT; one statement per row is slower. */
const ROWS = 500;

/** Plants in SQLite. */
export function sqlitePlants(database: SqliteDatabase, onCommit: OnCommit): PlantStore {
  const { connection } = database;
  const remove = connection.prepare<[bigint]>('DELETE FROM plants WHERE id = ?');
  const insertRows = (rows: number): SqliteStatement<bigint[]> =>
    connection.prepare(`INSERT INTO plants (id) VALUES ${Array(rows).fill('(?)').join(', ')} ON CONFLICT DO NOTHING`);
  const insertOne = insertRows(1);
  const insertMany = insertRows(ROWS);
  const find = connection.prepare<[bigint]>('SELECT 1 FROM plants WHERE id = ?').pluck();
  const count = connection.prepare<[], bigint>('SELECT count(*) FROM plants').pluck();
  const from = connection
    .prepare<[bigint, number], bigint>('SELECT id FROM plants WHERE id >= ? ORDER BY id LIMIT ?')
    .pluck();

  const insertAll = (ids: readonly bigint[]): number => {
    let inserted = 0;
    let next = 0;
    for (; next + ROWS <= ids.length; next += ROWS) {
      inserted += insertMany.run(...ids.slice(next, next + ROWS)).changes;
    }
    for (; next < ids.length; next++) inserted += insertOne.run(...ids.slice(next, next + 1)).changes;
    return inserted;
  };
  const deleteOne = (id: bigint): boolean | Error => {
    try {
      return remove.run(id).changes === 1;
    } catch (cause) {
      const failure = failureOfStatement(cause);
      if (!(failure instanceof ConstraintError) || !connection.inTransaction) throw cause;
      return failure;
    }
  };

  return {
    deletePlants: async (ids) => {
      const results = await commitApart(ids, (part) => database.transaction(() => part.map(deleteOne)));
      const deleted = new Set<bigint>();
      const refused = new Map<bigint, Error>();
      for (const [index, id] of ids.entries()) {
        const result = results[index];
        if (result === true) deleted.add(id);
        else if (result instanceof Error) refused.set(id, asRefusal(id, result));
      }
      return { deleted, refused };
    },
    insertPlants: (ids) => observeCommit(onCommit, 1, () => database.transaction(() => insertAll(ids))),
    findPlants: (ids) => runRead(() => new Set(ids.filter((id) => find.get(id) !== undefined))),
    countPlants: () => runRead(() => count.get() ?? 0n),
    plantIds: (start = INT64_MIN) => inPages(start, (first, limit) => runRead(() => from.all(first, limit))),
  };
}

function asRefusal(id: bigint, cause: Error): Error {
  return cause instanceof ConstraintError
    ? new PlantInUseError(`The database keeps the plant ${id}.`, { cause })
    : cause;
}
