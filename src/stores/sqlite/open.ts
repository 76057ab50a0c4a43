import { realpathSync } from 'node:fs';
import type { Sample } from '../sample.ts';
import type { Stores } from '../stores.ts';
import { openDatabase } from './database.ts';
import { closingCommand } from './file-modes.ts';
import { sqlitePlants } from './plants.ts';
import { seedWith } from './seed.ts';
import { sqliteStatements } from './statements.ts';
import { sqliteTokens } from './tokens.ts';

/**
 * Opens a SQLite file and creates a missing one.
 * @param onExposed is called if other users can open the file, with the command that closes it.
 * @throws OperatorError with one line on failure; an existing file is left unchanged.
 */
export function openSqlite(file: string, sample: Sample | undefined, onExposed: (command: string) => void): Stores {
  const database = openDatabase(file, sample && seedWith(sample));
  const command = closingCommand(realpathSync(file));
  if (command !== undefined) onExposed(command);
  const statements = sqliteStatements(database);
  return {
    database: statements,
    plants: sqlitePlants(database),
    tokens: sqliteTokens(statements),
    created: database.created,
    // SQLite has a single writer.
    commits: 1,
    failed: database.failed,
    check: database.check,
    close: async () => {
      await statements.drain();
      database.close();
    },
  };
}
