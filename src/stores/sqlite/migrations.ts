import type { SqliteConnection } from './driver.ts';
import { OperatorError } from '../../errors.ts';
import { MIGRATIONS } from '../migrations.ts';

/**
 * Identifies the project's files: "plan" in ASCII
 * (https://sqlite.org/pragma.html#pragma_application_id).
 */
const APPLICATION_ID = 0x706c616e;

/** What each schema version adds to the previous one. */
const VERSIONS: readonly string[] = [
  `CREATE TABLE plants (id INTEGER PRIMARY KEY) STRICT;
   CREATE TABLE tokens (
     name TEXT PRIMARY KEY,
     hash TEXT NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER
   ) STRICT, WITHOUT ROWID;`,
  ...MIGRATIONS.map((migration) => migration({ int64: 'INTEGER', bytes: 'BLOB' })),
];

/**
 * Reads the schema version of the file (https://sqlite.org/pragma.html#pragma_user_version).
 * @throws OperatorError for another program's file or a schema newer than this program supports.
 */
export function requireKnownSchema(connection: SqliteConnection, file: string): void {
  const version = numberOf(connection, 'user_version');
  if (version > VERSIONS.length) {
    throw new OperatorError(
      `The database ${file} has schema version ${version}, but this program knows up to ${VERSIONS.length}: run a newer plant-store.`,
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
 * Updates a known schema in one transaction.
 * @returns true for a new schema; then `seed` has run in the same transaction.
 */
export function migrate(connection: SqliteConnection, seed?: (connection: SqliteConnection) => void): boolean {
  if (numberOf(connection, 'user_version') === VERSIONS.length) return false;
  return connection
    .transaction(() => {
      // Reads it again: another process may have updated the schema.
      const version = numberOf(connection, 'user_version');
      for (const migration of VERSIONS.slice(version)) connection.exec(migration);
      if (version === 0) seed?.(connection);
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${VERSIONS.length}`);
      return version === 0;
    })
    .immediate();
}

/** The schema version of a file. */
export function schemaVersion(connection: SqliteConnection): number {
  return numberOf(connection, 'user_version');
}

function numberOf(connection: SqliteConnection, pragma: 'user_version' | 'application_id'): number {
  return Number(connection.pragma(pragma, { simple: true }));
}
