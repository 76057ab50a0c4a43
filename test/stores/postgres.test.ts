import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../../src/errors.ts';
import { sql } from '../../src/stores/database.ts';
import { openExistingStores, openStores } from '../../src/stores/open.ts';
import type { Stores } from '../../src/stores/stores.ts';
import { createUser, nameOf, noteCommits, plantsOf, postgresServer, run, withConnection } from '../support/postgres.ts';
import { deletePlant, expectError } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';
import { deleteRepeatedly, deletions, describeStore, type StoresUnderTest } from './plant-store-suite.ts';

const server = await postgresServer();
let url: string;
let opened: Stores[] = [];
beforeEach(async () => {
  url = await server.createDatabase();
  opened = [];
});
afterEach(async () => {
  for (const stores of opened) await stores.close();
  await server.emptyDatabases();
});
afterAll(() => server.close());

/** Opens the database until the end of the test. */
async function open(at = url): Promise<Stores> {
  const stores = await openStores({ kind: 'postgres', url: at });
  opened.push(stores);
  return stores;
}

async function migrate(): Promise<void> {
  await (await openStores({ kind: 'postgres', url })).close();
}

/** Stores of the database. @param statements make its table of plants. */
function emptyStores(...statements: readonly string[]): () => Promise<StoresUnderTest> {
  return async () => {
    await run(url, ...statements);
    const { database, plants, tokens } = await open();
    return {
      ...{ database, plants, tokens },
      reopen: async () => {
        await opened.pop()?.close();
        return open();
      },
      referTo: async (id, rule = '') => {
        const table = `CREATE TABLE orders (plant bigint NOT NULL REFERENCES plants (id) ${rule})`;
        await run(url, table, `INSERT INTO orders VALUES (${id})`);
      },
      close: () => Promise.resolve(),
    };
  };
}

describeStore('PostgreSQL', emptyStores());
describeStore(
  'PostgreSQL with a table in 16 hash partitions',
  emptyStores(
    'CREATE TABLE plants (id bigint PRIMARY KEY) PARTITION BY HASH (id)',
    ...Array.from(
      { length: 16 },
      (_, part) => `CREATE TABLE plants_${part} PARTITION OF plants FOR VALUES WITH (MODULUS 16, REMAINDER ${part})`,
    ),
  ),
  'plants',
);

/** Opens a database that must be refused, and returns the line that says so. */
async function refusal(at = url): Promise<string> {
  const failure: unknown = await open(at).catch((error: unknown) => error);
  if (!(failure instanceof OperatorError)) throw new Error('It was not refused.', { cause: failure });
  expect(failure.message).not.toMatch(/\n|:\w+@/);
  return failure.message;
}

