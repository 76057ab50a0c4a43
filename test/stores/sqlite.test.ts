import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execSync } from 'node:child_process';
import { chmodSync, statSync, symlinkSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, StoreError } from '../../src/errors.ts';
import { sql } from '../../src/stores/database.ts';
import { openStores } from '../../src/stores/open.ts';
import { MIGRATIONS } from '../../src/stores/migrations.ts';
import { openDatabase } from '../../src/stores/sqlite/database.ts';
import { SqliteConnection } from '../../src/stores/sqlite/driver.ts';
import type { Stores } from '../../src/stores/stores.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { describeStore } from './plant-store-suite.ts';

/** The schema of a new database. */
const NEW = { before: 0, now: 1 + MIGRATIONS.length };

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder, 'data', 'plants.db');
});
afterEach(() => rm(folder, { recursive: true }));

const open = (): Promise<Stores> => openStores({ kind: 'sqlite', file, makesFolder: true });

describeStore('SQLite', async () => {
  let stores = await open();
  return {
    ...stores,
    reopen: async () => {
      await stores.close();
      stores = await open();
      return stores;
    },
    referTo: (id, rule = '') => {
      const otherConnection = new SqliteConnection(file);
      otherConnection.exec(`CREATE TABLE orders (plant INTEGER NOT NULL REFERENCES plants (id) ${rule})`);
      otherConnection.prepare('INSERT INTO orders VALUES (?)').run(id);
      otherConnection.close();
      return Promise.resolve();
    },
    close: () => stores.close(),
  };
});

test('a write of SQLite that waits for its batch ends before the store closes', async () => {
  const stores = await open();
  const write = stores.database.write(sql`INSERT INTO plants (id) VALUES (${3n}) RETURNING id`);
  await stores.close();
  expect(await write).toEqual([[{ id: 3n }]]);
  const again = await open();
  expect(await again.plants.findPlants([3n])).toEqual(new Set([3n]));
  await again.close();
});

