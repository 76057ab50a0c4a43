import { INT64_MIN } from 'openapi-exact/int64';
import type { SqliteStatement } from './driver.ts';
import { codeOf } from '../../errors.ts';
import { PlantInUseError, type PlantStore } from '../../plants/plant-store.ts';
import { inPages } from '../in-pages.ts';
import { runRead, type SqliteDatabase } from './database.ts';

/** Rows per INSERT; one statement per row is slower. */
const ROWS = 500;

const NO_FAILURES: ReadonlyMap<bigint, Error> = new Map();

/** Plants in SQLite. */
export function sqlitePlants(database: SqliteDatabase): PlantStore {
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

  return {
    deletePlants: (ids) =>
      database.transaction(() => {
        const deleted = new Set<bigint>();
        let refused = NO_FAILURES;
        for (const id of ids) {
          try {
            if (remove.run(id).changes === 1) deleted.add(id);
          } catch (cause) {
            // This error undoes its statement only (https://sqlite.org/lang_conflict.html); others
            // may have ended the transaction.
            if (codeOf(cause) !== 'SQLITE_CONSTRAINT_FOREIGNKEY' || !connection.inTransaction) throw cause;
            refused = new Map(refused).set(id, new PlantInUseError(`A row refers to the plant ${id}.`, { cause }));
          }
        }
        return { deleted, refused };
      }),
    insertPlants: (ids) =>
      database.transaction(() => {
        let inserted = 0;
        let next = 0;
        for (; next + ROWS <= ids.length; next += ROWS) {
          inserted += insertMany.run(...ids.slice(next, next + ROWS)).changes;
        }
        for (; next < ids.length; next++) inserted += insertOne.run(...ids.slice(next, next + 1)).changes;
        return inserted;
      }),
    findPlants: (ids) => runRead(() => new Set(ids.filter((id) => find.get(id) !== undefined))),
    countPlants: () => runRead(() => count.get() ?? 0n),
    plantIds: (start = INT64_MIN) => inPages(start, (first, limit) => runRead(() => from.all(first, limit))),
  };
}
