import Database from 'better-sqlite3';
import { file, store } from './settings.mjs';

/**
 * The store of the rivals: better-sqlite3 as in its README, one durable commit for each request. With BENCH_STORE=instant there is
 * no store.
 */
export function openStore() {
  if (store === 'instant') return () => true;
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  // The same durability as ours: better-sqlite3 runs WAL with NORMAL by default.
  db.pragma('synchronous = FULL');
  const remove = db.prepare('DELETE FROM plants WHERE id = ?');
  return (id) => remove.run(id).changes === 1;
}
