import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ContractServer } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';

/** In front of a text it changes nothing, but `JSON.parse` does not take it. */
const BYTE_ORDER_MARK = '\uFEFF';

const NUMBERS = { type: 'array', items: { type: 'integer' } };
const INT64 = { type: 'integer', format: 'int64' };
/** Schemas that each have a word of their own with the numbers, names or items of a value. */
const SCHEMAS: Readonly<Record<string, object>> = {
  int64: INT64,
  uint64: { type: 'integer', format: 'uint64' },
  integer: { type: 'integer', minimum: -10, maximum: 9_007_199_254_740_991 },
  number: { type: 'number', exclusiveMinimum: -5, multipleOf: 0.5 },
  enum: { enum: [1, 'a', null, 9_007_199_254_740_991, { a: 1 }, [1, 2]] },
  tree: {
    type: 'object',
    properties: { a: INT64, child: { $ref: '#/components/schemas/Tree' }, b: { type: 'integer', default: 7 } },
    required: ['a'],
    additionalProperties: { type: 'number' },
  },
  names: { type: 'object', patternProperties: { '^[a-c]$': INT64 }, additionalProperties: false },
  inherited: {
    type: 'object',
    properties: { constructor: INT64, valueOf: { type: 'string' }, $ref: { type: 'boolean' } },
    unevaluatedProperties: false,
  },
  distinct: { type: 'array', uniqueItems: true, maxItems: 4 },
  scalars: { type: 'array', items: INT64, uniqueItems: true, contains: { minimum: 2 } },
  tuple: { type: 'array', prefixItems: [INT64, { type: 'string' }], items: { type: 'number' } },
  choice: {
    oneOf: [
      { type: 'object', required: ['a'], properties: { a: INT64 } },
      { type: 'object', required: ['b'], properties: { b: { type: 'number', maximum: 3 } } },
      { type: 'number' },
    ],
  },
  condition: {
    if: { properties: { a: { const: 1 } }, required: ['a'] },
    then: { required: ['b'] },
    else: { properties: { a: INT64 } },
  },
  evaluated: {
    allOf: [{ properties: { a: INT64 } }, { anyOf: [{ properties: { b: true }, required: ['b'] }, true] }],
    unevaluatedProperties: { type: 'string' },
  },
  ambiguous: { $ref: '#/components/schemas/Ambiguous' },
  any: {},
  decimal: { type: 'number', format: 'decimal', exclusiveMinimum: -5 },
  decoded: {
    type: 'object',
    properties: {
      a: { type: ['number', 'string'], format: 'decimal' },
      b: { type: 'string', format: 'date-time' },
      child: { $ref: '#/components/schemas/Decoded' },
    },
    additionalProperties: { anyOf: [{ type: 'string', format: 'date-time' }, INT64, true] },
  },
};
/** A decimal that keeps its digits. */
class Decimal {
  readonly text: string;

  constructor(text: string) {
    if (!/^-?\d/.test(text)) throw new Error(`not a decimal: ${text}`);
    this.text = text;
  }
}
const FORMATS = {
  decimal: { decode: (text: string) => new Decimal(text), encode: ({ text }: Decimal) => text },
  'date-time': { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() },
};

const COMPONENTS = {
  Tree: SCHEMAS['tree'] ?? {},
  Decoded: SCHEMAS['decoded'] ?? {},
  Ambiguous: {
    anyOf: [
      { type: 'object', properties: { child: { $ref: '#/components/schemas/Ambiguous' }, a: INT64 }, required: ['a'] },
      { type: 'object', properties: { child: { $ref: '#/components/schemas/Ambiguous' } } },
    ],
  },
};

/** The body that the handler was given, and the one that it returns. */
let seen: unknown;
let returned: unknown;
/** What it returns instead of a response with that body. */
let response: (() => { status: number }) | undefined;
let server: ContractServer;

beforeAll(async () => {
  const operation = (schema: object): object => {
    const content = { 'application/json': { schema } };
    const parameters = [{ name: 'q', in: 'query', content }];
    return {
      post: {
        parameters,
        requestBody: { content },
        responses: {
          '200': { description: 'The same.', headers: { 'X-Numbers': { schema: NUMBERS } }, content },
          '204': { description: 'Seen.' },
        },
      },
    };
  };
  const paths = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [`/${name}`, operation(schema)]));
  const answer = ({ body, query }: Record<string, unknown>): { status: number; body?: unknown } => {
    seen = { body, query };
    if (response !== undefined) return response();
    return returned === undefined ? { status: 204 } : { status: 200, body: returned };
  };
  server = await serveDocument({ paths, components: { schemas: COMPONENTS } }, answer, {}, { formats: FORMATS });
});
afterAll(() => server.close());