describe('a table of plants that is there already', () => {
  const TABLE = `CREATE TABLE plants (id bigint PRIMARY KEY, kind text NOT NULL DEFAULT 'rose', age numeric);
    INSERT INTO plants (id) VALUES (9007199254740992), (9007199254740993), (9007199254740994)`;

  test('is used as it is, with its further columns', async () => {
    await run(url, TABLE);
    const stores = await open();
    expect(stores.created).toBe(false);
    expect(await stores.plants.deletePlants([9007199254740993n])).toEqual(deletions(9007199254740993n));
    expect(await run(url, 'SELECT id, kind, age FROM plants ORDER BY id')).toEqual([
      { id: '9007199254740992', kind: 'rose', age: null },
      { id: '9007199254740994', kind: 'rose', age: null },
    ]);
  });

  test.each([
    ['with ids of type integer', 'CREATE TABLE plants (id integer PRIMARY KEY)', /\bid\b.* bigint, not integer/],
    ['with ids of type text', 'CREATE TABLE plants (id text PRIMARY KEY)', /\bid\b.* bigint, not text/],
    ['without a column id', 'CREATE TABLE plants (number bigint PRIMARY KEY)', /\bid\b.* bigint\.$/],
    ['that is a view', 'CREATE VIEW plants AS SELECT 1::bigint AS id', /view named plants/],
  ])('%s is refused', async (_name, statement, reason) => {
    await run(url, statement);
    expect(await refusal()).toMatch(reason);
  });

  test('and was dropped is not recreated silently', async () => {
    await migrate();
    await run(url, 'DROP TABLE plants CASCADE');
    expect(await refusal()).toContain('CREATE TABLE plants (id bigint PRIMARY KEY)');
    // By plant-store migrate neither.
    await expect(openStores({ kind: 'postgres', url }, { migrates: true })).rejects.toThrow(OperatorError);
    expect(await run(url, "SELECT to_regclass('plants') AS found")).toEqual([{ found: null }]);
  });

  test.each([
    ['at once', ''],
    ['at the commit', 'DEFERRABLE INITIALLY DEFERRED'],
    ['by ON DELETE RESTRICT', 'ON DELETE RESTRICT'],
  ])('keeps the plants that are referred to, checked %s, and loses all others of the batch', async (_name, rule) => {
    const stores = await open();
    const ids = Array.from({ length: 20 }, (_, index) => BigInt(index));
    await stores.plants.insertPlants(ids);
    await run(
      url,
      `CREATE TABLE orders (plant bigint REFERENCES plants (id) ${rule})`,
      'INSERT INTO orders VALUES (0), (7), (8), (19)',
    );
    const { deleted, refused } = await deleteRepeatedly(stores.plants, ids);
    expect(new Set(refused.keys())).toEqual(new Set([0n, 7n, 8n, 19n]));
    expect([...refused.values()].map(({ name }) => name)).toEqual(Array(4).fill('PlantInUseError'));
    expect(deleted.size).toBe(16);
    expect(await plantsIn(stores)).toEqual([0n, 7n, 8n, 19n]);
  });

  test('does not report a conflict for a plant that another client deletes during the retry', async () => {
    const service = await startService([1n, 3n], undefined, { database: { kind: 'postgres', url } });
    // Each delete of the service stops after it was given its snapshot: the first at lock 1, the
    // next one at lock 2.
    await run(
      url,
      'CREATE SEQUENCE step',
      `CREATE FUNCTION halt() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN PERFORM pg_advisory_xact_lock_shared(nextval('step')); RETURN NULL; END $$`,
      'CREATE TRIGGER halt BEFORE DELETE ON plants FOR EACH STATEMENT EXECUTE FUNCTION halt()',
    );
    await withConnection(url, async (execute) => {
      const halted = async (step: number): Promise<void> => {
        const text = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${step} AND NOT granted`;
        while ((await execute(text)).length === 0) await pause(5);
      };
      // Of this connection the trigger stops none.
      await execute('SET session_replication_role = replica');
      await execute('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
      const answer = deletePlant(service, 2n);
      await halted(1);
      await execute('INSERT INTO plants VALUES (2)');
      await execute('SELECT pg_advisory_unlock(1)');
      await halted(2);
      await execute('DELETE FROM plants WHERE id = 2');
      await execute('SELECT pg_advisory_unlock(2)');
      const { status } = await answer;
      const left = await plantsIn(service.stores);
      await service.close();
      expect([status, left]).toEqual([404, [1n, 3n]]);
    });
  });

  const IN_USE = { name: 'PlantInUseError' };
  test.each<[string, string, object]>([
    ['raises an exception', "RAISE EXCEPTION 'protected'", IN_USE],
    ['raises one of its own class', "RAISE EXCEPTION USING ERRCODE = '45000'", IN_USE],
    ['raises an unknown one', "RAISE EXCEPTION USING ERRCODE = 'U0001'", { outcome: 'nothing done' }],
    ['leaves it out', 'RETURN NULL', IN_USE],
    [
      'leaves it out, then raises an exception',
      "IF nextval('step') = 1 THEN RETURN NULL; END IF; RAISE EXCEPTION 'protected'",
      { outcome: 'nothing done' },
    ],
  ])('keeps a plant for which a trigger %s, and loses all others of the batch', async (_name, body, refusal) => {
    const stores = await open();
    await stores.plants.insertPlants([1n, 2n, 3n]);
    await run(
      url,
      'CREATE SEQUENCE step',
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; END $$`,
      'CREATE TRIGGER keep BEFORE DELETE ON plants FOR EACH ROW WHEN (OLD.id = 2) EXECUTE FUNCTION keep()',
    );
    const { deleted, refused } = await deleteRepeatedly(stores.plants, [1n, 2n, 3n, 4n]);
    expect(deleted).toEqual(new Set([1n, 3n]));
    expect([...refused]).toEqual([[2n, expect.objectContaining(refusal)]]);
    expect(await plantsIn(stores)).toEqual([2n]);
  });

  test('a plant that another transaction deletes and reinserts while the delete waits is deleted', async () => {
    const stores = await open();
    await stores.plants.insertPlants([1n, 2n]);
    await withConnection(url, async (execute) => {
      await execute('BEGIN; DELETE FROM plants WHERE id = 1; INSERT INTO plants VALUES (1)');
      const answer = stores.plants.deletePlants([1n]);
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      while ((await run(url, waiting)).length === 0) await pause(5);
      await execute('COMMIT');
      expect(await answer).toEqual(deletions(1n));
    });
    expect(await plantsIn(stores)).toEqual([2n]);
  });
});

test('the check for delete permission leaves nothing in tables to which triggers write', async () => {
  const stores = await open();
  await run(
    url,
    'CREATE TABLE audit (at timestamptz)',
    'CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO audit VALUES (now()); RETURN NULL; END $$',
    'CREATE TRIGGER note AFTER DELETE ON plants FOR EACH STATEMENT EXECUTE FUNCTION note()',
  );
  await stores.check();
  expect(await run(url, 'SELECT * FROM audit')).toEqual([]);
});

test.each(['standard_conforming_strings = off', 'bytea_output = escape'])(
  'bytes and texts are exact where the database has %s',
  async (setting) => {
    await run(url, `ALTER DATABASE ${nameOf(url)} SET ${setting}`);
    const { database } = await open();
    const [bytes, text] = [Uint8Array.from({ length: 256 }, (_, index) => 255 - index), "o'hara\\x41\n"];
    const [written] = await database.write(sql`SELECT ${bytes} AS bytes, ${text} AS words`);
    const expected = [{ bytes: Buffer.from(bytes), words: text }];
    expect(written).toEqual(expected);
    expect(await database.read(sql`SELECT ${bytes} AS bytes, ${text} AS words`)).toEqual(expected);
  },
);

describe('the schema', () => {
  test.each(['read committed', 'repeatable read', 'serializable'])(
    'is made once when five processes start at the same time, at %s',
    async (level) => {
      await run(url, `ALTER DATABASE ${nameOf(url)} SET default_transaction_isolation = '${level}'`);
      const sample = { plants: [1n, 2n], tokenName: 'first', tokenHash: 'a'.repeat(64) };
      const all = await Promise.all(Array.from({ length: 5 }, () => openStores({ kind: 'postgres', url }, { sample })));
      expect(all.filter(({ created }) => created)).toHaveLength(1);
      for (const stores of all) {
        expect(await plantsIn(stores)).toEqual([1n, 2n]);
        expect(await stores.tokens.listTokens()).toMatchObject([{ name: 'first' }]);
        await stores.close();
      }
    },
  );

  test('of a newer version is refused', async () => {
    await migrate();
    await run(url, 'UPDATE plant_store_schema SET version = 99');
    expect(await refusal()).toMatch(/version 99\b.* npm run build/);
  });

  test('is not created by a read-only command', async () => {
    await expect(openExistingStores({ kind: 'postgres', url })).rejects.toThrow(
      new RegExp(`${nameOf(url)}.* DATABASE_URL.* migrate`),
    );
    expect(await run(url, "SELECT to_regclass('plants') AS found")).toEqual([{ found: null }]);
  });

  test('may be made by one user and used by another, who may not make tables', async () => {
    const user = await createUser(url);
    expect(await refusal(user.url)).toContain('plant-store migrate');
    await migrate();
    await user.run(
      'INSERT INTO plants VALUES (1), (2)',
      'GRANT SELECT, DELETE ON plants TO {user}',
      'GRANT SELECT, UPDATE ON plant_store_tokens TO {user}',
      'GRANT SELECT ON plant_store_schema TO {user}',
    );
    const stores = await open(user.url);
    await stores.check();
    expect(await stores.plants.deletePlants([1n])).toEqual(deletions(1n));
    await opened.pop()?.close();
    await user.drop();
  });
});

describe('row-level security', () => {
  const GRANTS = [
    'GRANT SELECT, INSERT, DELETE ON plants TO {user}',
    'GRANT SELECT, INSERT, UPDATE ON plant_store_tokens TO {user}',
    'GRANT SELECT ON plant_store_schema TO {user}',
  ];
  const HIDE = ['CREATE POLICY few ON plants USING (id <> 2)', 'ALTER TABLE plants ENABLE ROW LEVEL SECURITY'];

  test('that hides plants from the user refuses the start, until the user sees all rows', async () => {
    await migrate();
    const user = await createUser(url, ...GRANTS);
    await run(url, 'INSERT INTO plants VALUES (1), (2), (3)', ...HIDE);
    expect(await refusal(user.url)).toMatch(/row-level security.* BYPASSRLS/i);
    await user.run('ALTER ROLE {user} BYPASSRLS');
    const stores = await open(user.url);
    expect(await stores.plants.deletePlants([2n])).toEqual(deletions(2n));
    expect(await plantsIn(stores)).toEqual([1n, 3n]);
    await opened.pop()?.close();
    await user.drop();
  });

  test('that is enabled later makes the service answer 503 and not ready, never 404 for a hidden plant', async () => {
    await migrate();
    const user = await createUser(url, ...GRANTS);
    const service = await startService([], undefined, { database: { kind: 'postgres', url: user.url } });
    await run(url, 'INSERT INTO plants VALUES (1), (2), (3)');
    expect((await deletePlant(service, 1n)).status).toBe(204);
    await run(url, ...HIDE);
    expectError(await deletePlant(service, 2n), 50300);
    expectError(await deletePlant(service, 3n), 50300);
    await expect(service.stores.check()).rejects.toThrow('"plants" (42501)');
    expect(await plantsOf(url)).toEqual([2n, 3n]);
    await run(url, 'ALTER TABLE plants DISABLE ROW LEVEL SECURITY');
    expect((await deletePlant(service, 2n)).status).toBe(204);
    expect(await plantsOf(url)).toEqual([3n]);
    await service.close();
    await user.drop();
  });
});

/** What the database has as its default, and what every transaction that writes has to run with. */
test.each([
  ['off', 'on'],
  ['local', 'local'],
  ['on', 'on'],
  ['remote_write', 'remote_write'],
  ['remote_apply', 'remote_apply'],
])('where synchronous_commit is %s by default, everything is committed with %s', async (preset, expected) => {
  await migrate();
  await run(url, `ALTER DATABASE ${nameOf(url)} SET synchronous_commit = ${preset}`);
  await noteCommits(url);
  const { plants, tokens } = await open();
  await plants.insertPlants([1n]);
  await plants.deletePlants([1n]);
  await tokens.createToken({ name: "o'hara\\", hash: 'a'.repeat(64), createdAt: 1, expiresAt: null });
  await tokens.revokeToken("o'hara\\", 2);
  const events = ['INSERT plants', 'DELETE plants', 'INSERT plant_store_tokens', 'UPDATE plant_store_tokens'];
  expect(await run(url, 'SELECT * FROM commits')).toEqual(
    events.map((event) => ({ event, value: expected, lock: '2s', statement: '5s' })),
  );
});
