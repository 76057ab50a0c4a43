import { expect, test } from '@jest/globals';
import { stringify } from 'lossless-json';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { loadContract } from '../src/server/load-contract.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { serveMiddleware } from './support/serve-middleware.ts';

const string = { type: 'string' };
const int64 = { type: 'integer', format: 'int64' };
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

const schemas = {
  User: object({ name: string, id: int64 }),
  Node: object({ name: string, children: { type: 'array', items: ref('Node') } }),
  Tree: {
    anyOf: [
      object({ leaf: string }, { required: ['leaf'] }),
      object({ left: ref('Tree'), right: ref('Tree') }, { required: ['left', 'right'] }),
    ],
  },
  Cat: object({ kind: string, lives: { type: 'integer' } }, { required: ['kind'] }),
  Dog: object({ kind: string, breed: string }, { required: ['kind'] }),
  Animal: object(
    { kind: string },
    { required: ['kind'], discriminator: { propertyName: 'kind', mapping: { bird: '#/components/schemas/Bird' } } },
  ),
  Bird: { allOf: [ref('Animal'), object({ wings: { type: 'integer' } })] },
  Fish: { allOf: [ref('Animal'), object({ fins: { type: 'integer' }, secret: string })] },
};

const S = { passwordHash: 'x' };
const nested = { name: 'Ada', ...S };
const card = { required: ['card'], properties: { card: string } };
const cash = { required: ['cash'], properties: { cash: string } };

