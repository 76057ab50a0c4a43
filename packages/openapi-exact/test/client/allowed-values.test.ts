import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveForClient, type ServedContract } from './served-contract.ts';

const INT64 = { type: 'integer', format: 'int64' };
const STRING = { type: 'string' };
const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });

/** Schemas with values that their types admit, as the server hands them to its handler. */
const ROWS: readonly (readonly [name: string, schema: object, values: readonly unknown[]])[] = [
  ['types', { type: ['integer', 'string', 'null'], format: 'int64' }, ['abc', 5n, null]],
  ['format', { format: 'int64' }, ['abc', 5n, true, { a: 'b' }, ['c']]],
  ['constants', { enum: [2 ** 53, 'a', null] }, [9007199254740992n, 'a', null]],
  [
    'pattern',
    { type: 'object', patternProperties: { '^n': INT64 }, additionalProperties: STRING },
    [{ n1: 5n, a: 's' }],
  ],
  ['openPattern', { type: 'object', patternProperties: { '^n': INT64 } }, [{ n1: 5n, a: 's', b: 1.5 }]],
  ['named', object({ na: STRING }, { patternProperties: { '^x': INT64 } }), [{ na: 's', x: 5n }]],
  ['map', object({ a: STRING }, { additionalProperties: INT64 }), [{ a: 's', b: 5n }]],
  ['alternatives', { oneOf: [object({ id: INT64 }, { required: ['id'] }), STRING] }, ['a', { id: 5n }]],
  [
    'places',
    { anyOf: [object({ id: INT64 }), object({ id: STRING }), object({ id: { type: 'number' } })] },
    [{ id: 5n }, { id: 'a' }, { id: 1.5 }],
  ],
  ['open', { anyOf: [object({ id: INT64 }), { type: 'object' }] }, [{ id: 5n }, { id: 'a' }, { id: 1.5 }]],
  [
    'patterns',
    { anyOf: [{ patternProperties: { '^n': INT64 } }, { patternProperties: { '^n': STRING } }] },
    [{ n: 'a' }, { n: 5n }],
  ],
  [
    'conditional',
    { type: 'object', if: { required: ['a'] }, then: object({ id: INT64 }) },
    [{ id: 'a' }, { a: 1, id: 5n }],
  ],
  ['contains', { type: 'array', contains: INT64 }, [[5n, 'a']]],
  ['tuple', { type: 'array', prefixItems: [STRING], items: INT64 }, [['a', 5n]]],
  ['dependent', { type: 'object', dependentSchemas: { a: object({ id: INT64 }) } }, [{ id: 'a' }, { a: 'b', id: 5n }]],
  ['parts', { allOf: [object({ id: INT64 }), object({ name: STRING })] }, [{ id: 5n, name: 'a' }]],
  ['wider', { oneOf: [INT64, { type: 'integer', format: 'uint64', minimum: 2 ** 63 }] }, [9223372036854776000n]],
];

let served: ServedContract;
beforeAll(async () => {
  const paths = ROWS.map(([name, schema]): [string, object] => {
    const content = { 'application/json': { schema } };
    const requestBody = { required: true, content };
    return [`/${name}`, { post: { requestBody, responses: { 200: { description: 'The same.', content } } } }];
  });
  served = await serveForClient(Object.fromEntries(paths));
});
afterAll(() => served.close());

test.each(ROWS)('a value that the schema allows is sent and read: %s', async (name, _schema, values) => {
  for (const body of values) {
    served.answer = { status: 200, body };
    const { data } = await served.client().POST(`/${name}`, { body });
    expect([served.request['body'], data]).toEqual([body, body]);
  }
});

test.each([
  ['map', { a: 's', b: 5 }, 'body.b'],
  ['parts', { id: 5, name: 'a' }, 'body.id'],
  ['tuple', ['a', 5], 'body[1]'],
])('a number is refused where nothing but an int64 is allowed: %s', async (name, body, place) => {
  await expect(served.client().POST(`/${name}`, { body })).rejects.toThrow(`${place} must be a bigint such as 12n`);
});
