import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deletePlant, expectError } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;
/** Where doubles stop being exact, and both ends of int64. */
const NEIGHBOURS = [
  ...[-1n, 0n, 1n].map((offset) => 2n ** 31n + offset),
  ...[-1n, 0n, 1n, 2n].map((offset) => 9007199254740992n + offset),
  ...[-1n, 0n, 1n, 2n].map((offset) => -9007199254740992n - offset),
  ...[0n, 1n, 2n, 3n, 1024n].map((offset) => MAX - offset),
  ...[0n, 1n, 2n, 3n, 1024n].map((offset) => MIN + offset),
  ...[-2n, -1n, 0n, 1n, 2n, 12n, 16n],
];

const service = await startService(NEIGHBOURS);
afterAll(() => service.close());

/** Deletes an id that is there and shows that this one is gone and no other. */
async function expectExactDelete(id: bigint): Promise<void> {
  const before = await plantsIn(service.stores);
  expect(await deletePlant(service, id)).toMatchObject({ status: 204, text: '' });
  expect(await plantsIn(service.stores)).toEqual(before.filter((plant) => plant !== id));
  expect(expectError(await deletePlant(service, id), 40401)).toContain(` ${id}.`);
}

test('an id that the contract allows reaches the store exactly, over the whole range: a delete removes that plant and no neighbour', async () => {
  const anywhere = fc.oneof(
    fc.bigInt({ min: MIN, max: MAX }),
    fc.constantFrom(...NEIGHBOURS),
    // A few steps from a power of two, where rounding shows.
    fc
      .tuple(fc.integer({ min: 0, max: 63 }), fc.bigInt({ min: -3n, max: 3n }), fc.constantFrom(1n, -1n))
      .map(([power, offset, sign]) => sign * 2n ** BigInt(power) + offset)
      .filter((id) => id >= MIN && id <= MAX),
  );
  await fc.assert(
    fc.asyncProperty(anywhere, async (id) => {
      const near = [-1024n, -2n, -1n, 0n, 1n, 2n, 1024n].map((offset) => id + offset);
      // What a rounding implementation would delete instead.
      const rounded = BigInt(Number(id));
      const planted = [...near, rounded].filter((id) => id >= MIN && id <= MAX);
      await service.stores.plants.insertPlants(planted);
      await expectExactDelete(id);
    }),
    { numRuns: 75, examples: [0n, -1n, 9007199254740993n, MAX, MIN].map((id): [bigint] => [id]) },
  );
});

// test/contract/operations.test.ts refuses other texts.
const BAD = [
  ...['9223372036854775808', '-9223372036854775809', '18446744073709551616', '99999999999999999999'],
  ...['12;x', '12%3B', '%2012', '%2E', '%2F', '12%2534', '{id}'],
];

test.each(BAD)('the id %s is refused with 400 and a message that says what an id looks like', async (text) => {
  const before = await plantsIn(service.stores);
  const message = expectError(await deletePlant(service, text), 40001);
  const range = 'between -9223372036854775808 and 9223372036854775807';
  expect(message).toBe(
    `Path parameter 'id' must be a decimal integer ${range}, such as 12, not '${decodeURIComponent(text)}'.`,
  );
  expect(await plantsIn(service.stores)).toEqual(before);
});