/** What a schema is, what a handler returns, and what of it is sent. */
const ROWS: Readonly<Record<string, readonly [schema: object, given: unknown, sent: unknown]>> = {
  'an object': [ref('User'), { ...nested, id: 9007199254740993n }, { name: 'Ada', id: 9007199254740993n }],
  'an int64 that is not declared': [ref('User'), { name: 'Ada', other: 9007199254740993n }, { name: 'Ada' }],
  'objects in lists': [{ type: 'array', items: ref('User') }, [nested, nested], [{ name: 'Ada' }, { name: 'Ada' }]],
  'items of a tuple': [
    { type: 'array', prefixItems: [ref('User')], items: ref('Cat') },
    [nested, { kind: 'cat', name: 'Tom' }],
    [{ name: 'Ada' }, { kind: 'cat' }],
  ],
  'a recursive object': [
    ref('Node'),
    { name: 'a', ...S, children: [{ name: 'b', ...S, children: [{ ...S }] }] },
    { name: 'a', children: [{ name: 'b', children: [{}] }] },
  ],
  'parts of allOf': [
    { allOf: [ref('User'), object({ role: string }), { type: 'object' }] },
    { ...nested, role: 'admin' },
    { name: 'Ada', role: 'admin' },
  ],
  'an object in two parts of allOf': [
    { allOf: [object({ a: object({ x: string }) }), object({ a: object({ y: string }) })] },
    { a: { x: '1', y: '2', z: '3' } },
    { a: { x: '1', y: '2' } },
  ],
  'keywords beside $ref': [
    { ...ref('User'), properties: { role: string } },
    { ...nested, role: 'r' },
    { name: 'Ada', role: 'r' },
  ],
  'oneOf by what is required': [
    { oneOf: [object({ cash: string }, cash), object({ card: string }, card)] },
    { card: '1', ...S },
    { card: '1' },
  ],
  'oneOf by constants': [
    { oneOf: [object({ kind: { const: 'a' }, x: string }), object({ kind: { const: 'b' }, y: string })] },
    { kind: 'b', x: '1', y: '2' },
    { kind: 'b', y: '2' },
  ],
  'oneOf of closed alternatives': [
    {
      oneOf: [
        object({ a: string }, { additionalProperties: false }),
        object({ b: string }, { additionalProperties: false }),
      ],
    },
    { a: '1', c: '3' },
    { a: '1' },
  ],
  'anyOf by a nested value': [
    { anyOf: [object({ at: object({ x: { type: 'integer' } }) }), object({ at: object({ x: string, y: string }) })] },
    { at: { x: 1, y: 'secret' } },
    { at: { x: 1 } },
  ],
  'anyOf by bounds of an int64': [
    {
      anyOf: [
        object({ id: { ...int64, maximum: 9007199254740992n }, small: string }),
        object({ id: { ...int64, minimum: 9007199254740993n }, large: string }),
      ],
    },
    { id: 9007199254740993n, small: '1', large: '2' },
    { id: 9007199254740993n, large: '2' },
  ],
  'anyOf by formats': [
    {
      anyOf: [
        object({ id: { ...string, format: 'uuid' }, a: string }),
        object({ id: { ...string, format: 'email' }, b: string }),
      ],
    },
    { id: 'a@b.ch', a: '1', b: '2' },
    { id: 'a@b.ch', b: '2' },
  ],
  'anyOf where several fit': [
    { anyOf: [ref('User'), object({ role: string })] },
    { ...nested, role: 'admin' },
    { name: 'Ada', role: 'admin' },
  ],
  'anyOf with null': [{ anyOf: [ref('User'), { type: 'null' }] }, nested, { name: 'Ada' }],
  'alternatives that only require': [
    object({ card: string, cash: string }, { oneOf: [{ required: ['card'] }, { required: ['cash'] }] }),
    { cash: '1', ...S },
    { cash: '1' },
  ],
  'an alternative that is any object': [{ anyOf: [ref('Cat'), { type: 'object' }] }, nested, nested],
  'recursive alternatives': [
    ref('Tree'),
    { left: { leaf: 'a', ...S }, right: { left: { leaf: 'b', right: 1 }, right: { leaf: 'c' }, ...S } },
    { left: { leaf: 'a' }, right: { left: { leaf: 'b' }, right: { leaf: 'c' } } },
  ],
  'a discriminator': [
    { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    { kind: 'Dog', breed: 'x', lives: 9 },
    { kind: 'Dog', breed: 'x' },
  ],
  'a mapped discriminator': [
    {
      anyOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat', d: 'Dog' } },
    },
    { kind: 'c', breed: 'x', lives: 9 },
    { kind: 'c', lives: 9 },
  ],
  'a schema that the discriminator finds by inheritance': [
    { type: 'array', items: ref('Animal') },
    [
      { kind: 'bird', wings: 2, fins: 1 },
      { kind: 'Fish', wings: 2, fins: 1 },
      { kind: 'cow', wings: 2, fins: 1 },
    ],
    [{ kind: 'bird', wings: 2 }, { kind: 'Fish', fins: 1 }, { kind: 'cow' }],
  ],
  'a schema that inherits': [ref('Bird'), { kind: 'Fish', wings: 2, secret: 'x' }, { kind: 'Fish', wings: 2 }],
  'if and then': [
    object(
      { kind: string },
      {
        if: { properties: { kind: { const: 'a' } } },
        then: { properties: { x: string } },
        else: { properties: { y: string } },
      },
    ),
    { kind: 'a', x: '1', y: '2', z: '3' },
    { kind: 'a', x: '1' },
  ],
  'if and else': [
    {
      type: 'object',
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: { properties: { x: string } },
      else: { properties: { y: string } },
    },
    { kind: 'b', x: '1', y: '2' },
    { kind: 'b', y: '2' },
  ],
  dependentSchemas: [
    object(
      { card: string },
      { dependentSchemas: { card: { properties: { address: string } }, cash: { properties: { till: string } } } },
    ),
    { card: '1', address: 'a', till: 'b' },
    { card: '1', address: 'a' },
  ],
  'a map of objects': [
    object({ name: string }, { additionalProperties: ref('User') }),
    { name: 'x', ada: { ...nested }, bob: { id: 9007199254740993n, ...S } },
    { name: 'x', ada: { name: 'Ada' }, bob: { id: 9007199254740993n } },
  ],
  'additionalProperties true': [
    object({ user: ref('User') }, { additionalProperties: true }),
    { user: nested, ...S },
    { user: { name: 'Ada' }, ...S },
  ],
  'additionalProperties {}': [
    object({ a: string }, { additionalProperties: {} }),
    { a: '1', b: [S] },
    { a: '1', b: [S] },
  ],
  'additionalProperties false': [object({ a: string }, { additionalProperties: false }), { a: '1', b: 2 }, { a: '1' }],
  'unevaluatedProperties false': [
    { allOf: [ref('User')], properties: { role: string }, unevaluatedProperties: false },
    { ...nested, role: 'r' },
    { name: 'Ada', role: 'r' },
  ],
  patternProperties: [
    { type: 'object', patternProperties: { '^x-': ref('User') } },
    { 'x-a': nested, y: 1 },
    { 'x-a': { name: 'Ada' } },
  ],
  'names that are required alone': [
    object({ a: string }, { required: ['b'] }),
    { a: '1', b: { ...S }, c: 3 },
    { a: '1', b: S },
  ],
  'an object without properties': [{ type: 'object' }, nested, nested],
  'no schema': [{}, { a: [nested] }, { a: [nested] }],
  'a property that is any object': [object({ data: { type: 'object' } }), { data: nested, ...S }, { data: nested }],
  'no properties at all': [object({}), nested, {}],
  'write-only properties': [
    object({ name: string, password: { ...string, writeOnly: true } }, { required: ['password'] }),
    { name: 'a', password: 'p' },
    { name: 'a' },
  ],
  'a scalar or an object': [{ oneOf: [string, ref('User')] }, nested, { name: 'Ada' }],
  'names of Object.prototype': [
    object({ constructor: string }),
    JSON.parse('{"constructor":"a","__proto__":{"x":1},"toString":"b"}'),
    { constructor: 'a' },
  ],
};

/** A path for each row, whose handler returns what is given. */
const rows = Object.entries(ROWS).map(([name, [schema, given]], index) => ({ name, schema, given, id: `row${index}` }));
const content = (schema: object): object => ({ 'application/json': { schema } });
const get = (operationId: string, response: object, more: object = {}): object => ({
  get: { operationId, responses: { 200: { description: 'Yes.', ...response }, ...more } },
});
const failure = (schema: object): object => ({ 500: { description: 'No.', content: content(schema) } });
const message = object({ code: { type: 'integer' }, message: string });
const paths = {
  ...Object.fromEntries(rows.map(({ id, schema }) => [`/${id}`, get(id, { content: content(schema) })])),
  '/header': get('header', { headers: { 'X-A': { content: content(ref('User')) }, 'X-B': { schema: ref('User') } } }),
  '/items': get('items', { content: { 'application/jsonl': { 'x-itemSchema': ref('User') } } }),
  '/event': get('event', {
    content: content({
      properties: { at: { ...string, format: 'date-time' } },
      anyOf: [
        object({ by: { ...string, format: 'email' }, a: string }),
        object({ by: { ...string, format: 'uuid' }, b: string }),
      ],
    }),
  }),
  '/failure': get('failure', {}, failure(message)),
  '/closed-failure': get('closedFailure', {}, failure({ ...message, additionalProperties: false })),
};
const text = stringify({ openapi: '3.1.0', info: { title: 'Strip', version: '1' }, paths, components: { schemas } });
const contract = await loadContract({ text: text ?? '' });

const fail = (): never => {
  throw new Error('The store is away.');
};
const handlers = {
  ...Object.fromEntries(rows.map(({ id, given }) => [id, () => ({ status: 200, body: given })])),
  header: () => ({ status: 200, headers: { 'X-A': { ...nested, id: 1n }, 'X-B': { ...nested, id: 1n } } }),
  items: () => ({ status: 200, body: [{ ...nested, id: 9007199254740993n }, nested] }),
  event: () => ({ status: 200, body: { at: new Date(0), by: 'Ada', a: '1', b: '2', c: '3' } }),
  failure: fail,
  closedFailure: fail,
};

/** Calls a middleware with these options for the time of a function. */
async function withServer(
  options: Partial<MiddlewareOptions>,
  use: (get: (path: string) => Promise<Answer>) => Promise<void>,
): Promise<void> {
  const server = await serveMiddleware({ contract, handlers, ...options });
  const client = new HttpClient(server.port);
  try {
    await use((path) => client.request('GET', path));
  } finally {
    client.close();
    await server.close();
  }
}

test.each(Object.entries(ROWS))("of %s, what the contract declares is sent with 'strip'", async (name, [, , sent]) => {
  await withServer({ undeclaredProperties: 'strip' }, async (get) => {
    const id = rows.find((row) => row.name === name)?.id;
    const { status, text } = await get(`/${id}`);
    expect([status, text]).toEqual([200, stringify(sent)]);
  });
});

test.each(['send', undefined] as const)('with undeclaredProperties %s, all properties are sent', async (option) => {
  await withServer({ undeclaredProperties: 'strip' }, async (get) => {
    expect((await get('/row0')).text).toBe('{"name":"Ada","id":9007199254740993}');
  });
  await withServer({ undeclaredProperties: option, errorBody: undefined }, async (get) => {
    expect((await get('/row0')).text).toBe('{"name":"Ada","passwordHash":"x","id":9007199254740993}');
  });
});

test('what is not declared is not even read: rows of an ORM may refer to each other', async () => {
  const row: Record<string, unknown> = { name: 'Ada', owner: new Map(), size: NaN };
  row['self'] = row;
  Object.defineProperty(row, 'lazy', { get: fail, enumerable: true });
  const one = { ...handlers, row0: () => ({ status: 200, body: row }) };
  await withServer({ undeclaredProperties: 'strip', handlers: one }, async (get) => {
    const { status, text } = await get('/row0');
    expect([status, text]).toEqual([200, '{"name":"Ada"}']);
  });
});

test('objects in headers have what the contract declares', async () => {
  await withServer({ undeclaredProperties: 'strip' }, async (get) => {
    expect((await get('/header')).headers).toMatchObject({ 'x-a': '{"name":"Ada","id":1}', 'x-b': 'name,Ada,id,1' });
  });
});

test('the items of a stream have what the contract declares', async () => {
  await withServer({ undeclaredProperties: 'strip' }, async (get) => {
    expect((await get('/items')).text).toBe('{"name":"Ada","id":9007199254740993}\n{"name":"Ada"}\n');
  });
});

test('values of custom formats are written, and such a format decides no alternative', async () => {
  const formats = {
    'date-time': { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() },
    email: { validate: () => true },
  };
  await withServer({ undeclaredProperties: 'strip', formats }, async (get) => {
    expect((await get('/event')).text).toBe('{"at":"1970-01-01T00:00:00.000Z","by":"Ada","a":"1"}');
  });
});

test('failures have what the contract declares, by default and by errorBody', async () => {
  const body = { message: expect.stringMatching(/unexpectedly/) };
  await withServer({ undeclaredProperties: 'strip', errorBody: undefined }, async (get) => {
    for (const path of ['/failure', '/closed-failure']) {
      const { status, text } = await get(path);
      expect([status, JSON.parse(text)]).toEqual([500, body]);
    }
  });
  const errorBody: MiddlewareOptions['errorBody'] = ({ message, cause }) => ({
    contentType: 'application/json',
    body: { message, cause: String(cause) },
  });
  await withServer({ undeclaredProperties: 'strip', errorBody }, async (get) => {
    expect(JSON.parse((await get('/closed-failure')).text)).toEqual(body);
  });
});
