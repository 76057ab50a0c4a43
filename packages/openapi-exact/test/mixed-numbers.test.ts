import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BIGINTS } from '../src/schema/codec.ts';
import { Places } from '../src/schema/places.ts';
import { parseExact } from '../src/client/parse-exact.ts';
import type { ContractServer } from './support/contract-server.ts';
import { contractTypes } from 'openapi-exact-cli';
import { loadContract } from '../src/server/load-contract.ts';
import { withFiles } from 'test-support/contract-files.ts';
import { contractOf, INT64, ref } from './support/schema-rows.ts';
import { createClient } from '../src/client.ts';
import type { ContractShapes } from '../src/client/shape.ts';
import { clientShapes } from 'openapi-exact-cli';
import type { ResponseValue } from '../src/response/respond.ts';
import { serveDocument } from './support/inline-contract.ts';

/** The lines of the generated types of components. */
async function typesOf(components: Readonly<Record<string, unknown>>): Promise<string[]> {
  const files = { 'openapi.yaml': contractOf([], { components }).replace(/paths:\s*$/, 'paths: {}\n') };
  const text = await withFiles(files, async (file) => contractTypes(await loadContract(file)));
  const [, schemas = ''] = /\n {4}schemas: \{\n(.*?)\n {4}\};\n/s.exec(text) ?? [];
  return schemas
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('/*'));
}

test('a number has the type of a bigint too, only where an alternative of its place says int64', async () => {
  const types = await typesOf({
    Either: { oneOf: [ref('Int'), ref('Number')] },
    Int: { type: 'object', properties: { id: INT64, list: { type: 'array', items: INT64 } } },
    Number: {
      type: 'object',
      properties: {
        id: { type: 'number' },
        other: { type: 'number' },
        list: { type: 'array', items: { type: 'integer' } },
      },
    },
    Alone: { type: 'object', properties: { id: { type: 'number' } } },
  });
  expect(types).toEqual([
    'Either: components["schemas"]["Int"] | components["schemas"]["Number"];',
    'Int: {',
    'id?: bigint;',
    'list?: bigint[];',
    '};',
    'Number: {',
    'id?: bigint | number;',
    'other?: number;',
    'list?: (bigint | number)[];',
    '};',
    'Alone: {',
    'id?: number;',
    '};',
  ]);
});

test('a number has the type that its handler gets, beside patterns, contains and unevaluatedProperties', async () => {
  const number = { type: 'number' };
  const object = (properties: object, others: object): object => ({ type: 'object', properties, ...others });
  const types = await typesOf({
    Match: object({ id: number, other: number }, { patternProperties: { '^i': INT64 } }),
    Reverse: object({ id: INT64 }, { patternProperties: { '^i': number }, additionalProperties: false }),
    Parts: { allOf: [ref('Base'), { patternProperties: { '^x': INT64 } }] },
    Base: object({ id: number }, {}),
    List: object({ list: { type: 'array', items: number, contains: INT64 } }, {}),
    Rest: { anyOf: [object({ a: number }, { required: ['a'] }), ref('Named')], unevaluatedProperties: INT64 },
    Named: object({ b: { type: 'string' } }, { required: ['b'] }),
  });
  expect(types).toEqual([
    'Match: {',
    'id?: bigint;',
    'other?: number;',
    '} & {',
    '[key: string]: unknown;',
    '};',
    'Reverse: {',
    'id?: bigint;',
    '} & {',
    '[key: string]: (bigint | number) | bigint;',
    '};',
    'Parts: components["schemas"]["Base"] & {',
    '[key: string]: unknown;',
    '};',
    'Base: {',
    'id?: bigint | number;',
    '};',
    'List: {',
    'list?: (bigint | number)[];',
    '};',
    'Rest: {',
    'a: bigint | number;',
    '} | components["schemas"]["Named"];',
    'Named: {',
    'b: string;',
    '};',
  ]);
});

