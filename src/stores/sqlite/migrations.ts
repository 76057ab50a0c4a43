import type Database from 'better-sqlite3';
import { OperatorError } from '../../errors.ts';

/** What each version of the schema adds to the one before; never edited, only added to. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE plants (id INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE tokens (
     name TEXT PRIMARY KEY,
     hash TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER
   ) STRICT, WITHOUT ROWID;`,
];

/**
 * Brings the schema up to date in one transaction; its version is kept in the file (https://sqlite.org/pragma.html#pragma_user_version).
 * @returns true when there was no schema before; then `seed` has run in the same transaction.
 * @throws OperatorError when the file holds something else, or a schema newer than this program knows.
 */
export function migrate(
  connection: Database.Database,
  file: string,
  seed?: (connection: Database.Database) => void,
): boolean {
  return connection
    .transaction(() => {
      const version = Number(connection.pragma('user_version', { simple: true }));
      if (version > MIGRATIONS.length) {
        throw new OperatorError(
          `The database ${file} has schema version ${version}, but this program knows up to ${MIGRATIONS.length}: run a newer plant-store.`,
        );
      }
      if (version === 0 && connection.prepare('SELECT 1 FROM sqlite_schema').get() !== undefined) {
        throw new OperatorError(
          `The database ${file} holds tables of another program. It is left as it is; name another file in DATABASE_URL.`,
        );
      }
      for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
      if (version === 0) seed?.(connection);
      if (version < MIGRATIONS.length) connection.pragma(`user_version = ${MIGRATIONS.length}`);
      return version === 0;
    })
    .immediate();
}
