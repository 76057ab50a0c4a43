import type { DatabaseLocation } from '../stores/database-url.ts';
import { openExistingStores, openStores } from '../stores/open.ts';
import type { Stores } from '../stores/stores.ts';

/** Works with a database that is there, and closes it. @throws OperatorError when there is none. */
export async function withExistingStores<T>(
  database: DatabaseLocation,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  return closing(await openExistingStores(database), work);
}

/** Works with a database, which is made where there is none, and closes it. */
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
