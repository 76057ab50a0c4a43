import { hash } from 'node:crypto';
import { OperatorError } from '../errors.ts';

/** The schema version of a database before it was opened, and now; 0 is none. */
export interface SchemaVersions {
  readonly before: number;
  readonly now: number;
}

/** The checksum of each migration: the SHA-256 of its text, whose white space does not count. */
export function checksumsOf(migrations: readonly string[]): readonly string[] {
  return migrations.map((text) => hash('sha256', text.trim().replaceAll(/\s+/g, ' ')));
}

/**
 * @param version of the schema of a database.
 * @param database its name, which begins a sentence.
 * @throws OperatorError for a database that is newer than the migrations of this program.
 */
export function requireKnownVersion(version: number, migrations: readonly string[], database: string): void {
  if (version <= migrations.length) return;
  throw new OperatorError(
    `${database} has schema version ${version}, but this program knows up to ${migrations.length}: run a newer plant-store; in a checkout, build it first: npm run build.`,
  );
}

/**
 * @param applied the checksums that a database keeps; those of earlier programs keep none.
 * @throws OperatorError for a migration that was edited after the database had applied it.
 */
export function requireUnedited(applied: readonly string[], migrations: readonly string[], database: string): void {
  const known = checksumsOf(migrations);
  const edited = applied.findIndex((checksum, index) => checksum !== known[index]);
  if (edited === -1) return;
  throw new OperatorError(
    `The migration to schema version ${edited + 1} was edited after ${database} had applied it: restore its text in src/stores/migrations.ts, and append the change as a migration of its own.`,
  );
}

/** The error of a migration that the database refuses, which has changed nothing. */
export function failedMigration(version: number, reason: string, cause: unknown): OperatorError {
  const message = `The migration to schema version ${version} in src/stores/migrations.ts failed and changed nothing: ${reason}`;
  return new OperatorError(message, { cause });
}
