import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { mountContract } from '../../src/contract/mount.ts';
import type { Contract } from '../../src/contract/document/load.ts';

const parameters = await loadContract(new URL('../fixtures/contracts/parameters.yaml', import.meta.url));
const bodies = await loadContract(new URL('../fixtures/contracts/bodies.yaml', import.meta.url));

/** The line with which the service refuses to start from a contract of which the first operation is changed. */
async function refusal(contract: Contract, change: object): Promise<string> {
  const [first] = contract.operations;
  if (first === undefined) throw new Error('The contract has no operation.');
  const changed = { ...contract, operations: [{ ...first, ...change }] };
  const handlers = { [first.id]: () => ({ status: 204 }) };
  return mountContract(changed, handlers, {}).then(
    () => 'It started.',
    (error: unknown) => String(error),
  );
}

const query = (schema: object, more: object = {}): object => ({
  path: '/here',
  parameters: [{ name: 'filter', in: 'query', schema, ...more }],
});

test.each<[string, object, string]>([
  [
    'an object as a parameter',
    query({ type: 'object' }),
    "getThing, parameter 'filter' (query): it must have one type",
  ],
  [
    'a choice as a parameter',
    query({ oneOf: [{ type: 'string' }] }),
    "parameter 'filter' (query): it must have one type",
  ],
  [
    'two types for a parameter',
    query({ type: ['string', 'integer'] }),
    "parameter 'filter' (query): it must have one type",
  ],
  [
    'a list of objects as a parameter',
    query({ type: 'array', items: { type: 'object' } }),
    "parameter 'filter' (query)",
  ],
  ['a list of anything as a parameter', query({ type: 'array' }), "an array must have 'items'"],
  [
    'a cookie',
    query({ type: 'string' }, { in: 'cookie' }),
    "parameter 'filter' (cookie): cookie parameters are not served",
  ],
  ['a parameter with content', query({}, { schema: undefined, content: {} }), "use 'schema'"],
  ['a wildcard in a path', { path: '/files/*', parameters: [] }, '/files/* cannot be served'],
  ['two parameters side by side in a path', { path: '/{a}{b}', parameters: [] }, '/{a}{b} cannot be served'],
])('%s stops the start with its place', async (_name, change, expected) => {
  expect(await refusal(parameters, change)).toContain(expected);
});

test.each<[string, object, string]>([
  [
    'a request body of another type',
    { 'text/csv': {} },
    'listPlants, request body: only application/json is served, not text/csv',
  ],
  [
    'a tuple without length, which express-openapi-validator cannot compile',
    { 'application/json': { schema: { type: 'array', prefixItems: [{ type: 'string' }] } } },
    'listPlants: express-openapi-validator cannot serve this operation: strict mode',
  ],
])('%s stops the start with its place', async (_name, content, expected) => {
  expect(await refusal(bodies, { requestBody: { content } })).toContain(expected);
});

test.each<[string, object, string]>([
  [
    'a bounded int64 in a choice',
    { oneOf: [{ type: 'integer', format: 'int64', maximum: 10 }, { type: 'string' }] },
    '/oneOf/0: an int64 with maximum is not served in a choice',
  ],
  [
    'an int64 under contains',
    { type: 'array', contains: { type: 'integer', format: 'int64' } },
    '/contains: an int64 under',
  ],
  [
    'a bounded int64 in an object of a choice',
    { oneOf: [{ type: 'object', properties: { id: { type: 'integer', format: 'int64', maximum: 10 } } }] },
    '/oneOf/0/properties/id: an int64 with maximum is not served in a choice',
  ],
  ['the format int64 without its type', { format: 'int64' }, "the format int64 is served beside 'type: integer' only"],
  [
    'an enum beside an int64',
    { allOf: [{ type: 'integer', format: 'int64' }, { enum: [1, 2] }] },
    "'enum' and 'const' of an int64 are served in the schema that says int64 only",
  ],
  ['a bound that YAML rounds', { type: 'integer', format: 'int64', maximum: 2 ** 60 }, 'beyond 2^53'],
])('%s stops the start with its place', async (_name, schema, expected) => {
  const content = { 'application/json': { schema: { type: 'object', properties: { here: schema } } } };
  expect(await refusal(bodies, { requestBody: { content } })).toContain(expected);
});

test.each<[string, object, string]>([
  ['an empty value', query({ type: 'string' }, { allowEmptyValue: true }), "'allowEmptyValue' is not served"],
  [
    'a path parameter in another style',
    { path: '/{p}', parameters: [{ name: 'p', in: 'path', style: 'matrix', schema: { type: 'string' } }] },
    'the style matrix is not served in a path',
  ],
])('%s stops the start with its place', async (_name, change, expected) => {
  expect(await refusal(parameters, change)).toContain(expected);
});