describe('an integer in a place that one alternative gives to int64s, and another to numbers,', () => {
  const kind = (value: string, id: object): object => ({
    type: 'object',
    required: ['kind', 'id'],
    properties: { kind: { const: value }, id },
  });
  const either = {
    oneOf: [kind('exact', INT64), kind('any', { type: 'number' }), kind('text', { type: 'string' })],
  };
  const content = { 'application/json': { schema: either } };
  const post = { requestBody: { required: true, content }, responses: { 200: { description: 'One.', content } } };
  const document = { paths: { '/either': { post } } };

  /** The types that are generated for both directions. */
  interface Either {
    kind: 'exact' | 'any' | 'text';
    id: bigint | number | string;
  }
  interface Paths {
    '/either': {
      post: {
        requestBody: { content: { 'application/json': Either } };
        responses: { 200: { content: { 'application/json': Either } } };
      };
    };
  }

  let seen: unknown;
  let answer: ResponseValue['body'];
  let server: ContractServer;
  let shapes: ContractShapes;
  beforeAll(async () => {
    server = await serveDocument(document, (request: never) => {
      seen = (request as { body: unknown }).body;
      return { status: 200, body: answer };
    });
    const info = { title: 'Either', version: '1.0.0' };
    const files = { 'openapi.yaml': JSON.stringify({ openapi: '3.1.0', info, ...document }) };
    const module = await withFiles(files, async (file) => clientShapes(await loadContract(file)));
    // The module is the table as JSON.
    shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
  });
  afterAll(() => server.close());

  const call = async (sent: Either, answered: Either): Promise<unknown> => {
    answer = answered;
    const client = createClient<Paths>({ shapes, baseUrl: server.url, token: 'unused' });
    const { data } = await client.POST('/either', { body: sent });
    return data;
  };

  test.each<[sent: number | bigint, given: number | bigint]>([
    [7n, 7n],
    [7, 7n],
    [9007199254740993n, 9007199254740993n],
    [1.5, 1.5],
  ])('is a bigint to the handler and the client, and a fraction a number: %s', async (sent, given) => {
    expect(await call({ kind: 'any', id: sent }, { kind: 'any', id: sent })).toEqual({ kind: 'any', id: given });
    expect(seen).toEqual({ kind: 'any', id: given });
  });

  test('leaves the texts of a third alternative as they are', async () => {
    const text = { kind: 'text', id: '7' } as const;
    expect(await call(text, text)).toEqual(text);
    expect(seen).toEqual(text);
  });

  test('is refused by the client where a number may be rounded', async () => {
    const rounded = { kind: 'any', id: 2 ** 53 } as const;
    await expect(call(rounded, rounded)).rejects.toThrow('body.id must be a bigint such as 12n');
  });

  test('is read by the client as the server reads it, however it is written', () => {
    const read = (text: string): unknown => parseExact(text, new Places({}, BIGINTS).placeOf({ numbers: 'int64' }));
    expect(['1.0', '1e3', '-12.50e1', '9007199254740993.0', '0.0'].map(read)).toEqual([
      1n,
      1000n,
      -125n,
      9007199254740993n,
      0n,
    ]);
    expect(['1.5', '1e-1'].map(read)).toEqual([1.5, 0.1]);
    expect(() => read('1e999999999')).toThrow('it has the number 1e999999999');
  });
});

test('constants without type are bigints in the types if one is beyond 2^53 and all numbers are integers', async () => {
  const types = await typesOf({
    Ids: {
      type: 'object',
      properties: {
        one: { const: 9007199254740993n },
        many: { enum: [-9007199254740993n, 1, null, 'a'] },
        mixed: { enum: [1.5, 9007199254740993n] },
        small: { enum: [1, 2] },
        titled: {
          oneOf: [
            { const: 1, title: 'Small' },
            { const: 9007199254740993n, title: 'Large' },
          ],
        },
        beside: { allOf: [{ type: 'number' }, { const: 9007199254740993n }] },
      },
    },
  });
  expect(types).toEqual([
    'Ids: {',
    'one?: 9007199254740993n;',
    'many?: -9007199254740993n | 1n | null | "a";',
    'mixed?: 1.5 | number;',
    'small?: 1 | 2;',
    'titled?: (1n | 1) | 9007199254740993n;',
    'beside?: 9007199254740993n;',
    '[Symbol.iterator]?: never;',
    '};',
  ]);
});

