import type { TokenStore } from '../auth/token-store.ts';
import type { Config } from '../config.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { openDatabase } from './sqlite/database.ts';
import { sqlitePlants } from './sqlite/plants.ts';
import { sqliteTokens } from './sqlite/tokens.ts';

/** What a store that is created holds from its first moment on. */
export interface Sample {
  readonly plants: readonly bigint[];
  readonly tokenName: string;
  readonly tokenHash: string;
}

/** The stores of one database. */
export interface Stores {
  readonly plants: PlantStore;
  readonly tokens: TokenStore;
  /** True when there was no database before, so that this opening made it. */
  readonly created: boolean;
  close(): void;
}

/**
 * Opens the database of the configuration.
 * @param sample what it shall hold if it has to be created; nothing by default.
 * @throws OperatorError with one line when that fails; an existing file is left as it was.
 */
export function openStores({ databaseFile }: Pick<Config, 'databaseFile'>, sample?: Sample): Stores {
  const database = openDatabase(
    databaseFile,
    sample &&
      ((connection) => {
        const plant = connection.prepare('INSERT INTO plants (id) VALUES (?)');
        for (const id of sample.plants) plant.run(id);
        connection
          .prepare('INSERT INTO tokens (name, hash, created_at) VALUES (?, ?, ?)')
          .run(sample.tokenName, sample.tokenHash, BigInt(Date.now()));
      }),
  );
  return {
    plants: sqlitePlants(database),
    tokens: sqliteTokens(database),
    created: database.created,
    close: () => {
      database.close();
    },
  };
}
