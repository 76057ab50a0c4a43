import { existsSync } from 'node:fs';
import type { TokenStore } from '../auth/token-store.ts';
import type { Config } from '../config.ts';
import type { StoreError } from '../errors.ts';
import type { PlantStore } from '../plants/plant-store.ts';
import { openDatabase } from './sqlite/database.ts';
import { sqlitePlants } from './sqlite/plants.ts';
import { seedWith, type Sample } from './sqlite/seed.ts';
import { sqliteTokens } from './sqlite/tokens.ts';

export type { Sample };

/** The stores of one database. */
export interface Stores {
  readonly plants: PlantStore;
  readonly tokens: TokenStore;
  /** True when there was no database before, so that this opening made it. */
  readonly created: boolean;
  /** Resolves when the store can no longer be written: the process has to be started anew. */
  readonly failed: Promise<StoreError>;
  /** Whether the store can be read and written now. It rejects with a StoreError that says why not. */
  readonly check: () => Promise<void>;
  readonly close: () => void;
}

/**
 * Opens the database of the configuration.
 * @param sample what it shall hold if it has to be made; nothing by default.
 * @throws OperatorError with one line when that fails; an existing file is left as it was.
 */
export function openStores({ databaseFile }: Pick<Config, 'databaseFile'>, sample?: Sample): Stores {
  const database = openDatabase(databaseFile, sample && seedWith(sample));
  return {
    plants: sqlitePlants(database),
    tokens: sqliteTokens(database),
    created: database.created,
    failed: database.failed,
    check: database.check,
    close: () => {
      database.close();
    },
  };
}

/**
 * Opens the database of the configuration for a command that only looks, and makes none.
 * @param report is told when there is none.
 */
export function openExistingStores(
  config: Pick<Config, 'databaseFile'>,
  report: (line: string) => void,
): Stores | undefined {
  if (existsSync(config.databaseFile)) return openStores(config);
  report(`There is no database ${config.databaseFile} yet; DATABASE_URL names another.`);
  return undefined;
}
