import type Database from 'better-sqlite3';
import { OperatorError } from '../../errors.ts';

/** Tells our files from those of others (https://sqlite.org/pragma.html#pragma_application_id): "plan" in ASCII. */
const APPLICATION_ID = 0x706c616e;

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
 * Reads the version of the schema, which is kept in the file (https://sqlite.org/pragma.html#pragma_user_version), and changes nothing.
 * @throws OperatorError when the file holds something else, or a schema newer than this program knows.
 */
export function requireKnownSchema(connection: Database.Database, file: string): void {
  const version = numberOf(connection, 'user_version');
  if (version > MIGRATIONS.length) {
    throw new OperatorError(
      `The database ${file} has schema version ${version}, but this program knows up to ${MIGRATIONS.length}: run a newer plant-store.`,
    );
  }
  const empty = version === 0 && connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  if (!empty && numberOf(connection, 'application_id') !== APPLICATION_ID) {
    throw new OperatorError(
      `The database ${file} belongs to another program. It is left as it is; name another file in DATABASE_URL.`,
    );
  }
}

/**
 * Brings a known schema up to date in one transaction.
 * @returns true when there was no schema before; then `seed` has run in the same transaction.
 */
export function migrate(connection: Database.Database, seed?: (connection: Database.Database) => void): boolean {
  if (numberOf(connection, 'user_version') === MIGRATIONS.length) return false;
  return connection
    .transaction(() => {
      // Read again: another process may have been faster.
      const version = numberOf(connection, 'user_version');
      for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
      if (version === 0) seed?.(connection);
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${MIGRATIONS.length}`);
      return version === 0;
    })
    .immediate();
}

/** The version of the schema in a file. */
export function schemaVersion(connection: Database.Database): number {
  return numberOf(connection, 'user_version');
}

function numberOf(connection: Database.Database, pragma: 'user_version' | 'application_id'): number {
  return Number(connection.pragma(pragma, { simple: true }));
}
