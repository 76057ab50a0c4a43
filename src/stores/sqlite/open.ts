import { realpathSync } from 'node:fs';
import type { Sample } from '../sample.ts';
import type { Stores } from '../stores.ts';
import { openDatabase } from './database.ts';
import { closingCommand } from './file-modes.ts';
import { sqlitePlants } from './plants.ts';
import { seedWith } from './seed.ts';
import { sqliteTokens } from './tokens.ts';

/**
 * Opens a SQLite file; it is made when there is none.
 * @param onExposed is told when other users can open the file, with the command that closes it.
 * @throws OperatorError with one line when that fails; an existing file is left as it was.
 */
export function openSqlite(file: string, sample: Sample | undefined, onExposed: (command: string) => void): Stores {
  const database = openDatabase(file, sample && seedWith(sample));
  const command = closingCommand(realpathSync(file));
  if (command !== undefined) onExposed(command);
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