test('a value without type has the type of a bigint too, where an alternative of its place says int64', async () => {
  const types = await typesOf({
    Condition: { items: { type: 'string' }, if: INT64, then: { minimum: 5 } },
    Choice: { properties: { id: { anyOf: [INT64, { maxItems: 1, items: { type: 'string' } }] } } },
  });
  expect(types).toEqual([
    'Condition: string[] | string | (bigint | number) | boolean | null | Record<string, unknown>;',
    'Choice: {',
    'id?: bigint | (string[] | string | (bigint | number) | boolean | null | Record<string, unknown>);',
    '} | string | number | boolean | null | unknown[];',
  ]);
});

test('a constant beyond 2^53 without type is a bigint to the client and the handler, in parameters and bodies', async () => {
  // JSON writes all of its digits.
  const id = { enum: [1e20, 1] };
  const content = { 'application/json': { schema: id } };
  const operation = {
    parameters: [{ name: 'id', in: 'query', schema: id }],
    requestBody: { required: true, content },
    responses: { 200: { description: 'The same.', content } },
  };
  const document = { paths: { '/ids': { post: operation } } };
  let seen: unknown;
  const server = await serveDocument(document, ({ query, body }) => {
    seen = { query, body };
    return { status: 200, body };
  });
  const info = { title: 'Ids', version: '1.0.0' };
  const files = { 'openapi.yaml': JSON.stringify({ openapi: '3.1.0', info, ...document }) };
  const module = await withFiles(files, async (file) => clientShapes(await loadContract(file)));
  // The module is the table as JSON.
  const shapes = JSON.parse(/ContractShapes = ([^]*);/.exec(module)?.[1] ?? '') as ContractShapes;
  interface Paths {
    '/ids': {
      post: {
        parameters: { query: { id: bigint } };
        requestBody: { content: { 'application/json': bigint } };
        responses: { 200: { content: { 'application/json': bigint } } };
      };
    };
  }
  const client = createClient<Paths>({ shapes, baseUrl: server.url, token: 'unused' });
  const large = 100000000000000000000n;
  try {
    const { data } = await client.POST('/ids', { params: { query: { id: 1n } }, body: large });
    expect([data, seen]).toEqual([large, { query: { id: 1n }, body: large }]);
    await client.POST('/ids', { params: { query: { id: large } }, body: 1n });
    expect(seen).toEqual({ query: { id: large }, body: 1n });
  } finally {
    await server.close();
  }
});

describe('an int64 that one part of a composed schema gives to a property is exact, although another says integer,', () => {
  const integer = { type: 'integer' };
  const object = (id: object): object => ({ type: 'object', properties: { id } });
  const base = ref('Base');
  test.each([
    ['in a later part of allOf', { allOf: [base, object(INT64)] }, '{"id":9007199254740993}'],
    ['in an earlier part of allOf', { allOf: [object(INT64), base] }, '{"id":9007199254740993}'],
    ['beside a reference', { $ref: '#/components/schemas/Base', ...object(INT64) }, '{"id":9007199254740993}'],
    ['beside allOf', { allOf: [base], ...object(INT64) }, '{"id":9007199254740993}'],
    ['further down', { allOf: [object(base), object({ allOf: [object(INT64)] })] }, '{"id":{"id":9007199254740993}}'],
    [
      'in the items of a list',
      { allOf: [object({ type: 'array', items: integer }), object({ type: 'array', items: INT64 })] },
      '{"id":[9007199254740993,-9223372036854775808]}',
    ],
    [
      'in an alternative',
      { allOf: [base], oneOf: [object(INT64), { ...object({ type: 'string' }), required: ['name'] }] },
      '{"id":9007199254740993}',
    ],
    ['behind additionalProperties', { allOf: [base, { additionalProperties: INT64 }] }, '{"id":9007199254740993}'],
    [
      'behind a pattern that its name matches',
      { ...object(integer), patternProperties: { '^i': INT64 } },
      '{"id":9007199254740993}',
    ],
    [
      'beside a pattern that its name matches',
      { ...object(INT64), patternProperties: { '^i': integer } },
      '{"id":9007199254740993}',
    ],
    [
      'behind a pattern in another part',
      { allOf: [base, { patternProperties: { '^i': INT64 } }] },
      '{"id":9007199254740993}',
    ],
    ['behind contains', object({ type: 'array', items: integer, contains: INT64 }), '{"id":[9007199254740993]}'],
  ])('%s', async (_, schema, sent) => {
    const content = { 'application/json': { schema } };
    const operation = { requestBody: { content }, responses: { 200: { description: 'The same.', content } } };
    const document = { paths: { '/ids': { post: operation } }, components: { schemas: { Base: object(integer) } } };
    const server = await serveDocument(document, ({ body }) => ({ status: 200, body }));
    try {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await server.request('POST', '/ids', { headers, body: sent });
      expect(answer).toMatchObject({ status: 200, text: sent });
      const beyond = sent.replaceAll(/\d+/g, '9223372036854775808');
      expect(await server.request('POST', '/ids', { headers, body: beyond })).toMatchObject({ status: 400 });
    } finally {
      await server.close();
    }
  });
});

