import { afterAll, describe, expect, test } from '@jest/globals';
import { refused } from './support/contract-server.ts';
import { INT64, ref, serveRows, type Row } from './support/schema-rows.ts';

const TWELVE = Array.from({ length: 12 }, (_, index) => index);
/** Twelve schemas that a choice refers to, and the name of each. */
const named = (name: string, schema: (index: number) => object): Record<string, object> =>
  Object.fromEntries(TWELVE.map((index) => [`${name}${index}`, schema(index)]));
const refs = (name: string): object[] => TWELVE.map((index) => ref(`${name}${index}`));
/** Ranges of which each overlaps the next one at one number. */
const RANGES = TWELVE.map((index) => ({ ...INT64, minimum: index * 10, maximum: index * 10 + 10 }));
const KINDS = named('Kind', (index) => ({
  allOf: [ref('Base')],
  required: ['kind', 'made'],
  properties: {
    kind: { const: `k${index}` },
    made: { type: 'string', readOnly: true },
    [`of${index}`]: { type: 'integer' },
  },
}));

const COMPONENTS = {
  Entry: { oneOf: [ref('Smart'), ref('Folder')] },
  Folder: { type: 'object', properties: { children: { type: 'array', items: ref('Entry') } } },
  Smart: {
    type: 'object',
    required: ['rule'],
    properties: { children: { type: 'array', items: ref('Entry') }, rule: { type: 'object', required: ['query'] } },
  },
  Both: { type: 'object', allOf: [{ properties: { next: ref('Both') } }, { properties: { next: ref('Both') } }] },
  Tree: {
    anyOf: [
      { properties: { next: ref('Tree'), id: INT64 } },
      { properties: { next: ref('Tree'), id: { type: 'string' } } },
    ],
  },
  Excluding: {
    type: 'object',
    if: { properties: { next: ref('Excluding') } },
    then: { properties: { next: ref('Excluding') } },
    else: false,
  },
  Lists: {
    type: 'array',
    anyOf: [
      { allOf: [{ items: { anyOf: [{ type: 'integer' }, ref('Lists')] } }, { minItems: 50_000 }] },
      { items: { anyOf: [{ type: 'integer', minimum: 0 }, ref('Lists')] } },
    ],
  },
  Base: { type: 'object', required: ['id'], properties: { id: INT64 } },
  ...KINDS,
  ...named('Range', (index) => ({
    ...INT64,
    minimum: BigInt(index) * 9007199254740993n,
    maximum: BigInt(index) * 9007199254740993n,
  })),
  Item: { type: 'object' },
  Name: { type: 'string' },
  LeftOver: {
    type: 'object',
    anyOf: [
      { properties: { next: ref('LeftOver'), rule: { type: 'object', required: ['query'] } }, required: ['rule'] },
      {
        properties: {
          next: ref('LeftOver'),
          rule: {},
          list: { type: 'array', items: { type: 'integer', minimum: 0 } },
        },
      },
    ],
    unevaluatedProperties: false,
  },
};

