import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { setTimeout as pause } from 'node:timers/promises';
import { OverloadError, StoreError } from '../../src/errors.ts';
import { PlantInUseError, type Deletions } from '../../src/plants/plant-store.ts';
import { MAX_WAIT, MAX_WAITING } from '../../src/stores/batches.ts';
import { batchDeletes } from '../../src/stores/group-commit.ts';
import { deletions } from './plant-store-suite.ts';

/** The clock of the batches, which stands still: a busy machine may stop a test for seconds. */
let clock: jest.SpiedFunction<typeof performance.now>;
beforeEach(() => {
  clock = jest.spyOn(performance, 'now').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A store in memory that notes its commits and finishes each when it is told to. */
function commits(plants: Iterable<bigint>) {
  const present = new Set(plants);
  const batches: bigint[][] = [];
  const pending: (() => void)[] = [];
  const deletePlants = (ids: readonly bigint[]): Promise<Deletions> => {
    batches.push([...ids]);
    return new Promise((done) => {
      pending.push(() => {
        done(deletions(...ids.filter((id) => present.delete(id))));
      });
    });
  };
  return { batches, present, deletePlants, finish: () => pending.shift()?.() };
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(() => setImmediate(done)));

test('concurrent deletes share one commit, which is done before they resolve; later ones wait for it and share the next', async () => {
  const store = commits([1n, 2n, 3n]);
  const { deletePlant: remove, length } = batchDeletes(store.deletePlants);
  let answered = false;
  const first = Promise.all([remove(1n), remove(9n)]).finally(() => (answered = true));
  await turn();
  const later = Promise.all([remove(2n), remove(3n)]);
  await turn();
  expect([answered, length(), store.batches]).toEqual([false, 4, [[1n, 9n]]]);
  store.finish();
  expect(await first).toEqual([true, false]);
  await turn();
  expect(store.batches).toEqual([
    [1n, 9n],
    [2n, 3n],
  ]);
  expect(length()).toBe(2);
  store.finish();
  expect(await later).toEqual([true, true]);
  expect(length()).toBe(0);
});

test('a commit that fails fails every delete in it, which are no longer counted, and the next goes on', async () => {
  let failing = true;
  const { deletePlant: remove, length } = batchDeletes((ids) =>
    failing ? Promise.reject(new Error('disk full')) : Promise.resolve(deletions(...ids)),
  );
  const answers = await Promise.allSettled([remove(1n), remove(2n), remove(2n)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await turn();
  expect(length()).toBe(0);
  failing = false;
  expect(await remove(1n)).toBe(true);
});

test('it answers as a set would, whatever is deleted at once, and no commit has an id twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.bigInt({ min: 0n, max: 40n })),
      fc.array(fc.bigInt({ min: 0n, max: 40n }), { maxLength: 2_500, size: 'max' }),
      async (plants, deletes) => {
        const present = new Set(plants);
        const { deletePlant: remove } = batchDeletes((ids) => {
          expect(new Set(ids).size).toBe(ids.length);
          return Promise.resolve(deletions(...ids.filter((id) => present.delete(id))));
        });
        const model = new Set(plants);
        const expected = deletes.map((id) => model.delete(id));
        expect(await Promise.all(deletes.map(remove))).toEqual(expected);
        expect(present).toEqual(model);
      },
    ),
    { numRuns: 60 },
  );
});

test('more deletes than can wait are refused at once, and those before them are answered', async () => {
  const store = commits([0n, 1n]);
  const { deletePlant: remove } = batchDeletes(store.deletePlants);
  const waiting = Array.from({ length: MAX_WAITING }, (_, index) => remove(BigInt(index)));
  await expect(remove(1n)).rejects.toBeInstanceOf(OverloadError);
  const finishing = setInterval(() => store.finish(), 0);
  const answers = await Promise.all(waiting);
  clearInterval(finishing);
  expect(answers.map(Number).reduce((sum, deleted) => sum + deleted)).toBe(2);
  expect(store.batches.every((batch) => batch.length <= 1_000)).toBe(true);
});

test('a delete whose client has waited too long is refused before anything is done', async () => {
  const store = commits([1n, 2n]);
  const { deletePlant: remove } = batchDeletes(store.deletePlants);
  const first = remove(1n);
  await turn();
  const late = remove(2n);
  clock.mockReturnValue(MAX_WAIT);
  store.finish();
  expect(await first).toBe(true);
  await expect(late).rejects.toBeInstanceOf(OverloadError);
  expect(store.batches).toEqual([[1n]]);
  expect(store.present).toEqual(new Set([2n]));
});

test.each([
  ['did nothing fails those that wait as well', 'nothing done', ['rejected', 'rejected', 'rejected'], 1],
  ['may have done something fails its own deletes only', 'unknown', ['rejected', 'fulfilled', 'fulfilled'], 2],
] as const)('a store that %s', async (_name, outcome, expected, commitsMade) => {
  let calls = 0;
  const { deletePlant: remove } = batchDeletes(async (ids: readonly bigint[]) => {
    calls++;
    await turn();
    if (calls === 1) throw new StoreError('out of order', outcome);
    return deletions(...ids);
  });
  const first = remove(1n);
  await new Promise((done) => setImmediate(done));
  const answers = await Promise.allSettled([first, remove(2n), remove(3n)]);
  expect(answers.map(({ status }) => status)).toEqual(expected);
  expect(calls).toBe(commitsMade);
});

test('a refused delete fails all its callers, and the others in the batch succeed', async () => {
  const refused = new Map([[2n, new PlantInUseError('A row refers to the plant 2.')]]);
  const { deletePlant: remove } = batchDeletes(() => Promise.resolve({ deleted: new Set([1n, 3n]), refused }));
  const answers = await Promise.allSettled([remove(1n), remove(2n), remove(3n), remove(2n), remove(4n)]);
  expect(answers).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: refused.get(2n) },
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: refused.get(2n) },
    { status: 'fulfilled', value: false },
  ]);
});

