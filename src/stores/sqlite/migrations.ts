import type { SqliteConnection } from './driver.ts';
import { codeOf, messageOf, OperatorError } from '../../errors.ts';
import {
  checksumsOf,
  failedMigration,
  requireKnownVersion,
  requireUnedited,
  type SchemaVersions,
} from '../migration-checksums.ts';
import { MIGRATIONS } from '../migrations.ts';

/**
 * Identifies the project's files: "plan" in ASCII
 * (https://sqlite.org/pragma.html#pragma_application_id).
 */
const APPLICATION_ID = 0x706c616e;

/** Holds a checksum for each migration that was applied. */
const CHECKSUMS = 'schema_versions';

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
  requireKnownVersion(schemaVersion(connection), VERSIONS, `The database ${file}`);
  requireOwnFile(connection, file);
}

/** @throws OperatorError for another program's file; an empty one may become ours. */
export function requireOwnFile(connection: SqliteConnection, file: string): void {
  if (isPlantStore(connection) || isEmpty(connection)) return;
  throw new OperatorError(
    `The database ${file} belongs to another program. It is left as it is; name another file in DATABASE_URL.`,
  );
}

/** True for a file that this program, or another version of it, has made. */
export function isPlantStore(connection: SqliteConnection): boolean {
  return numberOf(connection, 'application_id') === APPLICATION_ID;
}

function isEmpty(connection: SqliteConnection): boolean {
  return schemaVersion(connection) === 0 && connection.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
}

/**
 * Updates a known schema in one transaction, in which `seed` fills a new one.
 * @throws OperatorError for a migration that fails, or was edited after it was applied.
 */
export function migrate(
  connection: SqliteConnection,
  file: string,
  seed?: (connection: SqliteConnection) => void,
): SchemaVersions {
  requireUnedited(appliedChecksums(connection), VERSIONS, file);
  const now = VERSIONS.length;
  const version = schemaVersion(connection);
  if (version === now) return { before: version, now };
  return connection
    .transaction(() => {
      // Reads it again: another process may have updated the schema.
      const before = schemaVersion(connection);
      for (const [index, migration] of VERSIONS.entries()) {
        if (index >= before) apply(connection, file, index + 1, migration);
      }
      keepChecksums(connection);
      if (before === 0) seed?.(connection);
      connection.pragma(`application_id = ${APPLICATION_ID}`);
      connection.pragma(`user_version = ${now}`);
      return { before, now };
    })
    .immediate();
}

function apply(connection: SqliteConnection, file: string, version: number, migration: string): void {
  try {
    connection.exec(migration);
  } catch (cause) {
    throw failedMigration(version, `${file}: ${messageOf(cause)} (${codeOf(cause)}).`, cause);
  }
}

/** The checksums of the applied migrations; none in a file of an earlier program. */
function appliedChecksums(connection: SqliteConnection): string[] {
  const isKept = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(CHECKSUMS) !== undefined;
  if (!isKept) return [];
  return connection.prepare<[], string>(`SELECT checksum FROM ${CHECKSUMS} ORDER BY version`).pluck().all();
}

function keepChecksums(connection: SqliteConnection): void {
  connection.exec(
    `CREATE TABLE IF NOT EXISTS ${CHECKSUMS} (version INTEGER PRIMARY KEY, checksum TEXT NOT NULL) STRICT`,
  );
  const keep = connection.prepare(`INSERT INTO ${CHECKSUMS} VALUES (?, ?) ON CONFLICT DO NOTHING`);
  for (const [index, checksum] of checksumsOf(VERSIONS).entries()) keep.run(index + 1, checksum);
}

/** The schema version of a file. */
export function schemaVersion(connection: SqliteConnection): number {
  return numberOf(connection, 'user_version');
}

function numberOf(connection: SqliteConnection, pragma: 'user_version' | 'application_id'): number {
  return Number(connection.pragma(pragma, { simple: true }));
}