const rows: Row[] = [
  {
    name: 'many constants and a pattern',
    schema: {
      oneOf: [
        ...TWELVE.map((index) => ({ const: `a${index}`, title: 'One' })),
        { type: 'string', pattern: '1$' },
        { const: 5 },
      ],
    },
    valid: ['a0', 'a10', 'b1', 5],
    invalid: ['a1', 'a11', 'a12', 6, null],
  },
  {
    name: 'many constants of which two are equal',
    schema: { oneOf: [...TWELVE, 0].map((only) => ({ type: 'integer', const: only })) },
    valid: [1, 11],
    invalid: [0, 12, '1'],
  },
  { name: 'any of many ranges', schema: { anyOf: RANGES }, valid: [0n, 10n, 120n], invalid: [-1, 121, 1.5, '5'] },
  {
    name: 'one of many ranges, or none',
    schema: { oneOf: [...RANGES, { type: 'null' }] },
    valid: [0n, 5n, 120n, null],
    invalid: [-1, 10, 110, 121, '5'],
  },
  {
    name: 'one of many ranges beside what allows any number',
    schema: { oneOf: [...RANGES, { not: { const: 5 } }] },
    valid: [5n, -1n, 'text'],
    invalid: [6, 10],
  },
  {
    name: 'one of many ranges beside what says something of objects only',
    schema: { oneOf: [...RANGES, { properties: { name: { type: 'string' } } }] },
    valid: [-1n, 'text', { name: 'text' }],
    invalid: [6, 10, { name: 1 }],
  },
  {
    name: 'many references to ranges',
    schema: { anyOf: refs('Range') },
    valid: [0n, 9007199254740993n],
    invalid: [-1, 9007199254740992n],
  },
  {
    name: 'many references to objects',
    schema: { oneOf: refs('Kind') },
    valid: [
      { id: 1n, kind: 'k0' },
      { id: 1n, kind: 'k11', of11: 1 },
      { id: 1n, kind: 'k11', of0: 'a' },
    ],
    invalid: [
      { kind: 'k0' },
      { id: 1 },
      { id: 1n, kind: 'k12' },
      { id: 1n, kind: 'k11', of11: 'a' },
      { id: 1n, kind: 'k0', made: 'a' },
      1,
    ],
  },
  {
    name: 'many references by a discriminator',
    schema: {
      oneOf: refs('Kind'),
      discriminator: {
        propertyName: 'kind',
        mapping: Object.fromEntries(TWELVE.map((index) => [`k${index}`, `Kind${index}`])),
      },
    },
    valid: [
      { id: 1n, kind: 'k0' },
      { id: 1n, kind: 'k11', of11: 1 },
    ],
    invalid: [
      { kind: 'k0' },
      { id: 1 },
      { id: 1n, kind: 'k12' },
      { id: 1n, kind: 'k0', of0: 'a' },
      { id: 1n, kind: 'k6', of6: 'a' },
      { id: 1n, kind: 'k11', of11: 'a' },
    ],
  },
  {
    name: 'a long tuple',
    schema: {
      type: 'array',
      prefixItems: TWELVE.map((index) => ({ const: index })),
      items: { type: 'string' },
      minItems: 1,
    },
    valid: [[0], TWELVE, [...TWELVE, 'a'], [...TWELVE, ...Array<string>(88).fill('a')]],
    invalid: [[], [1], [...TWELVE.slice(0, 11), 12], [...TWELVE, 1], [...TWELVE, ...Array<string>(87).fill('a'), 1]],
  },
  { name: 'alternatives that only something deep inside tells apart', schema: ref('Entry'), valid: [{}], invalid: [1] },
  { name: 'parts that ask for the same', schema: ref('Both'), valid: [{}], invalid: [{ next: { next: 1 } }] },
  {
    name: 'int64s in alternatives',
    schema: ref('Tree'),
    valid: [{ id: 9007199254740993n }, { next: { id: 'a' } }],
    invalid: [{ id: 1.5 }],
  },
  { name: 'what a condition excludes', schema: ref('Excluding'), valid: [{}], invalid: [{ next: 1 }] },
  { name: 'lists in lists', schema: ref('Lists'), valid: [[], [[1], 2]], invalid: [['a'], [[-1]]] },
  {
    name: 'items that are asked for',
    schema: {
      anyOf: [
        ...['a', 'b', 'c', 'd'].map((name) => ({
          type: 'array',
          contains: { required: [name], allOf: [ref('Item')] },
          items: { anyOf: [ref('Item'), { type: 'integer' }] },
        })),
        { type: 'array', items: { anyOf: [ref('Item'), { type: 'integer', minimum: 0 }] } },
      ],
    },
    valid: [[], [0], [-1, { a: 1 }]],
    invalid: [[-1], [-1, {}], ['a']],
  },
  {
    name: 'items that are counted',
    schema: { type: 'array', contains: { anyOf: [ref('Item'), ref('Name')] }, minContains: 2, maxContains: 3 },
    valid: [
      [{}, {}],
      [1, {}, 'a', {}, 2],
    ],
    invalid: [[], [{}], [1, {}], [{}, {}, 'a', 'b']],
  },
  {
    name: 'properties that are left over',
    schema: ref('LeftOver'),
    valid: [{}, { next: { next: {} } }],
    invalid: [{ other: 1 }, { next: { other: 1 } }],
  },
  {
    name: 'objects that differ, few',
    schema: { type: 'array', maxItems: 1000, uniqueItems: true, items: { type: 'object' } },
    valid: [[{}]],
    invalid: [[{}, {}]],
  },
  {
    name: 'an int64 of an enum',
    schema: { type: 'integer', format: 'int64', enum: [9007199254740993n, 5] },
    valid: [5n],
    invalid: [9007199254740992n],
  },
];
const server = await serveRows(rows, { components: COMPONENTS });
afterAll(() => server.close());