test("commits run concurrently up to the store's limit, and a single delete waits for others a moment only", async () => {
  const store = commits([1n, 2n, 3n, 4n]);
  const { deletePlant: remove } = batchDeletes(store.deletePlants, { concurrency: 2 });
  const answers: Promise<boolean>[] = [];
  for (const ids of [[1n, 2n], [3n], [4n]]) {
    answers.push(...ids.map((id) => remove(id)));
    await turn();
    // Longer than that moment.
    await pause(20);
    await turn();
  }
  expect(store.batches).toEqual([[1n, 2n], [3n]]);
  store.finish();
  await turn();
  await pause(20);
  await turn();
  expect(store.batches).toEqual([[1n, 2n], [3n], [4n]]);
  store.finish();
  store.finish();
  expect(await Promise.all(answers)).toEqual([true, true, true, true]);
});

test('a worker that hangs holds up no plant of another', async () => {
  const { deletePlant: remove, length } = batchDeletes(
    (ids) => (ids.includes(1n) ? new Promise(() => undefined) : Promise.resolve(deletions(...ids))),
    { workerOf: (id) => Number(id % 2n) },
  );
  void remove(1n);
  await turn();
  void remove(3n);
  const others = [remove(2n), remove(4n)];
  await turn();
  expect(length()).toBe(2);
  expect(await Promise.all(others)).toEqual([true, true]);
});

test('each commit has plants of one part only, and a part that fails fails no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.bigInt({ min: 0n, max: 99n }), { minLength: 1 }),
      fc.integer({ min: 1, max: 3 }),
      fc.bigInt({ min: 0n, max: 7n }),
      async (ids, concurrency, broken) => {
        const commits: bigint[] = [];
        let running = 0;
        const { deletePlant: remove, length } = batchDeletes(
          async (batch) => {
            const parts = new Set(batch.map((id) => id % 8n));
            expect(parts.size).toBe(1);
            commits.push(...batch);
            expect(++running).toBeLessThanOrEqual(concurrency);
            await turn();
            running--;
            if (parts.has(broken)) throw new StoreError('a worker is down', 'nothing done');
            return deletions(...batch);
          },
          { concurrency, groupOf: (id) => Number(id % 8n) },
        );
        const answers = await Promise.allSettled(ids.map(remove));
        expect(answers.map(({ status }) => status)).toEqual(
          ids.map((id) => (id % 8n === broken ? 'rejected' : 'fulfilled')),
        );
        expect(new Set(commits).size).toBe(commits.length);
        expect(length()).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});

test('the part with the most plants is committed first, unless another has waited for long', async () => {
  const store = commits([]);
  const { deletePlant: remove } = batchDeletes(store.deletePlants, { groupOf: (id) => Number(id % 10n) });
  const answers = [remove(1n)];
  await turn();
  answers.push(...[2n, 3n, 13n, 23n].map(remove));
  store.finish();
  await turn();
  clock.mockReturnValue(100);
  answers.push(...[4n, 14n].map(remove));
  store.finish();
  await turn();
  store.finish();
  await turn();
  store.finish();
  await Promise.all(answers);
  expect(store.batches).toEqual([[1n], [3n, 13n, 23n], [2n], [4n, 14n]]);
});
