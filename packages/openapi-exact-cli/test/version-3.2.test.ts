import { expect, test } from '@jest/globals';
import { loadContract } from 'openapi-exact';
import { clientShapes, contractTypes, mockHandlers, reviewContract } from 'openapi-exact-cli';
import { withFiles } from 'test-support/contract-files.ts';

const int64 = { type: 'integer', format: 'int64' };

/** The warnings of a contract with these paths. */
async function warningsOf(openapi: string, paths: object): Promise<readonly string[]> {
  const text = JSON.stringify({ openapi, info: { title: 'A', version: '1' }, paths });
  const { errors, warnings } = await withFiles({ 'openapi.yaml': text }, (file) => reviewContract(file));
  expect(errors).toEqual([]);
  return warnings.map(({ message }) => message);
}

const quiet = { responses: { default: { description: 'Any.' } } };

test('check knows the keys of 3.2 in a contract of 3.2, and says in one of 3.1 that they are ignored', async () => {
  const item = { get: quiet, query: quiet, additionalOperations: { LINK: quiet } };
  expect(await warningsOf('3.2.0', { '/a': item })).toEqual([]);
  expect(await warningsOf('3.1.0', { '/a': item })).toEqual([
    'query is a field of OpenAPI 3.2 and is ignored: write openapi: 3.2.0.',
    'additionalOperations is a field of OpenAPI 3.2 and is ignored: write openapi: 3.2.0.',
  ]);
  expect(await warningsOf('3.2.0', { '/a': { get: quiet, quer: quiet } })).toEqual([
    expect.stringContaining('Did you mean query?'),
  ]);
});

test('check warns of a method that Node.js does not read', async () => {
  const additionalOperations = { LINC: quiet, CONNECT: quiet, PROPFIND: quiet };
  expect(await warningsOf('3.2.0', { '/a': { additionalOperations } })).toEqual([
    expect.stringMatching(/method LINC .* Did you mean LINK\?/),
    expect.stringContaining('method CONNECT'),
  ]);
});

/** The warnings of a response with these examples of a list of integers, and of a parameter. */
async function exampleWarnings(openapi: string, examples: object, parameter: object = {}): Promise<readonly string[]> {
  const schema = { type: 'object', properties: { id: int64, tags: { type: 'array', items: { type: 'string' } } } };
  const list = { type: 'array', items: { type: 'string' } };
  const content = { 'application/json': { schema, examples } };
  const responses = { ...quiet.responses, 200: { description: 'It.', content } };
  const parameters = [{ name: 'tags', in: 'query', schema: list, explode: false, examples: parameter }];
  return warningsOf(openapi, { '/a': { get: { parameters, responses } } });
}

test('check compares the data and the text of examples with the schema and with each other', async () => {
  const fine = {
    data: { dataValue: { id: 1 } },
    both: { dataValue: { tags: ['a'], id: 1 }, serializedValue: '{ "id": 1, "tags": ["a"] }' },
    text: { serializedValue: '{"id":9007199254740993}' },
  };
  expect(
    await exampleWarnings('3.2.0', fine, { a: { dataValue: ['a', 'b c'], serializedValue: 'tags=a,b%20c' } }),
  ).toEqual([]);
  const wrong = {
    data: { dataValue: { id: 'one' } },
    other: { dataValue: { id: 1 }, serializedValue: '{"id":2}' },
    broken: { serializedValue: '{"id":' },
    two: { value: { id: 1 }, dataValue: { id: 1 } },
  };
  const parameter = { a: { dataValue: ['a', 'b'], serializedValue: 'tags=a' }, b: { serializedValue: 'tag=a' } };
  const warnings = await exampleWarnings('3.2.0', wrong, parameter);
  expect(warnings).toHaveLength(6);
  for (const reason of [
    'id',
    'not what dataValue says',
    'not what the contract describes',
    'beside dataValue',
    'no parameter tags',
  ]) {
    expect(warnings).toContainEqual(expect.stringContaining(reason));
  }
  expect(await exampleWarnings('3.1.0', { data: wrong.data, other: wrong.other }, parameter)).toEqual([]);
});

/** The warnings of a response with one media type. */
async function mediaTypeWarnings(openapi: string, type: string, mediaType: object): Promise<readonly string[]> {
  const responses = { ...quiet.responses, 200: { description: 'It.', content: { [type]: mediaType } } };
  return warningsOf(openapi, { '/a': { get: { responses } } });
}

