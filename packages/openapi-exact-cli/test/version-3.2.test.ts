import { expect, test } from '@jest/globals';
import { reviewContract } from 'openapi-exact-cli';
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
