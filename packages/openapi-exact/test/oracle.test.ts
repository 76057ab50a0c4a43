import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { stringify } from 'lossless-json';
import type { ResponseValue } from '../src/response/respond.ts';
import type { ContractServer } from './support/contract-server.ts';
import { serveDocument } from './support/inline-contract.ts';

type Json = Record<string, unknown>;
const headers = { 'Content-Type': 'application/json' };

/** Serves one operation for each schema: its body has that schema. */
function serve(schemas: readonly unknown[], answer: (body: unknown) => unknown): Promise<ContractServer> {
  const paths = schemas.map((schema, index): [string, object] => {
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const responses = { 200: { description: 'What came.', content: { 'application/json': {} } } };
    return [`/${index}`, { post: { requestBody, responses } }];
  });
  const handler = (request: never): ResponseValue => ({
    status: 200,
    body: answer((request as { body: unknown }).body),
  });
  return serveDocument({ paths: Object.fromEntries(paths) }, handler);
}

/** The value as JSON gives it: fast-check makes objects without prototype. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const small = fc.integer({ min: -3, max: 3 });
const fraction = fc.constantFrom(-1.5, -0.1, 0, 0.1, 0.3, 1, 1.5, 2, 3, 1e9);
const key = fc.constantFrom('a', 'b', 'c');

const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    small,
    fraction,
    fc.constantFrom('', 'a', 'ab', true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}));

const TYPES = ['integer', 'number', 'string', 'array', 'object', 'boolean', ['integer', 'null'], ['number', 'string']];
const { schema: anySchema } = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie('schema');
  const keyword = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
    value.map((found) => ({ [name]: found }));
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      keyword('type', fc.constantFrom(...TYPES)),
      keyword('minimum', fraction),
      keyword('exclusiveMaximum', fraction),
      keyword('multipleOf', fc.constantFrom(1, 2, 0.5)),
      keyword('const', anyValue),
      keyword('enum', fc.array(anyValue, { minLength: 1, maxLength: 3 })),
      keyword('maxLength', fc.nat(2)),
      keyword('uniqueItems', fc.constant(true)),
      keyword('required', fc.uniqueArray(key, { maxLength: 2 })),
      fc.record({ type: fc.constant('integer'), maximum: small }),
      fc.record({ type: fc.constant('array'), items: schema, contains: schema }, { requiredKeys: ['type'] }),
      fc.record(
        { properties: fc.dictionary(key, schema), additionalProperties: fc.oneof(fc.boolean(), schema) },
        { requiredKeys: ['properties'] },
      ),
      fc.record({
        properties: fc.dictionary(key, schema),
        allOf: fc.tuple(schema),
        unevaluatedProperties: fc.boolean(),
      }),
      fc.record({ if: schema, then: schema, else: schema }),
      keyword('not', schema),
      keyword('oneOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
      keyword('anyOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
      keyword('allOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
    ),
  };
});

test('a body is accepted exactly if an independent validator accepts it', async () => {
  const [schemas = []] = fc.sample(fc.array(anySchema, { minLength: 80, maxLength: 80 }), 1);
  const server = await serve(schemas, (body) => body);
  const ajv = new Ajv2020({ strict: false });
  try {
    const oracles = schemas.map((schema) => ajv.compile(plain(schema) as object));
    await fc.assert(
      fc.asyncProperty(fc.nat(schemas.length - 1), anyValue, async (index, value) => {
        const isValid = oracles[index]?.(plain(value)) === true;
        const { status, text } = await server.request('POST', `/${index}`, { headers, body: JSON.stringify(value) });
        const expected = isValid
          ? { status: 200, body: plain(value) }
          : { status: 400, body: { reason: 'invalidBody', message: expect.any(String) as unknown } };
        expect({ schema: schemas[index], status, body: JSON.parse(text) as unknown }).toEqual({
          schema: schemas[index],
          ...expected,
        });
      }),
      { numRuns: 400 },
    );
  } finally {
    await server.close();
  }
});

const bounds = [
  ...[-(2n ** 63n), -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n],
  ...[2n ** 62n + 1n, 2n ** 63n - 1n],
];
const near = fc
  .tuple(fc.constantFrom(...bounds), fc.bigInt({ min: -2n, max: 2n }))
  .map(([bound, step]) => bound + step);

test('int64s in a choice are decided and held exactly', async () => {
  const int64 = { type: 'integer', format: 'int64' };
  const [unit, most] = [1000, Number.MAX_SAFE_INTEGER];
  const fits = (value: bigint): boolean => value >= -(2n ** 63n) && value < 2n ** 63n;
  const isUnit = (value: bigint): boolean => value % BigInt(unit) === 0n;
  // The contract's own bounds stay within what a double holds.
  const rows: readonly (readonly [schema: object, isValid: (value: bigint) => boolean])[] = [
    [
      {
        oneOf: [
          { ...int64, minimum: 0 },
          { ...int64, multipleOf: unit },
        ],
      },
      (value) => value >= 0n !== isUnit(value),
    ],
    [{ anyOf: [{ type: 'string' }, { ...int64, exclusiveMinimum: -1 }] }, (value) => value > -1n],
    [{ allOf: [int64, { not: { multipleOf: unit } }] }, (value) => !isUnit(value)],
    [{ ...int64, maximum: most }, (value) => value <= BigInt(most)],
  ];
  const list = { type: 'array', items: int64, uniqueItems: true, contains: { ...int64, minimum: 0 } };
  let seen: unknown;
  const server = await serve([...rows.map(([schema]) => schema), list], (body) => {
    seen = body;
    return null;
  });
  const expectJudged = async (index: number, value: unknown, isValid: boolean): Promise<void> => {
    seen = 'nothing';
    const { status } = await server.request('POST', `/${index}`, { headers, body: stringify(value) ?? '' });
    const expected = isValid ? { value, status: 200, seen: value } : { value, status: 400, seen: 'nothing' };
    expect({ value, status, seen }).toEqual(expected);
  };
  try {
    await fc.assert(
      fc.asyncProperty(fc.nat(rows.length - 1), near, (index, value) =>
        expectJudged(index, value, fits(value) && rows[index]?.[1](value) === true),
      ),
      { numRuns: 150 },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(near, { maxLength: 4 }), (value) => {
        const isValid = value.every(fits) && new Set(value).size === value.length && value.some((item) => item >= 0n);
        return expectJudged(rows.length, value, isValid);
      }),
      { numRuns: 80 },
    );
  } finally {
    await server.close();
  }
});
