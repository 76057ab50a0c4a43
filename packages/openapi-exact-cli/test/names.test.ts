import { expect, test } from '@jest/globals';
import { runInThisContext } from 'node:vm';
import { loadContract } from 'openapi-exact';
import { clientShapes, contractTypes, reviewContract } from 'openapi-exact-cli';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { compiledOutput } from './support/compiled-output.ts';

test('every text is an operationId, under which the types have the operation', async () => {
  const ids = [
    '123_test_@#$%_x',
    'a%41b',
    'a#b',
    'a/b~1c "d\\e',
    '__proto__',
    'constructor',
    'ü\nx*/',
    'operation0',
    ' ',
  ];
  const paths = Object.fromEntries(
    ids.map((operationId, index): [string, object] => [
      `/${index}`,
      { get: { operationId, responses: { [200 + index]: { description: 'It.' } } } },
    ]),
  );
  const uses = ids.map(
    (id, index) => `export const status${index}: keyof operations[${JSON.stringify(id)}]['responses'] = ${200 + index};
export const same${index}: paths['/${index}']['get'] extends operations[${JSON.stringify(id)}] ? true : false = true;
`,
  );
  const program = `import type { operations, paths } from './openapi.d.ts';\n${uses.join('')}`;
  expect(await compiledOutput({ paths }, program)).toBe('');
});

const NAMES = Object.getOwnPropertyNames(Object.prototype);

test('the table of a client compiles, and has each int64, under the names that every object has', async () => {
  const int64 = { type: 'integer', format: 'int64' };
  const properties = Object.fromEntries(NAMES.map((name) => [name, int64]));
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const parameters = [{ name: 'valueOf', in: 'query', schema: int64 }];
  const post = { parameters, requestBody: { content }, responses: { 200: { description: 'It.', content } } };
  const program = `import { createClient } from 'openapi-exact/client';
import type { paths } from './openapi.d.ts';
import { shapes } from './shapes.ts';
export const client = createClient<paths>({ shapes, baseUrl: 'http://127.0.0.1' });
`;
  const document = { paths: { '/names': { post } } };
  expect(await compiledOutput(document, program)).toBe('');
  const table = await withFiles({ 'openapi.yaml': documentText(document) }, async (file) =>
    clientShapes(await loadContract(file)),
  );
  const literal = /ContractShapes = (\{.*\})/s.exec(table)?.[1] ?? '';
  const shapes = runInThisContext(`(${literal})`) as {
    operations: Record<string, { body: Record<string, { properties: object }> }>;
  };
  const found = shapes.operations['POST /names']?.body['application/json']?.properties ?? {};
  expect(Object.getOwnPropertyNames(found).toSorted()).toEqual(NAMES.toSorted());
});

test.each([
  ['webhooks', { webhooks: { grown: { post: { responses: { 204: { description: 'Done.' } } } } } }],
  ['components', { components: { schemas: { Plant: { type: 'object' } } } }],
])('a document that has %s alone can be checked, generated and loaded', async (_what, document) => {
  await withFiles({ 'openapi.yaml': documentText(document) }, async (file) => {
    const review = await reviewContract(file);
    expect([review.errors, review.contract?.operations]).toEqual([[], []]);
    const contract = await loadContract(file);
    expect(clientShapes(contract)).toContain('"operations": {}');
    expect(await contractTypes(contract)).toContain('paths');
  });
});
