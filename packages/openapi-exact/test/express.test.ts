import { expect, test } from '@jest/globals';
import express from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { HttpClient } from 'test-support/http-client.ts';
import { documentText } from 'test-support/contract-files.ts';
import { listen } from 'test-support/listen.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import { loadContract } from '../src/server/load-contract.ts';

const json = { content: { 'application/json': { schema: {} } } };
const responses = { 200: { description: 'Yes.', ...json } };
const contract = await loadContract({
  text: documentText({
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    paths: { '/plants': { post: { operationId: 'addPlant', requestBody: { required: true, ...json }, responses } } },
  }),
});

test('the store of AsyncLocalStorage is there in a verifier, and in a handler behind a body', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const app = express();
  app.use((request, _response, next) => {
    requests.run(String(request.headers['x-id']), next);
  });
  const verifiers = {
    bearer: async () => {
      await Promise.resolve();
      seen.push(requests.getStore());
      return { name: 'me' };
    },
  };
  const handlers = { addPlant: () => ({ status: 200, body: { store: requests.getStore() } }) };
  app.use(await contractMiddleware({ contract, handlers, verifiers }));
  const server = await listen(createServer(app));
  const client = new HttpClient(server.port);
  const post = async (id: string): Promise<string> => {
    const headers = { 'X-Id': id, Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    return (await client.request('POST', '/v1/plants', { headers, body: '{}' })).text;
  };
  expect([await post('a'), await post('b')]).toEqual(['{"store":"a"}', '{"store":"b"}']);
  expect(seen).toEqual(['a', 'b']);
  client.close();
  await server.close();
});

test.each([
  ['/', '/v1/plants'],
  ['/v1', '/v1/plants'],
  ['/api', '/api/plants'],
])('mounted at %s, a contract whose servers have the path /v1 answers %s', async (mount, path) => {
  const app = express();
  const handlers = { addPlant: () => ({ status: 200, body: {} }) };
  const verifiers = { bearer: async () => Promise.resolve({ name: 'me' }) };
  app.use(mount, await contractMiddleware({ contract, handlers, verifiers }));
  const server = await listen(createServer(app));
  const client = new HttpClient(server.port);
  const answered: string[] = [];
  for (const tried of ['/plants', '/v1/plants', '/api/plants', '/v1/v1/plants', '/api/v1/plants']) {
    const headers = { Authorization: 'Bearer t', 'Content-Type': 'application/json' };
    const { status } = await client.request('POST', tried, { headers, body: '{}' });
    if (status === 200) answered.push(tried);
  }
  expect(answered).toEqual([path]);
  client.close();
  await server.close();
});
