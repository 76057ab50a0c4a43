import { statSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import { databaseName, type DatabaseLocation } from './database-url.ts';
import type { Opening, Stores } from './stores.ts';

/**
 * Opens a database and creates or updates its schema. Loads only the module of its kind.
 * @throws OperatorError with one line on failure.
 */
export async function openStores(location: DatabaseLocation, opening: Opening = {}): Promise<Stores> {
  if (location.kind === 'sqlite') return (await import('./sqlite/open.ts')).openSqlite(location, opening);
  return (await import('./postgres/open.ts')).openPostgres(location, opening);
}

/**
 * Opens an existing database, for commands that are pointless with a new one.
 * @throws OperatorError when it does not exist or cannot be opened.
 */
export async function openExistingStores(location: DatabaseLocation): Promise<Stores> {
  await requireDatabase(location);
  return openStores(location);
}

/** @throws OperatorError when the database or its schema does not exist. Creates neither. */
export async function requireDatabase(location: DatabaseLocation): Promise<void> {
  if (location.kind === 'sqlite') {
    const missing = missingFile(location.file);
    if (missing === undefined) return;
    throw new OperatorError(
      `${missing} ${location.file}. Name another in DATABASE_URL; plant-store serve or migrate creates it.`,
    );
  }
  if (await (await import('./postgres/open.ts')).hasSchema(location)) return;
  throw new OperatorError(
    `The database ${databaseName(location)} has no tables of the plant store. Name another in DATABASE_URL; plant-store serve or migrate creates them.`,
  );
}

/** The message for a missing or an empty file; undefined for others, whose opening fails. */
function missingFile(file: string): string | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return 'There is no database file';
    // SQLite would make a database of it, whatever it held before.
    return stats.isFile() && stats.size === 0 ? 'There is no database in the empty file' : undefined;
  } catch {
    return undefined;
  }
}
