import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { createServer } from 'node:http';
import { format } from 'node:util';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { documentText } from 'test-support/contract-files.ts';
import { listen } from 'test-support/listen.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import { loadContract } from '../src/server/load-contract.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const plant = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const content = {
  'application/json': { schema: plant },
  'text/plain': { schema: { type: 'string' } },
  'application/octet-stream': {},
};
const responses = { 200: { description: 'Yes.', content } };
const parameters = [id, { name: 'token', in: 'query', schema: { type: 'string' } }];
const paths = { '/plants/{id}': { get: { operationId: 'getPlant', parameters, responses } } };
const contract = await loadContract({ text: documentText({ paths }) });

let printed: string;
beforeEach(() => {
  printed = '';
  jest.spyOn(console, 'error').mockImplementation((...given) => void (printed += `${format(...given)}\n`));
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The answer to a request, with a handler and a middleware in front. */
async function answerOf(
  path: string,
  handler: () => unknown,
  options: Partial<MiddlewareOptions> = {},
  inFront: RequestHandler = (_request, _response, next) => {
    next();
  },
): Promise<Answer> {
  const app = express();
  app.use(inFront);
  // The compiler refuses these handlers, which JavaScript may have.
  const handlers = { getPlant: handler } as MiddlewareOptions['handlers'];
  app.use('/v1', await contractMiddleware({ contract, handlers, ...options }));
  const server = await listen(createServer(app));
  const client = new HttpClient(server.port);
  const answer = await client.request('GET', path);
  client.close();
  await server.close();
  return answer;
}

test('the log of an unexpected error names operation, method, path and request id, and no query', async () => {
  const fail = (): never => {
    throw new Error('The database is gone.');
  };
  const { status } = await answerOf('/v1/plants/%d0%b0?token=hunter2', fail, { requestId: () => 'r-1' });
  expect(status).toBe(500);
  expect(printed).toContain('getPlant (GET /v1/plants/%d0%b0, request r-1) failed: Error: The database is gone.');
  expect(printed).not.toContain('hunter2');
  await answerOf('/v1/plants/1', fail);
  expect(printed).toContain('getPlant (GET /v1/plants/1) failed: Error: The database is gone.');
});

const MISMATCHES: readonly [what: string, body: unknown, message: string][] = [
  ['a value of another type', { id: 'x' }, '/id must be'],
  ['a Map', { id: new Map() }, 'JSON has no Map'],
  ['NaN', { id: NaN }, 'JSON has no number NaN'],
];
test.each(MISMATCHES)('the log of a response with %s has its stack once', async (_what, body, message) => {
  const { status } = await answerOf('/v1/plants/1', () => ({ status: 200, contentType: 'application/json', body }));
  expect(status).toBe(500);
  expect(printed).toContain(message);
  // Lines of a stack that follow each other are one.
  expect(printed.match(/(?:\n +at .*)+/g)).toHaveLength(1);
});

const failing = (): Promise<never> => Promise.reject(new Error('The database is gone.'));
const builder = {
  then: (): never => {
    throw new Error('A query must not run.');
  },
};
class Query {
  readonly table = 'plants';
  readonly then = builder.then;
}
test.each<[type: string, what: string, body: () => unknown]>([
  ['application/json', 'a promise', () => Promise.resolve({ id: 1 })],
  ['application/json', 'a promise that rejects', failing],
  ['application/json', 'a promise within', () => ({ id: failing() })],
  ['application/json', 'a query builder', () => new Query()],
  ['application/json', 'a query builder within', () => ({ id: [new Query()] })],
  ['text/plain', 'a promise', () => Promise.resolve('text')],
  ['application/octet-stream', 'a promise', () => Promise.resolve(Buffer.from('bytes'))],
])('the log of a body of %s that is %s says "await it"', async (contentType, _what, body) => {
  const { status } = await answerOf('/v1/plants/1', () => ({ status: 200, contentType, body: body() }));
  expect(status).toBe(500);
  expect(printed).toContain('await it');
});

test('a Content-Security-Policy that a middleware in front has set stays, also for failures', async () => {
  const policy = "default-src 'self'";
  const inFront: RequestHandler = (_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    next();
  };
  const handler = (): unknown => ({ status: 200, contentType: 'application/json', body: { id: 1 } });
  for (const path of ['/v1/plants/1', '/v1/plants/1?x=1']) {
    expect((await answerOf(path, handler, {}, inFront)).headers).toMatchObject({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  }
  const { headers } = await answerOf('/v1/plants/1', handler);
  expect(headers).toMatchObject({ 'content-security-policy': "frame-ancestors 'none'" });
});