/** Opens a file that must be refused, and returns the line that says so. */
function refusal(path: string): string {
  try {
    openDatabase({ file: path }).close();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    expect(error.message).toContain(path);
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  throw new Error(`${path} was not refused.`);
}

describe('a SQLite file', () => {
  test('has strict tables, and is in WAL mode with synchronous FULL, so that a commit outlives a power cut', () => {
    const database = openDatabase({ file, makesFolder: true });
    const { schema, connection } = database;
    const strict = connection.prepare("SELECT name, strict FROM pragma_table_list WHERE name = 'plants'").get();
    expect({ schema, strict }).toEqual({ schema: NEW, strict: { name: 'plants', strict: 1n } });
    expect(connection.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(connection.pragma('synchronous', { simple: true })).toBe(2n);
    database.close();
  });

  test.each(['', '-wal', '-shm'])(
    'to which a symbolic link leads takes no commit when plants.db%s was removed or replaced',
    async (suffix) => {
      const link = join(folder, 'link.db');
      openDatabase({ file, makesFolder: true }).close();
      await symlink(file, link);
      const database = openDatabase({ file: link });
      const insert = (id: bigint) => () => database.connection.prepare('INSERT INTO plants (id) VALUES (?)').run(id);
      await database.transaction(insert(1n));
      const refused = { message: expect.stringMatching(/was removed or replaced/), outcome: 'nothing done' };
      await rm(`${file}${suffix}`);
      await expect(database.transaction(insert(2n))).rejects.toMatchObject(refused);
      await writeFile(`${file}${suffix}`, '');
      await expect(database.transaction(insert(2n))).rejects.toMatchObject(refused);
      expect(database.connection.prepare('SELECT id FROM plants').pluck().all()).toEqual([1n]);
      database.close();
    },
  );

  test('is created with its first content or not at all', () => {
    const failing = (): void => {
      throw new Error('the power went');
    };
    expect(() => openDatabase({ file, makesFolder: true }, failing)).toThrow(OperatorError);
    const database = openDatabase({ file, makesFolder: true });
    expect(database.schema).toEqual(NEW);
    database.close();
  });

  const TEXT_IDS = 'CREATE TABLE plants (id TEXT PRIMARY KEY, name); CREATE TABLE tokens (name TEXT, hash TEXT)';
  test.each([
    ['of another program', 'CREATE TABLE plants (id TEXT)'],
    ['of another program that counts its schemas too, at 1,', `${TEXT_IDS}; PRAGMA user_version = 1`],
    ['of another program that counts its schemas too, at -1,', `${TEXT_IDS}; PRAGMA user_version = -1`],
  ])('%s is refused and left as it is', async (_whose, statements) => {
    openDatabase({ file, makesFolder: true }).close();
    await rm(file);
    new SqliteConnection(file).exec(statements).close();
    const before = await readFile(file);
    expect(refusal(file)).toContain('belongs to another program');
    expect(await readFile(file)).toEqual(before);
  });

  test('of one byte is refused, although SQLite takes it for an empty database', async () => {
    const path = join(folder, 'byte');
    await writeFile(path, 'x');
    expect(refusal(path)).toContain('it is not a SQLite database');
    expect(await readFile(path, 'utf8')).toBe('x');
  });
});

describe('a commit', () => {
  test('that fails half-way rolls back what it did, and says so', async () => {
    const database = openDatabase({ file, makesFolder: true });
    const halfWay = (): void => {
      database.connection.exec('INSERT INTO plants (id) VALUES (1)');
      database.connection.exec('INSERT INTO plants (id) VALUES (1)');
    };
    await expect(database.transaction(halfWay)).rejects.toMatchObject({ name: 'ConstraintError' });
    expect(database.connection.prepare('SELECT id FROM plants').all()).toEqual([]);
    database.close();
  });

  test('with an unknown outcome is the last one', async () => {
    const database = openDatabase({ file, makesFolder: true });
    const failing = (): never => {
      throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    };
    await expect(database.transaction(failing)).rejects.toMatchObject({ outcome: 'unknown' });
    await expect(database.failed).resolves.toBeInstanceOf(StoreError);
    await expect(database.transaction(() => 1)).rejects.toMatchObject({ name: 'StoreError', outcome: 'nothing done' });
    database.close();
  });
});

describe('the files of a SQLite database', () => {
  const modes = (...names: string[]): string[] =>
    names.map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));

  test.each(['000', '077'])('are made so that no other user can open them, with umask %s', async (umask) => {
    file = join(folder, 'data', 'more', 'plants.db');
    const before = process.umask(umask);
    try {
      const stores = await open();
      await stores.plants.insertPlants([1n]);
      const files = ['plants.db', 'plants.db-wal', 'plants.db-shm'].map((name) => `data/more/${name}`);
      expect(modes('data', 'data/more', ...files)).toEqual(['700', '700', '600', '600', '600']);
      await stores.close();
      // A link that leads to no file yet.
      symlinkSync('real.db', join(folder, 'link.db'));
      await (await openStores({ kind: 'sqlite', file: join(folder, 'link.db') })).close();
      expect(modes('real.db')).toEqual(['600']);
    } finally {
      process.umask(before);
    }
  });

  test('that other users can open, or make more of, are left as they are and reported, with a command that closes them', async () => {
    file = join(folder, "it's", 'plants.db');
    const exposures = async (): Promise<string[]> => {
      const found: string[] = [];
      const onExposed = (command: string): unknown => found.push(command);
      await (await openStores({ kind: 'sqlite', file, makesFolder: true }, { onExposed })).close();
      return found;
    };
    expect(await exposures()).toEqual([]);
    chmodSync(file, 0o644);
    chmodSync(join(folder, "it's"), 0o777);
    // As a server does, it keeps the other two files.
    const running = await open();
    const [command = '', ...others] = await exposures();
    expect(others).toEqual([]);
    expect(command).toMatch(/chmod 600 .*plants\.db.* .*plants\.db-wal.* .*plants\.db-shm.*chmod o-w/);
    expect(modes("it's", "it's/plants.db")).toEqual(['777', '644']);
    execSync(command);
    await running.close();
    expect(modes("it's", "it's/plants.db")).toEqual(['775', '600']);
    expect(await exposures()).toEqual([]);
  });
});
