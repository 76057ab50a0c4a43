import { afterAll, describe, expect, test } from '@jest/globals';
import { loadContract } from '../src/server/load-contract.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { serveDocument, withContract } from './support/inline-contract.ts';
import { contractOf, serveRows, type Row } from './support/schema-rows.ts';

/** What schemas mean depends on the version. */
const VERSIONS: Readonly<Record<string, readonly Row[]>> = {
  '3.0.3': [
    { name: 'nullable beside a type', schema: { type: 'string', nullable: true }, valid: ['a', null], invalid: [1] },
    { name: 'nullable false', schema: { type: 'string', nullable: false }, valid: ['a'], invalid: [null] },
    {
      name: 'nullable without a type, which has no effect',
      schema: { nullable: true, allOf: [{ type: 'string' }] },
      valid: ['a'],
      invalid: [null, 1],
    },
    {
      name: 'nullable with an enum that has null',
      schema: { type: 'string', nullable: true, enum: ['a', null] },
      valid: ['a', null],
      invalid: ['b'],
    },
    {
      name: 'nullable with an enum without null',
      schema: { type: 'string', nullable: true, enum: ['a'] },
      valid: ['a'],
      invalid: [null],
    },
    {
      name: 'exclusiveMinimum true',
      schema: { type: 'number', minimum: 1, exclusiveMinimum: true },
      valid: [1.5],
      invalid: [1, 0],
    },
    {
      name: 'exclusiveMinimum false',
      schema: { type: 'number', minimum: 1, exclusiveMinimum: false },
      valid: [1],
      invalid: [0],
    },
    {
      name: 'exclusiveMinimum without minimum',
      schema: { type: 'number', exclusiveMinimum: true },
      valid: [-1],
      invalid: ['a'],
    },
    {
      name: 'exclusiveMaximum true',
      schema: { type: 'number', maximum: 1, exclusiveMaximum: true },
      valid: [0],
      invalid: [1, 2],
    },
    {
      name: 'exclusiveMaximum as a number, of 3.1',
      schema: { type: 'number', exclusiveMaximum: 1 },
      valid: [0],
      invalid: [1],
    },
    {
      name: 'keywords beside a reference, which are ignored',
      schema: { $ref: '#/components/schemas/Text', maxLength: 1 },
      valid: ['ab'],
      invalid: [1],
    },
    {
      name: 'nullable beside a reference, which is ignored',
      schema: { $ref: '#/components/schemas/Text', nullable: true },
      valid: ['a'],
      invalid: [null],
    },
    {
      name: 'nullable in a part',
      schema: { type: 'array', items: { type: 'integer', nullable: true } },
      valid: [[1, null]],
      invalid: [null, ['a']],
    },
    {
      name: 'data that looks like keywords',
      schema: { enum: [{ type: 'string', nullable: true }, 1] },
      valid: [{ type: 'string', nullable: true }, 1],
      invalid: [{ type: ['string', 'null'] }, null],
    },
    {
      name: 'properties named like keywords',
      schema: { properties: { nullable: { type: 'boolean' } } },
      valid: [{ nullable: true }],
      invalid: [{ nullable: 1 }],
    },
    { name: 'binary as strings', schema: { type: 'string', format: 'binary' }, valid: ['abc', 'YQ=='], invalid: [1] },
    { name: 'byte as strings', schema: { type: 'string', format: 'byte' }, valid: ['YQ=='], invalid: [1] },
    {
      name: 'a constant that looks like a reference',
      schema: {
        default: { $ref: '#/nowhere' },
        example: { $ref: '#/nowhere' },
        enum: [1, [{ $ref: 'none.yaml', id: 9007199254740992n }]],
      },
      valid: [[{ $ref: 'none.yaml', id: 9.007199254740992e15 }]],
      invalid: [
        [{ $ref: 'none.yaml', id: 1 }],
        [{ $ref: '#/info' }],
        [],
        [{ $ref: '#/paths', id: 9007199254740992n }],
        [{ $ref: 'none.yaml', id: 9007199254740992n, more: 1 }],
        { title: 'Schemas', version: '1.0.0' },
      ],
    },
  ],
  '3.2.0': [
    {
      name: 'keywords beside a reference',
      schema: { $ref: '#/components/schemas/Text', maxLength: 1 },
      valid: ['a'],
      invalid: ['ab', null, 1],
    },
    {
      name: 'a dialect, which changes nothing',
      schema: {
        $schema: 'https://spec.openapis.org/oas/3.2/dialect/2025-09-17',
        type: ['integer', 'null'],
        format: 'int64',
      },
      valid: [9007199254740993n, null],
      invalid: ['1', 1.5],
    },
  ],
  '3.1.1': [
    {
      name: 'keywords beside a reference',
      schema: { $ref: '#/components/schemas/Text', maxLength: 1 },
      valid: ['a'],
      invalid: ['ab', null, 1],
    },
    {
      name: 'nullable, which has no effect',
      schema: { type: 'string', nullable: true },
      valid: ['a', 'ab'],
      invalid: [null, 1],
    },
    { name: 'null as a type', schema: { type: ['string', 'null'] }, valid: ['a', 'ab', null], invalid: [1] },
    {
      name: 'dates of YAML, which are strings',
      schema: '{ enum: [2020-01-01, 2020-01-01T00:00:00Z], default: 2020-01-01 }',
      valid: ['2020-01-01', '2020-01-01T00:00:00Z'],
      invalid: ['2020-01-02'],
    },
    {
      name: 'a constant that looks like a reference',
      schema: { default: { $ref: '#/nowhere' }, const: [{ $ref: 'none.yaml', id: 9007199254740992n }] },
      valid: [[{ $ref: 'none.yaml', id: 9.007199254740992e15 }]],
      invalid: [
        [{ $ref: 'none.yaml', id: 1 }],
        [{ $ref: '#/info' }],
        [],
        [{ $ref: '#/paths', id: 9007199254740992n }],
        [{ $ref: 'none.yaml', id: 9007199254740992n, more: 1 }],
        { title: 'Schemas', version: '1.0.0' },
      ],
    },
    {
      name: 'a property called $ref by a pattern, beside a constant with one',
      schema: {
        properties: { by: { patternProperties: { '^[$]ref$': { type: 'integer' } }, additionalProperties: false } },
        not: { const: { $ref: 'none.yaml' } },
      },
      valid: [{ by: { $ref: 1 } }],
      invalid: [{ by: { $ref: 'x' } }, { by: { $rex: 1 } }, { $ref: 'none.yaml' }],
    },
    {
      name: 'a property called $ref by its name, beside a constant with one',
      schema: {
        properties: { by: { propertyNames: { enum: ['$ref'] }, additionalProperties: { type: 'integer' } } },
        not: { const: { $ref: 'none.yaml' } },
      },
      valid: [{ by: { $ref: 1 } }],
      invalid: [{ by: { $ref: 'x' } }, { by: { $rex: 1 } }, { $ref: 'none.yaml' }],
    },
    {
      name: 'a property called $ref by the rules for names, beside a constant with one',
      schema: {
        properties: {
          by: { propertyNames: { maxLength: 4, pattern: '^[$]ref$' }, properties: { $ref: { type: 'integer' } } },
        },
        not: { const: { $ref: 'none.yaml' } },
      },
      valid: [{ by: { $ref: 1 } }],
      invalid: [{ by: { $ref: 'x' } }, { by: { $rex: 1 } }, { $ref: 'none.yaml' }],
    },
  ],
};

