import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/stores/database-url.ts';
import type { openPostgres } from '../../src/stores/postgres/open.ts';
import type { openSqlite } from '../../src/stores/sqlite/open.ts';
import type { SchemaVersions } from '../../src/stores/migration-checksums.ts';
import { createUser, postgresServer, run } from '../support/postgres.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';

const server = await postgresServer();
afterAll(() => server.close());

const FIRST = 'ALTER TABLE plants ADD COLUMN name text';
const SECOND = 'CREATE TABLE photos (id text PRIMARY KEY)';

let location: DatabaseLocation;

/** Opens a database as the program does, once its module is loaded. */
interface Program {
  readonly openSqlite: typeof openSqlite;
  readonly openPostgres: typeof openPostgres;
}

/** Programs by their migrations: to load one takes long. */
const programs = new Map<string, Program>();

/** Loads the program with these migrations. */
async function programWith(migrations: readonly string[]): Promise<Program> {
  const key = migrations.join();
  const known = programs.get(key);
  if (known !== undefined) return known;
  jest.resetModules();
  jest.unstable_mockModule('../../src/stores/migrations.ts', () => ({
    MIGRATIONS: migrations.map((text) => () => text),
  }));
  const program = {
    ...(await import('../../src/stores/sqlite/open.ts')),
    ...(await import('../../src/stores/postgres/open.ts')),
  };
  programs.set(key, program);
  return program;
}

/** Opens the database with a program that has these migrations, and closes it. */
async function open(...migrations: readonly string[]): Promise<SchemaVersions> {
  const program = await programWith(migrations);
  const opening = location.kind === 'sqlite' ? program.openSqlite(location, {}) : program.openPostgres(location, {});
  const stores = await opening;
  await stores.close();
  return stores.schema;
}

/** Runs a statement as another program would. */
async function execute(statement: string): Promise<void> {
  if (location.kind === 'postgres') await run(location.url, statement);
  else new SqliteConnection(location.file).exec(statement).close();
}

describe.each(['SQLite', 'PostgreSQL'])('migrations of %s', (kind) => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
    const file = join(folder, 'plants.db');
    location = kind === 'SQLite' ? { kind: 'sqlite', file } : { kind: 'postgres', url: await server.createDatabase() };
  });
  afterEach(async () => {
    await server.emptyDatabases();
    await rm(folder, { recursive: true });
  });

  test('are applied once each, in their order', async () => {
    expect(await open(FIRST)).toEqual({ before: 0, now: 2 });
    expect(await open(FIRST, SECOND)).toEqual({ before: 2, now: 3 });
    expect(await open(FIRST, SECOND)).toEqual({ before: 3, now: 3 });
  });

  test('that were edited after they were applied are noticed at the next start', async () => {
    await open(FIRST, SECOND);
    const edited = /version 2 was edited .*src\/stores\/migrations\.ts/;
    await expect(open(`${FIRST}; ALTER TABLE plants ADD COLUMN price bigint`, SECOND)).rejects.toThrow(edited);
    await expect(open(SECOND, FIRST)).rejects.toThrow(edited);
    // An append does not hide the edit.
    await expect(open(`${FIRST} DEFAULT ''`, SECOND, 'CREATE TABLE more (id text)')).rejects.toThrow(edited);
    expect(await open(`\n  ${FIRST.replace(' ADD', '\n    ADD')}`, SECOND)).toEqual({ before: 3, now: 3 });
  });

  test('that fail are named, and leave the database as it was', async () => {
    await open(FIRST);
    const failure = /version 3 in src\/stores\/migrations\.ts failed .*photos/;
    await expect(open(FIRST, `${SECOND}; CREATE TABLE photos (id text)`)).rejects.toThrow(failure);
    expect(await open(FIRST)).toEqual({ before: 2, now: 2 });
    expect(await open(FIRST, SECOND)).toEqual({ before: 2, now: 3 });
  });

  test('in a database of a program that kept no checksums go on, and are kept from then on', async () => {
    await open(FIRST);
    await execute(
      kind === 'SQLite' ? 'DROP TABLE schema_versions' : 'ALTER TABLE plant_store_schema DROP COLUMN checksums',
    );
    expect(await open(FIRST)).toEqual({ before: 2, now: 2 });
    expect(await open(FIRST, SECOND)).toEqual({ before: 2, now: 3 });
    await expect(open(`${FIRST} DEFAULT ''`, SECOND)).rejects.toThrow('version 2 was edited');
  });
});

test('a service without the right to change the schema starts on a database that keeps no checksums', async () => {
  const url = await server.createDatabase();
  location = { kind: 'postgres', url };
  await open(FIRST);
  await run(url, 'ALTER TABLE plant_store_schema DROP COLUMN checksums');
  const tables = 'plants, plant_store_tokens, plant_store_schema';
  const user = await createUser(url, `GRANT SELECT ON ${tables} TO {user}`);
  try {
    location = { kind: 'postgres', url: user.url };
    expect(await open(FIRST)).toEqual({ before: 2, now: 2 });
  } finally {
    await user.drop();
    await server.emptyDatabases();
  }
});