const number = fc.oneof(
  fc.integer({ min: -12, max: 12 }).map(String),
  fc.constantFrom('0.5', '2.50', '-0', '1e0', '20e-1', '9007199254740991', '9007199254740992', '9007199254740993'),
  fc.constantFrom('9223372036854775807', '9223372036854775808', '18446744073709551615', '1e400', '0.1234567890123456'),
);
const key = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'b', 'child') },
  fc.constantFrom('constructor', 'valueOf', 'toString', '$ref', '#repeated', '#evaluated', '', 'a/b', 'constructor\0'),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(number, fc.constantFrom('"a"', '"1"', 'true', 'null', '"2024-05-01T12:00:00Z"', '"1.50"')),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('json')), { maxLength: 4, selector: ([name]) => name })
      .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(',')}}`),
  ),
}));
const schema = fc.constantFrom(...Object.keys(SCHEMAS));

/** What a request comes to: the response, and what the handler was given. */
async function outcome(path: string, body: string): Promise<object> {
  seen = undefined;
  const headers = { 'Content-Type': 'application/json' };
  const { status, text } = await server.request('POST', path, { headers, body });
  return { status, text, seen };
}

test('a JSON body has the same verdict, values and message, whether JSON.parse reads it or not', async () => {
  returned = undefined;
  await fc.assert(
    fc.asyncProperty(schema, json, async (name, text) => {
      expect(await outcome(`/${name}`, text)).toEqual(await outcome(`/${name}`, BYTE_ORDER_MARK + text));
    }),
    { numRuns: 600 },
  );
}, 60_000);

test('a number has the same verdict and value in each of its spellings', async () => {
  returned = undefined;
  await fc.assert(
    fc.asyncProperty(schema, fc.integer({ min: -20, max: 20 }), async (name, value) => {
      const spellings = [String(value), `${value}.0`, `${value}e0`, `${value * 10}E-1`, `${value}.00000000000000000`];
      for (const form of ['N', '{"a":N}', '{"b":N,"a":N}', '[N]', '[N,"x",N]', '{"a":1,"child":{"a":N}}']) {
        const outcomes = [];
        for (const spelling of spellings) {
          const { status, seen: given } = (await outcome(`/${name}`, form.replaceAll('N', spelling))) as Record<
            string,
            unknown
          >;
          outcomes.push({ status, given });
        }
        expect(new Set(outcomes.map((found) => JSON.stringify(found, digits))).size).toBe(1);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

function digits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

test('a handler may return each body that it was given, which leaves as it came', async () => {
  await fc.assert(
    fc.asyncProperty(schema, json, async (name, text) => {
      // JavaScript writes it without its sign.
      fc.pre(!text.includes('-0'));
      returned = undefined;
      const { status } = (await outcome(`/${name}`, text)) as { status: number };
      if (status !== 204) return;
      returned = (seen as { body: unknown }).body;
      const first = seen;
      const sent = await outcome(`/${name}`, text);
      // A response that is a request again gives the handler the same.
      const { text: answer } = sent as { text: string };
      returned = undefined;
      const { seen: again } = (await outcome(`/${name}`, answer)) as { seen: unknown };
      expect(again).toEqual(first);
    }),
    { numRuns: 300 },
  );
}, 60_000);

/** Objects whose content changes each time it is read. */
const CHANGING: Readonly<Record<string, () => unknown>> = {
  'a getter': () => {
    let reads = 0;
    return {
      get a() {
        return reads++ === 0 ? 1n : 'changed';
      },
    };
  },
  'a getter of an item': () => {
    let reads = 0;
    return Object.defineProperty([0n, 'x'], 0, { enumerable: true, get: () => (reads++ === 0 ? 1n : 'changed') });
  },
  toJSON: () => {
    let reads = 0;
    return { toJSON: () => (reads++ === 0 ? { a: 1n } : { a: 'changed' }) };
  },
  'a proxy': () => {
    let reads = 0;
    return new Proxy({ a: 1n }, { get: (_target, name) => (name === 'a' && reads++ > 0 ? 'changed' : 1n) });
  },
  'a proxy of an array': () => {
    let reads = 0;
    const get = (target: unknown[], name: string): unknown =>
      name === '0' && reads++ > 0 ? 'changed' : Reflect.get(target, name);
    return new Proxy([1n, 'x'], { get: get as (target: unknown[], name: string | symbol) => unknown });
  },
};

test.each(Object.entries(CHANGING))('what is checked is what is sent, also of %s', async (what, make) => {
  const path = what.includes('item') || what.includes('array') ? '/tuple' : '/tree';
  const body = path === '/tuple' ? '[1,"x"]' : '{"a":1}';
  returned = make();
  const { status, text } = (await outcome(path, body)) as { status: number; text: string };
  expect({ status, text }).toEqual({ status: 200, text: body });
});

test('what is checked is what is sent, also of the response itself and its headers', async () => {
  let reads = 0;
  const numbers = Object.defineProperty([0], 0, { enumerable: true, get: () => (reads++ === 0 ? 1 : 'changed') });
  const changing = (first: unknown, later: unknown): PropertyDescriptor => {
    let count = 0;
    return { enumerable: true, get: () => (count++ === 0 ? first : later) };
  };
  response = () => {
    const headers = Object.defineProperty({}, 'X-Numbers', changing(numbers, 'changed'));
    const properties = { headers: changing(headers, {}), body: changing({ a: 1n }, 'changed') };
    return Object.defineProperties({ status: 200 }, properties);
  };
  const sent = await server.request('POST', '/tree', {
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1}',
  });
  response = undefined;
  expect(sent).toMatchObject({ status: 200, headers: { 'x-numbers': '1' }, text: '{"a":1}' });
});