describe('an integer beyond 2^53 is one to each schema that judges the place of an int64,', () => {
  const BIG = '9007199254740993';
  const integer = { type: 'integer' };
  const id = (schema: object): object => ({ type: 'object', properties: { id: schema } });
  const textOr = { anyOf: [INT64, { type: 'string' }] };
  test.each<[where: string, schema: object, valid: string[], invalid: string[]]>([
    ['behind not', id({ ...textOr, not: integer }), ['{"id":"a"}'], ['{"id":5}', `{"id":${BIG}}`]],
    ['below not', { allOf: [id(textOr)], not: id(integer) }, ['{"id":"a"}'], ['{"id":5}', `{"id":${BIG}}`]],
    [
      'in a condition',
      { ...id(textOr), if: { ...id(integer), required: ['id'] }, then: { required: ['name'] } },
      ['{"id":"a"}', `{"id":${BIG},"name":1}`],
      ['{"id":5}', `{"id":${BIG}}`],
    ],
    [
      'in contains',
      id({ type: 'array', items: INT64, contains: { ...integer, minimum: 10 }, maxContains: 1 }),
      ['{"id":[11]}', `{"id":[5,${BIG}]}`],
      ['{"id":[5]}', `{"id":[11,${BIG}]}`],
    ],
    [
      'in an alternative',
      id({
        oneOf: [
          { ...INT64, multipleOf: 2 },
          { ...integer, multipleOf: 3 },
        ],
      }),
      ['{"id":9007199254740994}', `{"id":${BIG}}`],
      ['{"id":6}', '{"id":9007199254740996}'],
    ],
    ['in dependentSchemas', { ...id(INT64), dependentSchemas: { id: id(integer) } }, [`{"id":${BIG}}`], ['{"id":1.5}']],
  ])('%s', async (_, schema, valid, invalid) => {
    const content = { 'application/json': { schema } };
    const operation = { requestBody: { content }, responses: { 200: { description: 'The same.', content } } };
    const paths = { '/ids': { post: operation } };
    const server = await serveDocument({ paths }, ({ body }) => ({ status: 200, body }));
    const headers = { 'Content-Type': 'application/json' };
    const send = async (body: string): Promise<unknown> => {
      const { status, text } = await server.request('POST', '/ids', { headers, body });
      return status === 200 ? text : status;
    };
    try {
      for (const body of valid) expect(await send(body)).toBe(body);
      for (const body of invalid) expect([body, await send(body)]).toEqual([body, 400]);
    } finally {
      await server.close();
    }
  });
});

test('schemas that lead to each other in many ways are read and typed in a moment, with types of both numbers', async () => {
  const toSchema = (number: number): object => ref(`T${number % 41}`);
  const schemas = Array.from({ length: 41 }, (_, index) => [
    `T${index}`,
    {
      type: 'object',
      properties: {
        id: index % 3 === 0 ? INT64 : { type: 'integer' },
        one: { oneOf: [toSchema(index * 5 + 1), toSchema(index * 11 + 3)] },
        other: { anyOf: [toSchema(index * 3 + 2), { type: 'string' }] },
      },
    },
  ]);
  const requestBody = { content: { 'application/json': { schema: toSchema(0) } } };
  const operation = { requestBody, responses: { 204: { description: 'Read.' } } };
  const components = { schemas: Object.fromEntries(schemas) as object };
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/': { post: operation } },
    components,
  };
  const files = { 'openapi.yaml': JSON.stringify(document) };
  const contract = await withFiles(files, loadContract);
  expect(contract.operations).toHaveLength(1);
  const ids = (await contractTypes(contract)).match(/ id\?: .*/g) ?? [];
  expect([ids.length, new Set(ids)]).toEqual([41, new Set([' id?: bigint;', ' id?: bigint | number;'])]);
}, 60_000);

