import type { Stores } from '../stores/stores.ts';

/** Runs work on a database that is being opened, and closes it. */
export async function withStores<T>(opening: Promise<Stores>, work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await opening;
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}
