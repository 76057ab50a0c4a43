import { INT64_MIN } from '../../contract/int64.ts';
import type { PlantStore } from '../../plants/plant-store.ts';
import { read, type SqliteDatabase } from './database.ts';

/** How many ids are read at a time: reading in pages leaves no long transaction behind, which would hold up checkpoints. */
const PAGE = 10_000;
/** The first page is smaller: who looks for one id, or a few, reads no more. */
const FIRST_PAGE = 100;

/** Plants in SQLite. */
export function sqlitePlants({ connection, transaction }: SqliteDatabase): PlantStore {
  const remove = connection.prepare<[bigint]>('DELETE FROM plants WHERE id = ?');
  const insert = connection.prepare<[bigint]>('INSERT INTO plants (id) VALUES (?) ON CONFLICT DO NOTHING');
  const count = connection.prepare<[], bigint>('SELECT count(*) FROM plants').pluck();
  const from = connection
    .prepare<[bigint, number], bigint>('SELECT id FROM plants WHERE id >= ? ORDER BY id LIMIT ?')
    .pluck();
  const after = connection
    .prepare<[bigint, number], bigint>('SELECT id FROM plants WHERE id > ? ORDER BY id LIMIT ?')
    .pluck();

  return {
    deletePlants: (ids) => transaction(() => new Set(ids.filter((id) => remove.run(id).changes === 1))),
    insertPlants: (ids) => transaction(() => ids.reduce((inserted, id) => inserted + insert.run(id).changes, 0)),
    countPlants: () => read(() => count.get() ?? 0n),
    plantIds: async function* (start = INT64_MIN) {
      let page = await read(() => from.all(start, FIRST_PAGE));
      while (page.length > 0) {
        yield* page;
        const last = page.at(-1) ?? 0n;
        page = await read(() => after.all(last, PAGE));
      }
    },
  };
}