describe.each(Object.entries(VERSIONS))('OpenAPI %s has', (version, rows) => {
  const contract = { head: `openapi: ${version}\ninfo: { title: Schemas, version: 1.0.0 }` };
  const serving = serveRows(rows, { ...contract, components: { Text: { type: 'string' } } });
  afterAll(async () => (await serving).close());

  test.each(rows)('$name', async (row) => (await serving).expectJudged(row));
});

test.each([
  { version: '3.0', valid: ['a', null], invalid: [1] },
  { version: "'3.0'", valid: ['a', null], invalid: [1] },
  { version: '3.1', valid: ['a'], invalid: [null] },
  { version: "'3.1'", valid: ['a'], invalid: [null] },
  { version: '3.2', valid: ['a'], invalid: [null] },
  { version: '3.2.0', valid: ['a'], invalid: [null] },
])('the version $version is read without patch version, and info is not needed', async ({ version, ...bodies }) => {
  const row = { name: 'a', schema: { type: 'string', nullable: true }, ...bodies };
  const server = await serveRows([row], { head: `openapi: ${version}` });
  await server.expectJudged(row);
  await server.close();
});

test('integers beyond 2^53 are exact in the document, all others are numbers', async () => {
  const schema = `{ minimum: -9223372036854775808, maximum: 9223372036854775807,
    enum: [9007199254740993, 9007199254740991, +9007199254740993], const: 18446744073709551616,
    default: 0x20000000000001, example: [1, -0, 1e3, 1.5, '9007199254740993', 1_000] }`;
  await withFiles({ 'openapi.yaml': contractOf([{ name: 'a', schema, valid: [], invalid: [] }]) }, async (file) => {
    const { operations } = await loadContract(file);
    expect(operations[0]?.requestBody?.content['application/json']?.schema).toEqual({
      minimum: -9223372036854775808n,
      maximum: 9223372036854775807n,
      enum: [9007199254740993n, 9007199254740991, 9007199254740993n],
      const: 18446744073709551616n,
      default: 9007199254740993n,
      example: [1, -0, 1000, 1.5, '9007199254740993', '1_000'],
    });
  });
});

