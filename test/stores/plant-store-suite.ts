import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PlantInUseError, type Deletions, type PlantStore } from '../../src/plants/plant-store.ts';
import { StoreError } from '../../src/errors.ts';
import { ConstraintError, sql } from '../../src/stores/database.ts';
import type { Stores } from '../../src/stores/stores.ts';

/** The stores under test, empty, and how to get rid of them. */
export interface StoresUnderTest extends Pick<Stores, 'database' | 'plants' | 'tokens'> {
  /** Closes the stores and opens them again on the same data. */
  reopen(): Promise<Pick<Stores, 'plants' | 'tokens'>>;
  /** As another program could: from now on something refers to a plant, with this rule. */
  referTo(id: bigint, rule?: string): Promise<void>;
  close(): Promise<void>;
}

/** What a delete brings about that nothing refuses. */
export function deletions(...ids: bigint[]): Deletions {
  return { deleted: new Set(ids), refused: new Map() };
}

/**
 * Deletes plants as clients do: repeats, each alone, those that the store had no time left for,
 * which is answered 503.
 */
export async function deleteRepeatedly(plants: PlantStore, ids: readonly bigint[]): Promise<Deletions> {
  const first = await plants.deletePlants(ids);
  const [deleted, refused] = [new Set(first.deleted), new Map(first.refused)];
  for (;;) {
    const late = [...refused].find(([, error]) => error instanceof StoreError && error.cause === undefined);
    if (late === undefined) return { deleted, refused };
    const [id] = late;
    const again = await plants.deletePlants([id]);
    refused.delete(id);
    for (const gone of again.deleted) deleted.add(gone);
    for (const [kept, error] of again.refused) refused.set(kept, error);
  }
}

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
const INT64 = fc.bigInt({ min: MIN, max: MAX });

/**
 * What every store must do: one suite for all.
 * @param only the table that differs, if just one does.
 */
