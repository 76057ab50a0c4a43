import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { serveDocument } from '../support/inline-contract.ts';

type Json = Record<string, unknown>;
const headers = { 'Content-Type': 'application/json' };

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
  const one = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
    value.map((found) => ({ [name]: found }));
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      one('type', fc.constantFrom(...TYPES)),
      one('minimum', fraction),
      one('exclusiveMaximum', fraction),
      one('multipleOf', fc.constantFrom(1, 2, 0.5)),
      one('const', anyValue),
      one('enum', fc.array(anyValue, { minLength: 1, maxLength: 3 })),
      one('maxLength', fc.nat(2)),
      one('uniqueItems', fc.constant(true)),
      one('required', fc.uniqueArray(key, { maxLength: 2 })),
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
      one('not', schema),
      one('oneOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
      one('anyOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
      one('allOf', fc.array(schema, { minLength: 1, maxLength: 3 })),
    ),
  };
});

test('a body is accepted exactly if an independent validator accepts it', async () => {
  const [schemas = []] = fc.sample(fc.array(anySchema, { minLength: 120, maxLength: 120 }), 1);
  const paths = schemas.map((schema, index): [string, object] => {
    const requestBody = { required: true, content: { 'application/json': { schema } } };
    const responses = { 200: { description: 'What came.', content: { 'application/json': {} } } };
    return [`/${index}`, { post: { requestBody, responses } }];
  });
  const info = { title: 'Schemas', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(paths) };
  const server = await serveDocument(document, (request: never) => ({
    status: 200,
    body: (request as { body: unknown }).body,
  }));
  const ajv = new Ajv2020({ strict: false });
  try {
    const oracles = schemas.map((schema) => ajv.compile(plain(schema) as object));
    await fc.assert(
      fc.asyncProperty(fc.nat(schemas.length - 1), anyValue, async (index, value) => {
        const isValid = oracles[index]?.(plain(value)) === true;
        const { status, text } = await server.request('POST', `/${index}`, { headers, body: JSON.stringify(value) });
        const expected = isValid
          ? { status: 200, body: plain(value) }
          : { status: 400, body: { error: 40007, message: expect.any(String) as unknown } };
        expect({ schema: schemas[index], status, body: JSON.parse(text) as unknown }).toEqual({
          schema: schemas[index],
          ...expected,
        });
      }),
      { numRuns: 800 },
    );
  } finally {
    await server.close();
  }
});