test('styles of the parts of a multipart body have an effect in OpenAPI 3.1 only', async () => {
  const part = (text: string): string => `--b\r\nContent-Disposition: form-data; name="here"\r\n\r\n${text}\r\n`;
  const send = async (openapi: string, type: string, body: string): Promise<number> => {
    const here = { type: 'array', items: { type: 'string' }, maxItems: 2 };
    const described = { schema: { properties: { here } }, encoding: { here: { style: 'form', explode: false } } };
    const requestBody = { content: { [type.replace(/;.*/, '')]: described } };
    const paths = { '/a': { post: { requestBody, responses: { 204: { description: 'Done.' } } } } };
    const server = await serveDocument({ openapi, paths }, () => ({ status: 204 }));
    const { status } = await server.request('POST', '/a', { headers: { 'Content-Type': type }, body });
    await server.close();
    return status;
  };
  const [multipart, form] = ['multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'];
  const repeated = `${part('a')}${part('b')}--b--\r\n`;
  const joined = `${part('a,b,c')}--b--\r\n`;
  expect([await send('3.0.3', multipart, repeated), await send('3.0.3', multipart, joined)]).toEqual([204, 204]);
  expect([await send('3.1.1', multipart, repeated), await send('3.1.1', multipart, joined)]).toEqual([400, 400]);
  expect([await send('3.0.3', form, 'here=a,b'), await send('3.0.3', form, 'here=a,b,c')]).toEqual([204, 400]);
});

/** A contract of one operation with a JSON body, and the components of its schemas. */
function referring(schema: string, schemas = '', version = '3.1.0', rest = ''): string {
  return `openapi: ${version}
info: { title: References, version: 1.0.0 }
${rest}
paths:
  /things:
    post:
      operationId: createThing
      requestBody: { required: true, content: { application/json: { schema: ${schema} } } }
      responses: { '204': { description: Created. } }
components: { schemas: { ${schemas} } }
`;
}

/** A contract whose body has the schema to which a reference leads. */
const reference = (to: string, schemas?: string, more = ''): string => referring(`{ ${more}$ref: '${to}' }`, schemas);

/** The statuses of requests with these bodies. */
function statusesOf(files: Record<string, string>, bodies: readonly string[]): Promise<number[]> {
  return withContract(files, { createThing: () => ({ status: 204 }) }, async (server) => {
    const headers = { 'Content-Type': 'application/json' };
    const found = [];
    for (const body of bodies) found.push((await server.request('POST', '/things', { headers, body })).status);
    return found;
  });
}

