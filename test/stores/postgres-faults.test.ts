import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/auth/tokens/token.ts';
import { openStores } from '../../src/stores/open.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { createUser, plantsOf, run, throughPort, withConnection } from '../support/postgres.ts';
import { deletePlant } from '../support/send.ts';
import { startService, type Service } from '../support/service.ts';
import { errorCode, NOTHING_DONE, OUTCOME_UNKNOWN } from '../support/stock.ts';
import { tcpProxy, type Fate, type TcpProxy } from '../support/tcp-proxy.ts';
import { deletions } from './plant-store-suite.ts';

/** Around 2^53, where an id that goes through a double hits its neighbour. */
const IDS = Array.from({ length: 40 }, (_, index) => 2n ** 53n + BigInt(index));
const [ONE = 0n, TWO = 0n, THREE = 0n, ...OTHERS] = IDS;

let proxy: TcpProxy;
let service: Service;
const server = await ownPostgres();
const url = await server.createDatabase();
afterAll(() => server.close());
beforeEach(async () => {
  proxy = await tcpProxy(server.port);
  service = await serve();
});
afterEach(async () => {
  await service.close();
  await proxy.close();
  await run(url, 'DROP SCHEMA public CASCADE', 'CREATE SCHEMA public', 'GRANT USAGE ON SCHEMA public TO public');
});

/** Starts a service that reaches the server through the proxy. */
function serve(plants: readonly bigint[] = IDS, name = 'tests'): Promise<Service> {
  const database = { kind: 'postgres', url: throughPort(url, proxy.port), pool: 3 } as const;
  return startService(plants, undefined, { database, name });
}

/** Deletes a plant. @returns the status, of a 503 the code of the error. */
async function answerTo(id: bigint, to = service): Promise<number> {
  const { status, text } = await deletePlant(to, id);
  return status === 503 ? errorCode(text) : status;
}

test.each<[string, Fate, number]>([
  ['after the statement was sent', 'lose answer', 404],
  ['before the statement arrives', 'lose', 204],
  ['in that no answer ever comes', 'hang', 404],
])('a connection that fails %s leaves the outcome unknown: 503, never 404', async (_when, fate, repeated) => {
  expect(await answerTo(ONE)).toBe(204);
  proxy.fate = (text) => (text.includes('DELETE FROM plants') ? fate : 'pass');
  expect(await Promise.all([answerTo(ONE), answerTo(TWO)])).toEqual([OUTCOME_UNKNOWN, OUTCOME_UNKNOWN]);
  proxy.fate = () => 'pass';
  expect(await answerTo(TWO)).toBe(repeated);
  expect(await answerTo(THREE)).toBe(204);
  expect(await plantsOf(url)).toEqual(OTHERS);
});

test('plants that were deleted are answered although it stays unknown whether others of their batch are there', async () => {
  const missing = 2n ** 60n;
  proxy.fate = (text) => (text.includes('SELECT id FROM plants') ? 'hang' : 'pass');
  const answers = new Map<bigint, number>();
  const note = async (id: bigint): Promise<unknown> => answers.set(id, await answerTo(id));
  const all = [missing, ONE, TWO].map(note);
  await Promise.all(all.slice(1));
  // It does not come with the others.
  await pause(500);
  expect(Object.fromEntries(answers)).toEqual({ [String(ONE)]: 204, [String(TWO)]: 204 });
  proxy.cut();
  await Promise.all(all);
  expect(answers.get(missing)).toBe(NOTHING_DONE);
  expect(await plantsOf(url)).toEqual([THREE, ...OTHERS]);
});

test('a token that cannot be looked up, because the connection is cut, is refused with nothing done', async () => {
  proxy.fate = (text) => (text.includes('FROM plant_store_tokens') ? 'lose answer' : 'pass');
  expect(await answerTo(ONE)).toBe(NOTHING_DONE);
  proxy.fate = () => 'pass';
  expect(await answerTo(ONE)).toBe(204);
});

test('of 40 unknown tokens at the same time many are looked up in one statement, and all are refused', async () => {
  let statements = 0;
  proxy.fate = (text) => {
    if (text.includes('FROM plant_store_tokens')) statements++;
    return 'pass';
  };
  const statusOf = async (): Promise<number> => (await deletePlant(service, ONE, { token: createToken() })).status;
  // Opens the connection for look-ups. More requests would stop the event loop, which they share
  // with the service, for longer than it waits for the database.
  expect(await statusOf()).toBe(401);
  expect(new Set(await Promise.all(Array.from({ length: 40 }, statusOf)))).toEqual(new Set([401]));
  expect(statements).toBeLessThan(20);
  expect(await answerTo(ONE)).toBe(204);
});

