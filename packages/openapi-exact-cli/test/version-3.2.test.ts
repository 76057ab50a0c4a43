import { expect, test } from '@jest/globals';
import { reviewContract } from 'openapi-exact-cli';
import { withFiles } from 'test-support/contract-files.ts';
import { compiledOutput } from './support/compiled-output.ts';

const int64 = { type: 'integer', format: 'int64' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const done = { 204: { summary: 'Done.' } };

const DOCUMENT = {
  openapi: '3.2.0',
  paths: {
    '/plants': {
      query: {
        operationId: 'findPlants',
        requestBody: { required: true, ...json({ type: 'object', required: ['near'], properties: { near: int64 } }) },
        responses: { 200: json({ type: 'array', items: int64 }) },
      },
    },
    '/plants/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
      get: { operationId: 'getPlant', responses: { 200: json(int64) } },
      additionalOperations: { LINK: { operationId: 'linkPlant', responses: done } },
    },
  },
  webhooks: { found: { query: { requestBody: json(int64), responses: done } } },
};

const PROGRAM = `import type { Handlers } from 'openapi-exact';
import type { Client } from 'openapi-exact/client';
import type { operations, paths, webhooks } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  findPlants: ({ body: { near } }) => ({ status: 200, body: [near + 1n] }),
  getPlant: ({ params: { id } }) => ({ status: 200, body: id }),
  linkPlant: ({ params: { id } }) => { void (id satisfies bigint); return { status: 204 }; },
};
export type Found = webhooks['found']['query']['responses'][204];

export async function calls(client: Client<paths>): Promise<void> {
  const params = { path: { id: 1n } };
  const found: bigint[] = (await client.QUERY('/plants', { body: { near: 1n } })).data;
  const same: bigint[] = (await client.request('QUERY', '/plants', { body: { near: 1n } })).data;
  const plant: bigint = (await client.request('GET', '/plants/{id}', { params })).data;
  const nothing: undefined = (await client.request('LINK', '/plants/{id}', { params })).data;
  void [found, same, plant, nothing];
  // @ts-expect-error a body without what it must have
  await client.QUERY('/plants', { body: {} });
  // @ts-expect-error a path that does not have the method
  await client.request('LINK', '/plants', { params });
  // @ts-expect-error a method that no path has
  await client.request('UNLINK', '/plants/{id}', { params });
  // @ts-expect-error a call without the parameters of the path
  await client.request('LINK', '/plants/{id}');
}
`;

test('what OpenAPI 3.2 has added is typed for handlers and for the client', async () => {
  expect(await compiledOutput(DOCUMENT, PROGRAM)).toBe('');
});

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
