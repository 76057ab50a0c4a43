import { existsSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
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
 * Opens a database that is there, for a command that would have nothing to do in a new one.
 * @throws OperatorError when there is none, or it cannot be opened.
 */
export async function openExistingStores(location: DatabaseLocation): Promise<Stores> {
  await requireDatabase(location);
  return openStores(location);
}

/** @throws OperatorError when there is no database, or it has no schema; none is made. */
export async function requireDatabase(location: DatabaseLocation): Promise<void> {
  if (location.kind === 'sqlite') {
    if (existsSync(location.file)) return;
    throw new OperatorError(
      `There is no database file ${location.file}. Name another in DATABASE_URL; plant-store serve or migrate makes this one.`,
    );
  }
  if (await (await import('./postgres/open.ts')).hasSchema(location)) return;
  throw new OperatorError(
    `The database ${nameOf(location)} has no tables of the plant store. Name another in DATABASE_URL; plant-store serve or migrate makes them.`,
  );
}
