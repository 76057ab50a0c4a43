import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { operations } from '../../generated/openapi.d.ts';
import type { Handlers } from 'openapi-exact';
import { plantHandlers, type Plants } from '../../src/plants/handlers.ts';
import type { DatabaseLocation } from '../../src/stores/database-url.ts';
import { sql, type Database, type Statement } from '../../src/stores/database.ts';
import { callProgram } from 'test-support/call-program.ts';
import { postgresServer, run } from '../support/postgres.ts';
import { RecordedLog } from '../support/recorded-log.ts';
import { deletePlant, expectError } from '../support/send.ts';
import { scratchCopy } from '../support/scratch-copy.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

const server = await postgresServer();
afterEach(() => server.emptyDatabases());
afterAll(() => server.close());

/** A service whose delete runs a store function of a new operation. */
async function serviceOf(
  work: (database: Database) => Promise<unknown>,
  log: RecordedLog,
  database?: DatabaseLocation,
): Promise<Service> {
  const handlers: Handlers<operations> = {
    // Those of other operations are not called.
    ...plantHandlers({} as Plants),
    deletePlant: async () => {
      await work(service.stores.database);
      return { status: 204 };
    },
  };
  const service = await startService([1n, 2n], log.log, { handlers, ...(database && { database }) });
  return service;
}

/** Statements that the program has written wrongly. */
const FAULTS: readonly [what: string, statement: Statement][] = [
  ['has a column that no migration has made', sql`SELECT price FROM plants`],
  ['has a table that no migration has made', sql`SELECT id FROM orders`],
  ['has a wrong syntax', sql`SELEKT id FROM plants`],
];

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  const database = async (): Promise<DatabaseLocation | undefined> =>
    kind === 'SQLite' ? undefined : { kind: 'postgres', url: await server.createDatabase() };

  test.each(FAULTS)('a statement that %s is answered 500, and the log hints at the migration', async (_what, fault) => {
    for (const work of ['read', 'write'] as const) {
      const log = new RecordedLog();
      const service = await serviceOf((stores) => stores[work](fault), log, await database());
      expectError(await deletePlant(service, 1n), 50000);
      expect(log.lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          err: expect.objectContaining({
            type: 'StatementError',
            message: expect.stringMatching(/^(SQLite|PostgreSQL): .* \(\w+\)\. .*src\/stores\/migrations\.ts/),
            statements: fault.texts,
          }),
        }),
      );
      expect(await plantsIn(service.stores)).toEqual([1n, 2n]);
      await service.close();
    }
  });

  test('a faulty write leaves nothing of its transaction, and concurrent writes have their effect', async () => {
    const service = await serviceOf(() => Promise.resolve(), new RecordedLog(), await database());
    const add = (id: bigint): Statement => sql`INSERT INTO plants (id) VALUES (${id})`;
    const writes = [[add(3n)], [add(4n), sql`UPDATE plants SET price = 1`], [add(6n), add(2n ** 63n)], [add(5n)]];
    const results = await Promise.allSettled(writes.map((write) => service.stores.database.write(...write)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n, 5n]);
    await service.close();
  });

  test('a read that writes is answered 500 and changes nothing, and the log says to use write()', async () => {
    const log = new RecordedLog();
    const remove = sql`DELETE FROM plants WHERE id = ${1n} RETURNING id`;
    const service = await serviceOf((stores) => stores.read(remove), log, await database());
    expectError(await deletePlant(service, 1n), 50000);
    const message = expect.stringMatching(/read\(\) .*write\(\)/);
    const statements = ['DELETE FROM plants WHERE id = ? RETURNING id'];
    expect(log.lines).toContainEqual(
      expect.objectContaining({ err: expect.objectContaining({ message, statements }) }),
    );
    expect(await plantsIn(service.stores)).toEqual([1n, 2n]);
    await service.close();
  });

  test('an insert into a view is answered 500, since repeating does not help', async () => {
    const service = await serviceOf(
      (stores) => stores.write(sql`INSERT INTO seen (count) VALUES (1)`),
      new RecordedLog(),
      await database(),
    );
    await service.stores.database.write(sql`CREATE VIEW seen AS SELECT count(*) AS count FROM plants`);
    expectError(await deletePlant(service, 1n), 50000);
    expect(await plantsIn(service.stores)).toEqual([1n, 2n]);
    await service.close();
  });

  test('the log names the statements of a write that a constraint refuses, without their values', async () => {
    const log = new RecordedLog();
    const add = sql`INSERT INTO plants (id) VALUES (${1n})`;
    const service = await serviceOf((stores) => stores.write(add), log, await database());
    expectError(await deletePlant(service, 1n), 50000);
    const named = { type: 'ConstraintError', statements: ['INSERT INTO plants (id) VALUES (?)'] };
    expect(log.lines).toContainEqual(expect.objectContaining({ err: expect.objectContaining(named) }));
    await service.close();
  });

  test('a value that no column takes is answered 500, since repeating does not help', async () => {
    // As a handler with a cast could pass it.
    const fault = sql`SELECT id FROM plants WHERE id = ${new Date(0) as never}`;
    for (const work of ['read', 'write'] as const) {
      const service = await serviceOf((stores) => stores[work](fault), new RecordedLog(), await database());
      expectError(await deletePlant(service, 1n), 50000);
      await service.close();
    }
  });

  test('a text with U+0000 is answered 500, and the log says that a pattern refuses it', async () => {
    for (const work of ['read', 'write'] as const) {
      const log = new RecordedLog();
      const compare = (stores: Database): Promise<unknown> => stores[work](sql`SELECT 1 WHERE ${'a\0b'} = 'c'`);
      const service = await serviceOf(async (stores) => compare(stores), log, await database());
      expectError(await deletePlant(service, 1n), 50000);
      const message = expect.stringMatching(/U\+0000.* openapi\.yaml by a pattern/);
      expect(log.lines).toContainEqual(expect.objectContaining({ err: expect.objectContaining({ message }) }));
      await service.close();
    }
  });

  test('plants that a constraint refuses to add are answered 500, since repeating does not help', async () => {
    const log = new RecordedLog();
    const work = (): Promise<number> => service.stores.plants.insertPlants([7n]);
    const service = await serviceOf(work, log, await database());
    await service.stores.database.write(sql`ALTER TABLE plants ADD COLUMN note text CHECK (id <> 7)`);
    expectError(await deletePlant(service, 1n), 50000);
    const refused = { type: 'ConstraintError', message: expect.stringMatching(/check/i) };
    expect(log.lines).toContainEqual(expect.objectContaining({ err: expect.objectContaining(refused) }));
    await service.close();
  });
});

