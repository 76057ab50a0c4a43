import { existsSync } from 'node:fs';
import { nameOf, type DatabaseLocation } from './database-url.ts';
import type { Sample } from './sample.ts';
import type { Stores } from './stores.ts';

/** How a database is opened. */
export interface Opening {
  /** What it shall hold if it has to be made; nothing by default. */
  readonly sample?: Sample | undefined;
  /** Is told of connections that ended while nobody used them; nobody by default. */
  readonly onLost?: (error: Error) => void;
  /** Is told of a SQLite database that other users can open, with the command that closes it. */
  readonly onExposed?: (command: string) => void;
}

/**
 * Opens a database and makes or updates its schema. The module of each kind is loaded only where it is used.
 * @throws OperatorError with one line when that fails.
 */
export async function openStores(
  location: DatabaseLocation,
  { sample, onLost = () => undefined, onExposed = () => undefined }: Opening = {},
): Promise<Stores> {
  if (location.kind === 'sqlite')
    return (await import('./sqlite/open.ts')).openSqlite(location.file, sample, onExposed);
  return (await import('./postgres/open.ts')).openPostgres(location, sample, onLost);
}

/**
 * Opens a database for a command that only looks, and makes none.
 * @param report is told when there is none.
 */
export async function openExistingStores(
  location: DatabaseLocation,
  report: (line: string) => void,
): Promise<Stores | undefined> {
  const isThere =
    location.kind === 'sqlite'
      ? existsSync(location.file)
      : await (await import('./postgres/open.ts')).hasSchema(location);
  if (isThere) return openStores(location);
  report(`There is no database ${nameOf(location)} yet; DATABASE_URL names another.`);
  return undefined;
}