test('a property of an heir that refers to its base has the type of the base and of all heirs', async () => {
  const types = await typesOf({
    Pet: { type: 'object', properties: { kind: {} }, discriminator: { propertyName: 'kind' } },
    Dog: { allOf: [ref('Pet')], properties: { friend: ref('Pet') } },
    Cat: { allOf: [ref('Pet'), { type: 'object', properties: { id: INT64 } }] },
  });
  const [pet, dog, cat] = ['Pet', 'Dog', 'Cat'].map((name) => `components["schemas"]["${name}"]`);
  expect(types).toEqual([
    ...['Pet: {', 'kind?: unknown;', '};'],
    ...['Dog: {', `friend?: ${pet} | ${dog} | ${cat};`, `} & ${pet};`],
    ...[`Cat: ${pet} & {`, 'id?: bigint;', '};'],
  ]);
});

test('a number that no int64 shares a place with stays a number among hundreds of heirs', async () => {
  const friend = { anyOf: [ref('Pet'), { type: 'null' }] };
  const heirs = Array.from({ length: 240 }, (_, index) => {
    const properties = { age: { type: 'integer' }, [`id${index}`]: INT64, [`friend${index >> 1}`]: friend };
    return [`Heir${index}`, { allOf: [ref('Pet'), { type: 'object', properties }] }] as const;
  });
  const types = await typesOf({
    Pet: { type: 'object', properties: { kind: {} }, discriminator: { propertyName: 'kind' } },
    ...Object.fromEntries(heirs),
  });
  const numbers = types.filter((line) => /^(?:age|id\d+)\?:/.test(line)).map((line) => line.replace(/\d+/, ''));
  expect([numbers.length, new Set(numbers)]).toEqual([480, new Set(['age?: number;', 'id?: bigint;'])]);
});

test('a schema between a base and its heirs is an heir, also one that says nothing itself', async () => {
  const types = await typesOf({
    Pet: { type: 'object', properties: { kind: {} }, discriminator: { propertyName: 'kind' } },
    Animal: { type: 'object', allOf: [ref('Pet')] },
    Dog: { allOf: [ref('Animal')], properties: { friend: ref('Animal') } },
  });
  expect(types).toEqual([
    ...['Pet: {', 'kind?: unknown;', '};'],
    'Animal: components["schemas"]["Pet"];',
    ...[
      'Dog: {',
      'friend?: components["schemas"]["Animal"] | components["schemas"]["Dog"];',
      '} & components["schemas"]["Animal"];',
    ],
  ]);
});

test('a value of a base with a discriminator has the int64s of its heirs as bigints, an heir its own ones', async () => {
  const heir = (properties: object, base = 'Pet'): object => ({ allOf: [ref(base), { type: 'object', properties }] });
  const schemas = {
    Pet: { type: 'object', required: ['kind'], properties: { kind: {} }, discriminator: { propertyName: 'kind' } },
    Dog: heir({ serial: INT64 }),
    Cat: heir({ name: { type: 'string' } }),
    Puppy: heir({ chip: INT64 }, 'Dog'),
  };
  const schema = { type: 'object', properties: { pets: { type: 'array', items: ref('Pet') }, cat: ref('Cat') } };
  const content = { 'application/json': { schema } };
  const operation = { requestBody: { content }, responses: { 200: { description: 'The same.', content } } };
  const seen: unknown[] = [];
  const server = await serveDocument(
    { paths: { '/pets': { post: operation } }, components: { schemas } },
    ({ body }) => {
      seen.push(body);
      return { status: 200, body };
    },
  );
  try {
    const body =
      '{"pets":[{"kind":"Dog","serial":9007199254740993},{"kind":"Cat","name":"a"},{"kind":"Puppy","chip":9007199254740993}],"cat":{"kind":"Cat","serial":5}}';
    const headers = { 'Content-Type': 'application/json' };
    expect(await server.request('POST', '/pets', { headers, body })).toMatchObject({ status: 200, text: body });
    const pets = [
      { kind: 'Dog', serial: 9007199254740993n },
      { kind: 'Cat', name: 'a' },
      { kind: 'Puppy', chip: 9007199254740993n },
    ];
    expect(seen).toEqual([{ pets, cat: { kind: 'Cat', serial: 5 } }]);
  } finally {
    await server.close();
  }
});