test('check warns of an itemSchema that has no effect', async () => {
  const idle = (key: string, type: string): unknown =>
    expect.stringMatching(new RegExp(`^${key} has no effect on ${type}, which is not a sequence`));
  for (const type of ['application/jsonl', 'text/event-stream', 'application/geo+json-seq', 'application/x-ndjson']) {
    expect(await mediaTypeWarnings('3.2.0', type, { itemSchema: {} })).toEqual([]);
    expect(await mediaTypeWarnings('3.1.0', type, { 'x-itemSchema': {} })).toEqual([]);
  }
  for (const type of ['application/json', 'text/plain', 'multipart/form-data', 'text/csv']) {
    expect(await mediaTypeWarnings('3.2.0', type, { itemSchema: {} })).toEqual([idle('itemSchema', type)]);
    expect(await mediaTypeWarnings('3.1.0', type, { 'x-itemSchema': {} })).toEqual([idle('x-itemSchema', type)]);
  }
  expect(await mediaTypeWarnings('3.2.0', 'application/jsonl', { 'x-itemSchema': {} })).toEqual([
    'x-itemSchema is ignored in OpenAPI 3.2: write itemSchema.',
  ]);
  expect(await mediaTypeWarnings('3.1.0', 'application/jsonl', { itemSchema: {} })).toEqual([
    'itemSchema is a field of OpenAPI 3.2 and is ignored: write openapi: 3.2.0.',
  ]);
  const parameter = { name: 'a', in: 'query', content: { 'application/jsonl': { itemSchema: {} } } };
  expect(await warningsOf('3.2.0', { '/a': { get: { parameters: [parameter], ...quiet } } })).toEqual([
    'itemSchema has no effect in a parameter: only bodies are streams of items.',
  ]);
});

test('check warns of what the schema of a stream says of all items and is not checked as they pass', async () => {
  const stream = async (schema: object, openapi = '3.2.0'): Promise<readonly string[]> =>
    mediaTypeWarnings(openapi, 'application/jsonl', { schema, itemSchema: int64, 'x-itemSchema': int64 });
  const checked = { type: 'array', minItems: 1, maxItems: 3, prefixItems: [int64], items: int64, uniqueItems: false };
  const unchecked = { uniqueItems: true, contains: int64, minContains: 2, oneOf: [{ minItems: 1 }] };
  const ignored = expect.stringContaining('x-itemSchema is ignored');
  expect(await stream(checked)).toEqual([ignored]);
  const named = (key: string): unknown =>
    expect.stringMatching(new RegExp(`^${key} is not checked in application/jsonl`));
  expect(await stream({ allOf: [checked, { type: 'array', ...unchecked }] })).toEqual([
    ...Object.keys(unchecked).map(named),
    ignored,
  ]);
  expect(await stream({ type: 'object' })).toEqual([expect.stringContaining('the type object is ignored'), ignored]);
  // An array alone is a stream since 3.2, and no stream before.
  const alone = { schema: { type: 'array', uniqueItems: true } };
  expect(await mediaTypeWarnings('3.2.0', 'application/jsonl', alone)).toEqual([named('uniqueItems')]);
  expect(await mediaTypeWarnings('3.1.0', 'application/jsonl', alone)).toEqual([]);
});

test('parts without names have types, shapes and mock values by their media types', async () => {
  const media = {
    schema: { prefixItems: [{ type: 'object', required: ['id'], properties: { id: int64 } }] },
    itemSchema: {},
    prefixEncoding: [{}],
    itemEncoding: { contentType: 'multipart/mixed', itemEncoding: { contentType: 'text/plain, image/png' } },
  };
  const responses = { 200: { description: 'Parts.', content: { 'multipart/mixed': media } } };
  const text = JSON.stringify({
    openapi: '3.2.0',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get: { operationId: 'a', responses } } },
  });
  const contract = await withFiles({ 'openapi.yaml': text }, (file) => loadContract(file));
  const types = (await contractTypes(contract)).replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
  const part = (value: string): string =>
    `{ readonly contentType: string; readonly headers: Readonly<Record<string, string>>; readonly value: ${value}; }`;
  const within = part('string | Uint8Array');
  expect(types).toContain(`AsyncIterable<${part('{ id: bigint; }')} | ${part(`${within}[]`)}>`);
  const any = { description: 'Any.', content: { 'multipart/mixed': { itemSchema: {} } } };
  const anyText = JSON.stringify({
    ...{ openapi: '3.2.0', info: { title: 'A', version: '1' } },
    paths: { '/a': { get: { responses: { 200: any } } } },
  });
  const anyContract = await withFiles({ 'openapi.yaml': anyText }, (file) => loadContract(file));
  expect(await contractTypes(anyContract)).toContain('readonly value: unknown;');
  const [, table = ''] = /ContractShapes = ([^]*);/.exec(clientShapes(contract)) ?? [];
  expect(JSON.parse(table)).toMatchObject({
    operations: {
      'GET /a': {
        responses: {
          200: {
            'multipart/mixed': {
              sequence: 'parts',
              parts: {
                prefix: [{ types: ['application/json'], value: { properties: { id: { numbers: 'int64' } } } }],
                item: { types: ['multipart/mixed'], parts: { item: { types: ['text/plain', 'image/png'] } } },
              },
            },
          },
        },
      },
    },
  });
  const { a } = mockHandlers<{ a: never }>(contract) as unknown as Record<string, (request: object) => unknown>;
  expect(a?.({})).toMatchObject({
    status: 200,
    body: [{ contentType: 'application/json', value: { id: expect.anything() } }],
  });
});