test('deletes wait for a connection when the server allows fewer than the pool may open', async () => {
  // Superusers are exempt from it.
  const user = await createUser(
    url,
    'ALTER ROLE {user} CONNECTION LIMIT 1',
    'GRANT ALL ON plants, plant_store_tokens, plant_store_schema TO {user}',
  );
  // Few, since each refused connection costs a busy server a process.
  const location = { kind: 'postgres', url: user.url, pool: 2 } as const;
  const ids = IDS.slice(0, 3);
  const stores = await openStores(location);
  const answers = await Promise.allSettled(ids.map((id) => stores.plants.deletePlants([id])));
  expect(answers).toEqual(ids.map((id) => ({ status: 'fulfilled', value: deletions(id) })));
  await stores.close();
  await user.drop();
});

test('a locked row is refused alone, with nothing done; of two processes exactly one deletes each of the others', async () => {
  const second = await serve([], 'second');
  try {
    await withConnection(url, async (execute) => {
      await execute('BEGIN');
      await execute(`SELECT FROM plants WHERE id = ${ONE} FOR UPDATE`);
      const both = [service, second].map((deleting) => Promise.all(IDS.map((id) => answerTo(id, deleting))));
      const [first = [], fromSecond = []] = await Promise.all(both);
      expect([first[0], fromSecond[0]]).toEqual([NOTHING_DONE, NOTHING_DONE]);
      expect(first.concat(fromSecond)).toContain(204);
      const pairs = new Set<string>();
      for (const [index, id] of IDS.entries()) {
        if (id === ONE) continue;
        const pair = [first[index], fromSecond[index]];
        // A busy machine may have no time for all of them: those are asked for again.
        if (pair[0] === NOTHING_DONE) pair[0] = await answerTo(id);
        if (pair[1] === NOTHING_DONE) pair[1] = await answerTo(id, second);
        pairs.add(pair.map(String).sort().join());
      }
      expect(pairs).toEqual(new Set(['204,404']));
      await execute('ROLLBACK');
    });
    expect(await plantsOf(url)).toEqual([ONE]);
    expect(await answerTo(ONE)).toBe(204);
  } finally {
    await second.close();
  }
});

test.each([
  ['whose answer is lost', 'lose answer'],
  ['that never arrives', 'lose'],
] as const)(
  'of a batch with a plant in use, a part %s leaves the outcome of its own plants unknown',
  async (_name, fate) => {
    await run(url, 'CREATE TABLE orders (plant bigint REFERENCES plants (id))', `INSERT INTO orders VALUES (${TWO})`);
    let times = 0;
    // The batch fails for the plant in use; then its parts are tried. The first part lacks that
    // plant.
    const isPart = (text: string): boolean => text.includes('DELETE FROM plants') && !text.includes(String(TWO));
    proxy.fate = (text) => (isPart(text) && ++times === 1 ? fate : 'pass');
    const { deleted, refused } = await service.stores.plants.deletePlants([TWO, ...OTHERS, 2n ** 60n]);
    const unknown = [...refused]
      .filter(([, error]) => 'outcome' in error && error.outcome === 'unknown')
      .map(([id]) => id);
    expect(unknown.length).toBeGreaterThan(0);
    expect(deleted.size).toBeGreaterThan(0);
    expect(deleted.size + refused.size).toBe(1 + OTHERS.length);
    const kept = fate === 'lose' ? [...refused.keys()] : [...refused.keys()].filter((id) => !unknown.includes(id));
    expect(await plantsOf(url)).toEqual([ONE, THREE, ...kept].sort((a, b) => (a < b ? -1 : 1)));
  },
);

test('a connection that the server ends is removed from the pool', async () => {
  await run(
    url,
    `CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD; END $$`,
    `CREATE TRIGGER leave BEFORE DELETE ON plants FOR EACH ROW WHEN (OLD.id = ${ONE}) EXECUTE FUNCTION leave()`,
  );
  expect(await answerTo(ONE)).toBe(OUTCOME_UNKNOWN);
  expect(await answerTo(TWO)).toBe(204);
  expect(await plantsOf(url)).toEqual([ONE, THREE, ...OTHERS]);
});
