import type { Sample } from '../sample.ts';
import type { Stores } from '../stores.ts';
import { openDatabase } from './database.ts';
import { sqlitePlants } from './plants.ts';
import { seedWith } from './seed.ts';
import { sqliteTokens } from './tokens.ts';

/**
 * Opens a SQLite file; it is made when there is none.
 * @throws OperatorError with one line when that fails; an existing file is left as it was.
 */
export function openSqlite(file: string, sample: Sample | undefined): Stores {
  const database = openDatabase(file, sample && seedWith(sample));
  return {
    plants: sqlitePlants(database),
    tokens: sqliteTokens(database),
    created: database.created,
    // SQLite has one writer at a time.
    commits: 1,
    failed: database.failed,
    check: database.check,
    close: () => {
      database.close();
      return Promise.resolve();
    },
  };
}
