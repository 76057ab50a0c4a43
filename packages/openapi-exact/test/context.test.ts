import { afterEach, expect, test } from '@jest/globals';
import express from 'express';
import { createServer } from 'node:http';
import { listen, type Listening } from 'test-support/listen.ts';
import { documentText } from 'test-support/contract-files.ts';
import { RequestError } from '../src/errors/errors.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { exactRequest, validated } from '../src/server/validated.ts';

const done = { 200: { description: 'Done.', content: { 'application/json': {} } } };
const limit = { name: 'limit', in: 'query', schema: { type: 'integer' } };
const contract = await loadContract({
  text: documentText({
    components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
    security: [{ bearerAuth: [] }],
    paths: {
      '/todos': {
        get: {
          ...{ operationId: 'listTodos', tags: ['reading'], 'x-role': 'reader' },
          ...{ parameters: [limit], responses: done },
        },
        delete: { operationId: 'clearTodos', 'x-role': 'owner', parameters: [limit], responses: done },
        post: { operationId: 'addTodo', responses: done },
      },
    },
  }),
});
const verifiers = {
  bearerAuth: (token: string) => (token === '' || token === 'none' ? undefined : { name: token }),
};
const echo = ({ context }: { readonly context?: unknown }): { status: 200; body: unknown } => ({
  ...{ status: 200, body: context ?? 'no context' },
});
const handlers = { listTodos: echo, clearTodos: echo, addTodo: validated };

let served: Listening | undefined;
afterEach(() => served?.close());

async function serve(
  context: MiddlewareOptions['context'],
): Promise<(target: string, token?: string) => Promise<unknown>> {
  const app = express();
  app.use((request, response, next) => {
    response.locals['session'] = request.get('User-Agent');
    next();
  });
  app.use(await contractMiddleware({ contract, handlers, verifiers, context, onError: () => undefined }));
  app.post('/todos', (request, response) => void response.json(exactRequest(request).context));
  served = await listen(createServer(app));
  return async (target, token = 'anna') => {
    const [method, path] = target.split(' ');
    const headers = { Authorization: `Bearer ${token}`, 'User-Agent': 'test' };
    const response = await fetch(`${served?.url}${path}`, { method: method ?? '', headers });
    const body = (await response.json()) as { readonly reason?: string };
    return [response.status, body.reason ?? body];
  };
}

test('the handler gets what context returns of the request, the response and the operation', async () => {
  const send = await serve((request, response, { id, tags, method, path, 'x-role': role }) => [
    ...[request.get('User-Agent'), response.locals['session'] as unknown, response.locals['principal'] as unknown],
    ...[id, tags, method, path, role],
  ]);
  const me = ['test', 'test', { name: 'anna' }];
  expect(await send('GET /todos')).toEqual([200, [...me, 'listTodos', ['reading'], 'GET', '/todos', 'reader']]);
  expect(await send('DELETE /todos')).toEqual([200, [...me, 'clearTodos', [], 'DELETE', '/todos', 'owner']]);
  expect(await send('POST /todos')).toEqual([200, [...me, 'addTodo', [], 'POST', '/todos', null]]);
});

test('the handler gets what the promise of context resolves to, and undefined without the option', async () => {
  const send = await serve(() => Promise.resolve({ rows: 1 }));
  expect(await send('GET /todos')).toEqual([200, { rows: 1 }]);
  await served?.close();
  expect(await (await serve(undefined))('GET /todos')).toEqual([200, 'no context']);
});

test('context is called after authentication and before validation, and may refuse', async () => {
  const called: string[] = [];
  const send = await serve(async (_request, response, operation) => {
    await Promise.resolve();
    called.push(operation.id);
    const { name } = response.locals['principal'] as { readonly name: string };
    if (operation['x-role'] === 'owner' && name !== 'owner') {
      throw new RequestError('insufficientScope', 'Only the owner may do this.');
    }
  });
  expect(await send('DELETE /todos?limit=x', 'none')).toEqual([401, 'invalidCredentials']);
  expect(await send('PUT /todos')).toEqual([405, 'methodNotAllowed']);
  expect(called).toEqual([]);
  expect(await send('DELETE /todos?limit=x')).toEqual([403, 'insufficientScope']);
  expect(await send('DELETE /todos?limit=x', 'owner')).toEqual([400, 'invalidParameter']);
  expect(await send('GET /todos?limit=x')).toEqual([400, 'invalidParameter']);
  expect(called).toEqual(['clearTodos', 'clearTodos', 'listTodos']);
});

test.each([
  ['throws', (): never => fail()],
  ['rejects', (): Promise<never> => Promise.reject(new Error('secret'))],
])('a context that %s another error is 500 without its message', async (_how, context) => {
  const send = await serve(context);
  expect(await send('GET /todos')).toEqual([500, 'internal']);
});

function fail(): never {
  throw new Error('secret');
}
