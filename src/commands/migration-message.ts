import { databaseName, type DatabaseLocation } from '../stores/database-url.ts';
import type { SchemaVersions } from '../stores/migration-checksums.ts';

/** The sentence on the schema change of an opened database. */
export function migrationMessage({ before, now }: SchemaVersions, database: DatabaseLocation): string {
  const schema = `The schema of ${databaseName(database)}`;
  if (before === 0) return `${schema} was made, version ${now}.`;
  if (before === now) return `${schema} is up to date, version ${now}.`;
  return `${schema} was updated from version ${before} to ${now}.`;
}

/** Says on standard error that a command for something else has updated the schema, if it has. */
export function reportMigration(schema: SchemaVersions, database: DatabaseLocation): void {
  if (schema.before !== 0 && schema.before !== schema.now) console.error(migrationMessage(schema, database));
}
