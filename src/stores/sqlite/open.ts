import type { SqliteConnection } from './driver.ts';
import { realpathSync } from 'node:fs';
import type { DatabaseLocation } from '../database-url.ts';
import type { OnCommit } from '../observe-commit.ts';
import type { Opening, Sample, Stores } from '../stores.ts';
import { storedTokens } from '../tokens.ts';
import { asFailure, openDatabase, type SqliteDatabase } from './database.ts';
import { closingCommand } from './file.ts';
import type { PlantStore } from '../../plants/plant-store.ts';
import { sqlitePlants } from './plants.ts';
import { sqliteStatements } from './statements.ts';

type SqliteLocation = Extract<DatabaseLocation, { kind: 'sqlite' }>;

/**
 * Opens a SQLite file and creates a missing one, with its folder where the location says so.
 * @throws OperatorError with one line on failure; an existing file is left unchanged.
 * @throws StatementError for a statement of the program that does not fit the schema, StoreError
 * for a table that is gone.
 */
export function openSqlite(
  location: SqliteLocation,
  { sample, onExposed, onCommit = () => undefined }: Opening,
): Stores {
  const { file } = location;
  const database = openDatabase(location, (connection) => {
    if (sample !== undefined) fill(connection, sample);
  });
  const plants = preparedPlants(database, onCommit);
  const command = closingCommand(realpathSync(file));
  if (command !== undefined) onExposed?.(command);
  const statements = sqliteStatements(database, onCommit);
  return {
    database: statements,
    plants,
    tokens: storedTokens(statements, 'tokens'),
    created: database.schema.before === 0,
    schema: database.schema,
    // SQLite has a single writer.
    commits: 1,
    failed: database.failed,
    check: () => database.check(),
    inspect: () => database.inspect(),
    close: async () => {
      await statements.drain();
      await database.endInspection();
      database.close();
    },
  };
}

/** Prepares the statements of the plants, which SQLite compiles against the schema. */
function preparedPlants(database: SqliteDatabase, onCommit: OnCommit): PlantStore {
  try {
    return sqlitePlants(database, onCommit);
  } catch (error) {
    database.close();
    throw asFailure(error);
  }
}

function fill(connection: SqliteConnection, { plants, tokenName, tokenHash }: Sample): void {
  const plant = connection.prepare('INSERT INTO plants (id) VALUES (?)');
  for (const id of plants) plant.run(id);
  const token = connection.prepare('INSERT INTO tokens (name, hash, created_at) VALUES (?, ?, ?)');
  token.run(tokenName, tokenHash, BigInt(Date.now()));
}
