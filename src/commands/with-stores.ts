import type { DatabaseLocation } from '../stores/database-url.ts';
import type { Stores } from '../stores/stores.ts';
import { reportMigration } from './migration-message.ts';

/** Opens a database, runs work on it and closes it. */
export async function withStores<T>(
  database: DatabaseLocation,
  open: (database: DatabaseLocation) => Promise<Stores>,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const stores = await open(database);
  try {
    reportMigration(stores.schema, database);
    return await work(stores);
  } finally {
    await stores.close();
  }
}