test.each(rows)('$name: small bodies are judged by what the schema says', async (row) => {
  await server.expectJudged(row);
});

/** An object nested in itself. */
function nested(depth: number, around: (inner: object) => object, innermost: object = {}): string {
  return JSON.stringify(Array.from({ length: depth }).reduce(around, innermost));
}

describe('the verdict of a schema on an object is remembered, so that time does not double per level', () => {
  const smart = (children: object): object => ({ children: [children], rule: {} });
  const next = (inner: object): object => ({ next: inner });
  const list = Array.from({ length: 3000 }, (_, id) => ({ id }));

  test.each([
    ['alternatives that only something deep inside tells apart', nested(45, smart), 204],
    ['alternatives that only something deep inside tells apart', nested(45, smart, { children: [1] }), 400],
    ['parts that ask for the same', nested(95, next), 204],
    ['parts that ask for the same', nested(95, next, { next: 1 }), 400],
    ['int64s in alternatives', nested(90, next, { id: 1, list }), 204],
    ['int64s in alternatives', nested(90, next, { id: 1.5, list }), 400],
    ['what a condition excludes', nested(95, next), 204],
    ['what a condition excludes', nested(95, next, { next: 1 }), 400],
  ])(
    '%s',
    async (name, body, status) => {
      expect(await server.post(name, body)).toMatchObject({ status });
    },
    8000,
  );

  test('an object that repeats another is judged by itself', async () => {
    const name = 'alternatives that only something deep inside tells apart';
    const valid = { children: [] };
    const siblings = (...children: unknown[]): string => JSON.stringify({ children });
    expect(await server.post(name, siblings(valid, valid, valid))).toMatchObject({ status: 204 });
    expect(await server.post(name, siblings(valid, { children: 1 }, valid))).toMatchObject(refused('invalidBody'));
    expect(await server.post(name, siblings(valid, valid, valid))).toMatchObject({ status: 204 });
  });
});

test.each([
  ['lists in lists', '['.repeat(10) + ']'.repeat(10), { status: 204 }],
  ['lists in lists', '['.repeat(95) + ']'.repeat(95), refused('invalidBody')],
  ['lists in lists', '['.repeat(30) + `[${'0,'.repeat(9_000)}0]` + ']'.repeat(30), refused('invalidBody')],
  ['properties that are left over', nested(10, (next) => ({ next, rule: {} })), { status: 204 }],
  ['properties that are left over', nested(95, (next) => ({ next, rule: {} })), refused('invalidBody')],
  [
    'properties that are left over',
    nested(17, (next) => ({ next, rule: {} }), { list: Array(9_000).fill(0) }),
    refused('invalidBody'),
  ],
])(
  'where nothing is remembered, a body that takes too many evaluations is refused: %s',
  async (name, body, answer) => {
    expect(await server.post(name, body)).toMatchObject(answer);
  },
  60_000,
);

test('items that do not fit what a list must contain take no time for each other', async () => {
  const items = (last: number): string => JSON.stringify([...Array<number>(9_000).fill(0), last]);
  expect(await server.post('items that are asked for', items(0))).toMatchObject({ status: 204 });
  expect(await server.post('items that are asked for', items(-1))).toMatchObject(refused('invalidBody'));
}, 8000);

test('items that are counted take no time for each other, since a list may have so many', async () => {
  const items = (length: number): string => JSON.stringify([{}, {}, ...Array<number>(length - 2).fill(0)]);
  expect(await server.post('items that are counted', items(2_000))).toMatchObject({ status: 204 });
  expect(await server.post('items that are counted', items(2_001))).toMatchObject(refused('invalidBody'));
  expect(await server.post('items that are counted', items(9_000))).toMatchObject(refused('invalidBody'));
}, 8000);

test('a list of large objects that hardly differ is compared in a moment', async () => {
  const large = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, 'same']));
  const items = Array.from({ length: 100 }, (_, last) => ({ ...large, last }));
  const name = 'objects that differ, few';
  expect(await server.post(name, JSON.stringify(items))).toMatchObject({ status: 204 });
  expect(await server.post(name, JSON.stringify([...items, items[0]]))).toMatchObject(refused('invalidBody'));
}, 8000);

test('a refusal names the numbers of the contract, not what stands for them', async () => {
  const { text } = await server.post('an int64 of an enum', '9007199254740992');
  expect(text).toContain('9007199254740993, 5');
});
