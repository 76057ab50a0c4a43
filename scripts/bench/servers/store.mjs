import { SqliteConnection } from '../../../dist/stores/sqlite/driver.js';
import { file, store } from './settings.mjs';

/**
 * Opens the database with the plant store's durability, which better-sqlite3 lowers to NORMAL in
 * WAL mode, and its size of the WAL, which depends on the page size.
 */
export function openDatabase() {
  const db = new SqliteConnection(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma(`wal_autocheckpoint = ${8_192_000 / db.pragma('page_size', { simple: true })}`);
  return db;
}

/**
 * The competitors' store: better-sqlite3 as in its README, with one durable commit for each
 * request. In memory, every id from 0 is a plant.
 * @returns a function that deletes a plant and tells whether it existed.
 */
export function openStore() {
  if (store === 'memory') return (id) => Number(id) >= 0;
  const remove = openDatabase().prepare('DELETE FROM plants WHERE id = ?');
  return (id) => remove.run(id).changes === 1;
}
