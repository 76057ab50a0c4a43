import type { DatabaseLocation } from '../stores/database-url.ts';
import { openExistingStores, openStores } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';

/**
 * Opens an existing database, runs work on it and closes it.
 * @throws OperatorError when it does not exist.
 */
export async function withExistingStores<T>(
  database: DatabaseLocation,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  return closing(await openExistingStores(database), work);
}

/** Opens or creates a database, runs work on it and closes it. */
export async function withStores<T>(database: DatabaseLocation, work: (stores: Stores) => Promise<T>): Promise<T> {
  return closing(await openStores(database), work);
}

async function closing<T>(stores: Stores, work: (stores: Stores) => Promise<T>): Promise<T> {
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}