/** A schema whose one property must be 1. */
const THING = '{ type: object, required: [here], properties: { here: { const: 1 } } }';
const BASE = "$id: 'https://x.test/a'";
const ANCHORED = `x-thing: &thing ${THING}`;

test.each<[what: string, contract: string, others?: Record<string, string>]>([
  ['a component', reference('#/components/schemas/A', `A: ${THING}`)],
  ['a key with other characters', reference('#/components/schemas/a~1b%20%C3%A4~0%25', `'a/b ä~%': ${THING}`)],
  [
    'a part of another reference',
    reference(
      '#/components/schemas/A/properties/part',
      `A: { $ref: '#/components/schemas/B' }, B: { properties: { part: ${THING} } }`,
    ),
  ],
  ['a place of an extension', referring(`{ allOf: [{ $ref: '#/x-more/0' }] }`, '', '3.1.0', `x-more: [${THING}]`)],
  ['$defs', reference('#/$defs/b', '', `${BASE}, $defs: { b: ${THING} }, `)],
  ['an anchor', reference('#thing', `A: { properties: { x: { $anchor: thing, allOf: [${THING}] } } }`)],
  ['an $id, relative to another', reference('c', `A: { $id: 'https://x.test/c', allOf: [${THING}] }`, `${BASE}, `)],
  [
    'an $id and an anchor that are below unknown keywords too',
    referring(
      `{ allOf: [{ $ref: 'https://x.test/c' }, { $ref: '#thing' }] }`,
      `A: { other: [{ $id: 'https://x.test/c', type: string }, { $anchor: thing, type: string }] },
       B: { $id: 'https://x.test/c', allOf: [${THING}] }, C: { $anchor: thing, type: object },
       D: { not: { other: { $id: 'https://x.test/c', foo: { $anchor: thing, type: string } } } }, E: { other: { a: { $anchor: thing } } }`,
    ),
  ],
  [
    'a pointer that is counted from the file, although its schema has an $id',
    referring(`{ $id: inner, allOf: [{ $ref: '#/components/schemas/A' }] }`, `A: ${THING}`),
  ],
  [
    'a dynamic anchor that is the only one',
    referring(`{ $dynamicRef: '#T' }`, `A: { $dynamicAnchor: T, allOf: [${THING}] }`),
  ],
  ['a whole file', reference('parts/thing.yaml'), { 'parts/thing.yaml': THING }],
  [
    'a file of JSON',
    reference('./thing.json#/a'),
    { 'thing.json': '{"a":{"required":["here"],"properties":{"here":{"const":1}}}}' },
  ],
  [
    'files that refer to each other',
    reference('parts/a.yaml#/A', `A: ${THING}`),
    {
      'parts/a.yaml': `{ A: { $ref: 'b.yaml#/B' }, C: { $ref: '../openapi.yaml#/components/schemas/A' } }`,
      'parts/b.yaml': `{ B: { $ref: 'a.yaml#/C' } }`,
    },
  ],
  [
    'schemas of the same name in several files',
    referring(`{ allOf: [{ $ref: 'a.yaml#/A' }, { $ref: 'b.yaml#/A' }] }`, `A: { type: object }`),
    { 'a.yaml': `A: { required: [here] }`, 'b.yaml': `A: { properties: { here: { const: 1 } } }` },
  ],
  [
    'a file with all schemas',
    referring(`{ $ref: '#/components/schemas/A' }`).replace('schemas: {', `schemas: { $ref: schemas.yaml`),
    { 'schemas.yaml': `A: ${THING}` },
  ],
  ['a YAML anchor', referring('*thing', '', '3.1.0', ANCHORED)],
  ['a YAML merge', referring(`{ <<: *thing, title: A thing }`, '', '3.1.0', ANCHORED)],
])('%s is followed to the schema of a body', async (_what, text, others = {}) => {
  const bodies = ['{"here":1}', '{"here":2}', '{}'];
  expect(await statusesOf({ 'openapi.yaml': text, ...others }, bodies)).toEqual([204, 400, 400]);
});