test('a number that one place gives to int64s may be a fraction in other places', async () => {
  const Number = { type: 'number', minimum: 0 };
  const properties = { id: { allOf: [ref('Number'), { format: 'int64' }] }, share: ref('Number') };
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const operation = { requestBody: { content }, responses: { 200: { description: 'The same.', content } } };
  const document = { paths: { '/parts': { post: operation } }, components: { schemas: { Number } } };
  const server = await serveDocument(document, ({ body }) => ({ status: 200, body }));
  try {
    const headers = { 'Content-Type': 'application/json' };
    const body = '{"id":9007199254740993,"share":0.5}';
    expect(await server.request('POST', '/parts', { headers, body })).toMatchObject({ status: 200, text: body });
    for (const wrong of ['{"id":0.5}', '{"share":-0.5}']) {
      expect(await server.request('POST', '/parts', { headers, body: wrong })).toMatchObject({ status: 400 });
    }
  } finally {
    await server.close();
  }
});

test('a number may be a fraction where int64 is an alternative only', async () => {
  const schema = {
    properties: { id: { minimum: 0 } },
    anyOf: [{ properties: { id: INT64 } }, { properties: { id: { type: 'number' } } }],
  };
  const content = { 'application/json': { schema } };
  const operation = { requestBody: { content }, responses: { 200: { description: 'The same.', content } } };
  const server = await serveDocument({ paths: { '/ids': { post: operation } } }, ({ body }) => ({ status: 200, body }));
  try {
    const headers = { 'Content-Type': 'application/json' };
    for (const body of ['{"id":0.5}', '{"id":9007199254740993}']) {
      expect(await server.request('POST', '/ids', { headers, body })).toMatchObject({ status: 200, text: body });
    }
    expect(await server.request('POST', '/ids', { headers, body: '{"id":-0.5}' })).toMatchObject({ status: 400 });
  } finally {
    await server.close();
  }
});

describe('a fraction that a double would turn into an integer beyond 2^53', () => {
  const ids = { type: 'object', properties: { id: { type: 'number' }, either: { type: ['number', 'null'] } } };
  const content = { 'application/json': { schema: ids }, 'application/x-www-form-urlencoded': { schema: ids } };
  const parameters = [{ name: 'id', in: 'query', schema: { type: 'number' } }];
  const responses = { 204: { description: 'Done.' } };
  const document = { paths: { '/ids': { post: { parameters, requestBody: { content }, responses } } } };
  let seen: unknown;
  let server: ContractServer;
  beforeAll(async () => {
    server = await serveDocument(document, ({ query, body }) => {
      seen = { query, body };
      return { status: 204 };
    });
  });
  afterAll(() => server.close());

  const send = (query: string, type: string, body: string): ReturnType<ContractServer['request']> =>
    server.request('POST', `/ids${query}`, { headers: { 'Content-Type': type }, body });
  const FORM = 'application/x-www-form-urlencoded';

  test.each([
    ['', 'application/json', '{"id":9007199254740993.5}', '/id', 'not 9007199254740993.5'],
    ['', FORM, 'id=-9007199254740991.7', '/id', "not '-9007199254740991.7'"],
    ['', FORM, 'either=9007199254740993.5', '/either', "not '9007199254740993.5'"],
    ['?id=12345678901234567.8', FORM, '', "Query parameter 'id'", "not '12345678901234567.8'"],
  ])('is refused as such an integer is: %s %s %s', async (query, type, body, place, value) => {
    const { status, text } = await send(query, type, body);
    const reason = query === '' ? 'invalidBody' : 'invalidParameter';
    const { message, ...rest } = JSON.parse(text) as { message: string };
    expect([status, rest]).toEqual([400, { reason }]);
    for (const named of [place, value]) expect(message).toContain(named);
  });

  test('leaves other fractions as JSON reads them', async () => {
    await send('?id=2251799813685249.5', 'application/json', '{"id":0.1000000000000000055,"either":1.5e300}');
    expect(seen).toEqual({ query: { id: 2251799813685249.5 }, body: { id: 0.1, either: 1.5e300 } });
  });
});