export function describeStore(name: string, open: () => Promise<StoresUnderTest>, only?: 'plants'): void {
  describe(name, () => {
    let stores: StoresUnderTest;
    beforeEach(async () => {
      stores = await open();
    });
    afterEach(() => stores.close());

    async function ids(plants: PlantStore = stores.plants, from?: bigint): Promise<bigint[]> {
      const found: bigint[] = [];
      for await (const id of plants.plantIds(from)) found.push(id);
      return found;
    }

    describe('plants', () => {
      test.each([
        ['at once', ''],
        ['at the commit', 'DEFERRABLE INITIALLY DEFERRED'],
        ['by ON DELETE RESTRICT', 'ON DELETE RESTRICT'],
        ['by a column that takes no null', 'ON DELETE SET NULL'],
      ])(
        'a plant that something refers to stays, checked %s, and those deleted with it do not',
        async (_name, rule) => {
          await stores.plants.insertPlants([1n, 2n, 3n, 4n, 5n]);
          await stores.referTo(3n, rule);
          const { deleted, refused } = await deleteRepeatedly(stores.plants, [5n, 3n, 9n, 1n, 2n]);
          expect(deleted).toEqual(new Set([1n, 2n, 5n]));
          expect([...refused.keys()]).toEqual([3n]);
          expect(refused.get(3n)).toBeInstanceOf(PlantInUseError);
          expect(await ids()).toEqual([3n, 4n]);
        },
      );

      test('are listed ascending from a given id, inclusive, however many there are', async () => {
        // More than the first two pages that the store reads.
        const many = [MIN, ...Array.from({ length: 10_200 }, (_, index) => BigInt(index) * 2n), MAX];
        await stores.plants.insertPlants(many.toReversed());
        for (const from of [MIN, MIN + 1n, 7n, 20_398n, 20_399n, MAX]) {
          expect(await ids(stores.plants, from)).toEqual(many.filter((id) => id >= from));
        }
      });

      test('finding tells which of several ids are there, exactly over the whole range', async () => {
        const there = [MIN, -9007199254740993n, 0n, 9007199254740993n, MAX];
        await stores.plants.insertPlants(there);
        const neighbours = there.flatMap((id) => [id - 1n, id + 1n]).filter((id) => id >= MIN && id <= MAX);
        expect(await stores.plants.findPlants([...neighbours, ...there])).toEqual(new Set(there));
        expect(await stores.plants.findPlants([])).toEqual(new Set());
      });

      test('inserting counts what is new and keeps what is there', async () => {
        expect(await stores.plants.insertPlants([5n, -5n, 5n])).toBe(2);
        expect(await stores.plants.insertPlants([5n, 6n])).toBe(1);
        expect(await stores.plants.countPlants()).toBe(3n);
        expect(await ids()).toEqual([-5n, 5n, 6n]);
      });

      test('it holds what a set of bigints would hold, exactly over the whole range', async () => {
        const near = INT64.chain((id) => fc.constantFrom(id, BigInt(Number(id)) === id ? id : id - 1n));
        const batch = fc.uniqueArray(near, { maxLength: 20 });
        await fc.assert(
          fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), batch), { maxLength: 12 }), async (steps) => {
            const model = new Set<bigint>(await ids());
            for (const [insert, batch] of steps) {
              if (insert) {
                await stores.plants.insertPlants(batch);
                for (const id of batch) model.add(id);
              } else {
                const present = batch.filter((id) => model.delete(id));
                expect(await stores.plants.deletePlants(batch)).toEqual(deletions(...present));
              }
            }
            expect(await ids()).toEqual([...model].sort((a, b) => (a < b ? -1 : 1)));
          }),
          { numRuns: 40 },
        );
        const left = await ids();
        expect(await ids((await stores.reopen()).plants)).toEqual(left);
      });
    });

    if (only === 'plants') return;

    describe('statements of store functions', () => {
      const add = (id: bigint): ReturnType<typeof sql> => sql`INSERT INTO plants (id) VALUES (${id}) RETURNING id`;

      test('read and write exact int64s, texts, bytes and nothing', async () => {
        const text = "it's \\ 100 % ü; DROP TABLE plants; --";
        const bytes = Uint8Array.of(0, 255, 39, 92);
        const [row] = await stores.database.read(
          sql`SELECT ${MIN} AS low, ${MAX} AS high, ${text} AS words, ${bytes} AS bytes, ${null} AS missing`,
        );
        expect(row).toEqual({ low: MIN, high: MAX, words: text, bytes: Buffer.from(bytes), missing: null });
      });

      test('of one write see each other, and are durable together', async () => {
        const remove = sql`DELETE FROM plants WHERE id = ${MAX} RETURNING id`;
        const count = sql`SELECT count(*) AS plants FROM plants`;
        expect(await stores.database.write(add(MAX), remove, count)).toEqual([
          [{ id: MAX }],
          [{ id: MAX }],
          [{ plants: 0n }],
        ]);
        await stores.database.write(add(1n), add(2n));
        expect(await ids((await stores.reopen()).plants)).toEqual([1n, 2n]);
      });

      test('have no effect when a constraint refuses one, while concurrent writes have theirs', async () => {
        await stores.plants.insertPlants([5n]);
        const writes = [[add(1n)], [add(2n), add(5n), add(3n)], [add(4n)]];
        const results = await Promise.allSettled(writes.map((write) => stores.database.write(...write)));
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(results[1]).toMatchObject({ reason: expect.any(ConstraintError) });
        expect(await ids()).toEqual([1n, 4n, 5n]);
      });

      test('have no effect when a constraint refuses one at the commit, while concurrent writes have theirs', async () => {
        await stores.plants.insertPlants([5n]);
        await stores.referTo(5n, 'DEFERRABLE INITIALLY DEFERRED');
        const order = (id: bigint): ReturnType<typeof sql> => sql`INSERT INTO orders VALUES (${id})`;
        const writes = [[add(1n)], [add(2n), order(6n)], [order(7n), add(7n)], [add(3n)]];
        const results = await Promise.allSettled(writes.map((write) => stores.database.write(...write)));
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
        expect(results[1]).toMatchObject({ reason: expect.any(ConstraintError) });
        expect(await ids()).toEqual([1n, 3n, 5n, 7n]);
      });

      test('that change a row under a condition succeed once, of many at the same time', async () => {
        await stores.plants.insertPlants([7n, 8n, 9n]);
        const remove = (): ReturnType<Stores['database']['write']> =>
          stores.database.write(sql`DELETE FROM plants WHERE id = ${8n} RETURNING id`);
        const results = await Promise.all(Array.from({ length: 10 }, remove));
        expect(results.filter(([rows = []]) => rows.length > 0)).toEqual([[[{ id: 8n }]]]);
        expect(await ids()).toEqual([7n, 9n]);
      });
    });

    describe('tokens', () => {
      const token = { name: 'shop', hash: 'a'.repeat(64), createdAt: 1_000, expiresAt: null };

      test('a token is found by its hash, its name is unique, and tokens are listed by name', async () => {
        const { hash, ...record } = token;
        const unused = { revokedAt: null, lastUsedAt: null };
        const appToken = { name: 'app', createdAt: 3, expiresAt: 9 };
        expect(await stores.tokens.createToken(token)).toBe(true);
        expect(await stores.tokens.createToken({ ...token, hash: 'b'.repeat(64), createdAt: 2_000 })).toBe(false);
        expect(await stores.tokens.createToken({ ...appToken, hash: 'c'.repeat(64) })).toBe(true);
        expect(await stores.tokens.findToken(hash)).toEqual({ ...record, ...unused });
        expect(await stores.tokens.findToken('b'.repeat(64))).toBeUndefined();
        expect(await stores.tokens.listTokens()).toEqual(
          [appToken, record].map((listed) => ({ ...listed, ...unused })),
        );
      });

      test('revoking twice keeps the first time, and an unknown name returns false', async () => {
        await stores.tokens.createToken(token);
        expect(await stores.tokens.revokeToken('shop', 5_000)).toBe(true);
        expect(await stores.tokens.revokeToken('shop', 6_000)).toBe(true);
        expect(await stores.tokens.revokeToken('other', 5_000)).toBe(false);
        expect(await stores.tokens.findToken(token.hash)).toMatchObject({ revokedAt: 5_000 });
      });

      test('removing one leaves the others, and its name is free again', async () => {
        const appToken = { ...token, name: 'app', hash: 'b'.repeat(64) };
        for (const each of [token, appToken]) await stores.tokens.createToken(each);
        await stores.tokens.removeToken(token.hash);
        await stores.tokens.removeToken(token.hash);
        expect(await stores.tokens.listTokens()).toMatchObject([{ name: 'app' }]);
        expect(await stores.tokens.createToken(token)).toBe(true);
      });

      test('its last use is kept', async () => {
        await stores.tokens.createToken(token);
        await stores.tokens.markTokenUsed('shop', 1_795_000_000_123);
        const { tokens } = await stores.reopen();
        expect(await tokens.findToken(token.hash)).toMatchObject({ lastUsedAt: 1_795_000_000_123 });
      });
    });
  });
}