test.each(['COMMIT', 'begin immediate', ' ROLLBACK TO before'])(
  'a statement that would end the transaction of others, %j, is refused as it is written',
  (text) => {
    const parts = Object.assign([text], { raw: [text] });
    expect(() => sql(parts)).toThrow(new RegExp(`\\b${text.trim().split(' ')[0]} .*one transaction`));
  },
);

test.each([
  ['a value that is no number', "SELECT 'x'::bigint"],
  ['a division by zero', 'SELECT 1 / (id - id) FROM plants'],
  ['a table that it does not select from', 'SELECT plants.id FROM plant_store_tokens'],
  ['a schema that is not there', 'SELECT id FROM garden.plants'],
  ['a function of a schema that is not there', 'SELECT garden.grow()'],
  ['a command that no transaction may have', 'VACUUM'],
  ['a prepared statement that is not there', 'EXECUTE find_plant'],
  ['a cursor that is not there', 'FETCH FROM found'],
  ['an assertion that fails', 'DO $$ BEGIN ASSERT false; END $$'],
  ['a row that a function misses', 'DO $$ DECLARE n int; BEGIN SELECT 1 INTO STRICT n WHERE false; END $$'],
])('on PostgreSQL %s is a fault of the statement too', async (_what, text) => {
  const log = new RecordedLog();
  const location: DatabaseLocation = { kind: 'postgres', url: await server.createDatabase() };
  const service = await serviceOf((stores) => stores.read({ texts: [text], values: [] }), log, location);
  expectError(await deletePlant(service, 1n), 50000);
  await service.close();
});

test('on PostgreSQL a read that writes leaves its connection to others', async () => {
  const url = await server.createDatabase();
  const service = await serviceOf(() => Promise.resolve(), new RecordedLog(), { kind: 'postgres', url });
  const { database } = service.stores;
  const connection = await database.read(sql`SELECT pg_backend_pid() AS pid`);
  await expect(database.read(sql`DELETE FROM plants`)).rejects.toThrow('use write()');
  expect(await database.read(sql`SELECT pg_backend_pid() AS pid`)).toEqual(connection);
  await service.close();
});

test('on PostgreSQL a right that is missing stays an outage, which the operator ends', async () => {
  const url = await server.createDatabase();
  await run(url, 'CREATE TABLE kept (id bigint)', 'CREATE ROLE nobody_here');
  try {
    const work = (stores: Database): Promise<unknown> =>
      stores.write(sql`SET LOCAL ROLE nobody_here`, sql`DELETE FROM kept`);
    const service = await serviceOf(work, new RecordedLog(), { kind: 'postgres', url });
    expectError(await deletePlant(service, 1n), 50300);
    await service.close();
  } finally {
    await run(url, 'DROP ROLE nobody_here');
  }
});

test.each(['SQLite', 'PostgreSQL'])('on %s a table of the store that is gone stays an outage', async (kind) => {
  const location: DatabaseLocation | undefined =
    kind === 'SQLite' ? undefined : { kind: 'postgres', url: await server.createDatabase() };
  for (const table of ['plants', location === undefined ? 'tokens' : 'plant_store_tokens']) {
    const drop: Statement = { texts: [`DROP TABLE ${table}`], values: [] };
    const work = (stores: Database): Promise<unknown> => stores.read({ texts: [`SELECT * FROM ${table}`], values: [] });
    const log = new RecordedLog();
    const service = await serviceOf(work, log, location);
    await service.stores.database.write(drop);
    expectError(await deletePlant(service, 1n), 50300);
    const reason = expect.stringMatching(new RegExp(`${table}.*restore a backup`));
    expect(log.lines).toContainEqual(expect.objectContaining({ level: 50, reason }));
    await service.close();
    await server.emptyDatabases();
  }
});

test('a statement of the program that does not fit the schema stops a command in one line, with a stack at LOG_LEVEL=debug', async () => {
  const copy = await scratchCopy();
  await copy.edit('src/stores/sqlite/plants.ts', 'SELECT count(*) FROM plants', 'SELECT count(price) FROM plants');
  const count = (LOG_LEVEL: string): ReturnType<typeof callProgram> =>
    callProgram(pathToFileURL(join(copy.folder, 'src/cli.ts')), ['plants', 'add', '1'], {
      folder: copy.folder,
      env: { LOG_LEVEL },
    });
  try {
    const line = /^SQLite: [^\n]*price \(SQLITE_ERROR\)[^\n]+src\/stores\/migrations\.ts[^\n]*\n/;
    expect(await count('info')).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(`${line.source}$`) });
    expect((await count('debug')).stderr).toMatch(
      new RegExp(`${line.source}StatementError: [^]+sqlite/open\\.ts:\\d+`),
    );
  } finally {
    await rm(copy.folder, { recursive: true });
  }
});
