import { afterAll, expect, test } from '@jest/globals';
import { refused } from './support/contract-server.ts';
import { INT64, ref, serveRows, type Row } from './support/schema-rows.ts';

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
};

const rows: Row[] = [
  { name: 'alternatives that only something deep inside tells apart', schema: ref('Entry'), valid: [{}], invalid: [1] },
  { name: 'parts that ask for the same', schema: ref('Both'), valid: [{}], invalid: [{ next: { next: 1 } }] },
  {
    name: 'int64s in alternatives',
    schema: ref('Tree'),
    valid: [{ id: 9007199254740993n }, { next: { id: 'a' } }],
    invalid: [{ id: 1.5 }],
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

test('a body that takes too many evaluations is refused, and one that is as deep but plain is not', async () => {
  const name = 'alternatives that only something deep inside tells apart';
  const smart = (children: object): object => ({ children: [children], rule: {} });
  expect(await server.post(name, nested(40, smart))).toMatchObject(refused('invalidBody'));
  const both = 'parts that ask for the same';
  expect(
    await server.post(
      both,
      nested(60, (next) => ({ next })),
    ),
  ).toMatchObject(refused('invalidBody'));
  expect(
    await server.post(
      both,
      nested(12, (next) => ({ next })),
    ),
  ).toMatchObject({ status: 204 });
}, 8000);

test('int64s in alternatives take no search for the alternative that holds, however deep and many they are', async () => {
  const name = 'int64s in alternatives';
  const list = Array.from({ length: 8000 }, (_, id) => ({ id }));
  const body = nested(90, (next) => ({ next }), { id: 1, list });
  expect(await server.post(name, body)).toMatchObject(refused('invalidBody'));
  expect(
    await server.post(
      name,
      nested(10, (next) => ({ next }), { id: 1, list }),
    ),
  ).toMatchObject({ status: 204 });
}, 8000);

test('a list of large objects that hardly differ is compared in a moment', async () => {
  const large = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, 'same']));
  const items = Array.from({ length: 300 }, (_, last) => ({ ...large, last }));
  const name = 'objects that differ, few';
  expect(await server.post(name, JSON.stringify(items))).toMatchObject({ status: 204 });
  expect(await server.post(name, JSON.stringify([...items, items[0]]))).toMatchObject(refused('invalidBody'));
}, 8000);

test('a refusal names the numbers of the contract, not what stands for them', async () => {
  const { text } = await server.post('an int64 of an enum', '9007199254740992');
  expect(text).toContain('9007199254740993, 5');
});
