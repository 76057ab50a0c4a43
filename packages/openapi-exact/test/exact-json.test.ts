import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'lossless-json';
import { exactJson } from '../src/json/exact-json.ts';

/** Values of programs: dates, boxed values, holes, and what JSON leaves out. */
const VALUES = fc.anything({
  ...{ withBigInt: true, withDate: true, withBoxedValues: true, withNullPrototype: true, withSparseArray: true },
  ...{ withMap: true, withSet: true, stringUnit: 'binary' },
});

test('JSON with bigints is what lossless-json writes, for any value', () => {
  fc.assert(
    fc.property(VALUES, (value) => {
      expect(exactJson(value)).toBe(stringify(value) ?? 'null');
    }),
    { numRuns: 2_000 },
  );
});

test.each<[value: unknown, json: string]>([
  [2n ** 64n, '18446744073709551616'],
  [[undefined, () => 1, Symbol('a')], '[null,null,null]'],
  [{ a: undefined, b: () => 1, c: { toJSON: () => 1n }, d: { toJSON: () => undefined } }, '{"c":1}'],
  [JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
  [undefined, 'null'],
])('%p is %s', (value, json) => {
  expect(exactJson(value)).toBe(json);
});