test('a recursive schema is applied at each depth, across files', async () => {
  const files = {
    'openapi.yaml': referring(`{ $ref: 'tree.yaml' }`),
    'tree.yaml': `{ additionalProperties: false, properties: { leaf: { type: string }, trees: { items: { $ref: '#' } } } }`,
  };
  const bodies = ['{"leaf":"a"}', '{"leaf":1}', '{"tree":[]}'].map((leaf) => `{"trees":[{"trees":[${leaf}]},{}]}`);
  expect(await statusesOf(files, bodies)).toEqual([204, 400, 400]);
});

test.each(['components: { schemas: { A: { type: object } } }', 'webhooks: { made: { post: {} } }'])(
  'a document of OpenAPI 3.1 needs no paths beside %s',
  async (rest) => {
    const files = { 'openapi.yaml': `openapi: 3.1.0\ninfo: { title: No paths, version: 1.0.0 }\n${rest}\n` };
    const contract = await withFiles(files, loadContract);
    expect(contract.operations).toEqual([]);
  },
);

test('what looks like a reference in data is data, even if it leads nowhere', async () => {
  const nowhere = `{ $ref: 'https://example.com/none.yaml#/x' }`;
  const file = `openapi: 3.1.0
info: { title: Data, version: 1.0.0, x-logo: ${nowhere} }
x-any: ${nowhere}
webhooks:
  created: { post: { requestBody: ${nowhere} } }
  done: { post: { requestBody: { content: { application/json: { schema: ${nowhere} } } } } }
paths:
  x-paths: ${nowhere}
  /things:
    post:
      operationId: createThing
      x-samples: [${nowhere}]
      callbacks: { done: { '{$request.body#/url}': ${nowhere} }, gone: ${nowhere} }
      requestBody:
        required: true
        content:
          application/json:
            example: ${nowhere}
            examples: { one: { value: ${nowhere} }, two: ${nowhere} }
            schema:
              type: object
              example: ${nowhere}
              examples: [${nowhere}]
              properties:
                $ref: { type: string }
                default: { type: integer }
      responses:
        x-more: ${nowhere}
        '200': { description: The same., content: { application/json: {} }, links: { next: ${nowhere} } }
`;
  const handlers = { createThing: (request: never) => ({ status: 200, body: (request as { body: unknown }).body }) };
  await withContract({ 'openapi.yaml': file }, handlers, async (server) => {
    const post = (body: string): Promise<{ status: number; text: string }> =>
      server.request('POST', '/things', { headers: { 'Content-Type': 'application/json' }, body });
    const body = { $ref: 'text', default: 1 };
    const accepted = await post(JSON.stringify(body));
    expect(accepted.status).toBe(200);
    expect(JSON.parse(accepted.text)).toEqual(body);
    expect(await post(JSON.stringify({ ...body, $ref: 1 }))).toMatchObject({ status: 400 });
    expect(await post(JSON.stringify({ ...body, default: 'x' }))).toMatchObject({ status: 400 });
  });
});

test('a path is followed through several references to its operations, with what stands beside', async () => {
  const file = `openapi: 3.1.0
info: { title: Paths, version: 1.0.0 }
paths:
  /one: { $ref: '#/x-items/one' }
  /two/{id}: { $ref: 'items.yaml', parameters: [{ name: id, in: path, required: true, schema: { type: integer } }] }
x-items:
  one: { $ref: '#/x-items/two' }
  two: { get: { operationId: getOne, responses: { '204': { $ref: '#/components/responses/None' } } } }
components: { responses: { None: { $ref: 'items.yaml#/x-none' } } }
`;
  const items = `get: { operationId: getTwo, responses: { '204': { $ref: 'openapi.yaml#/components/responses/None' } } }
x-none: { description: None. }
`;
  const none = () => ({ status: 204 });
  await withContract({ 'openapi.yaml': file, 'items.yaml': items }, { getOne: none, getTwo: none }, async (server) => {
    expect((await server.request('GET', '/one')).status).toBe(204);
    expect((await server.request('GET', '/two/2')).status).toBe(204);
    expect((await server.request('GET', '/two/x')).status).toBe(400);
  });
});
