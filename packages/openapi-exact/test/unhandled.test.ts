import { afterEach, expect, test } from '@jest/globals';
import express, { type Express } from 'express';
import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import { listen, type Listening } from 'test-support/listen.ts';
import { documentText } from 'test-support/contract-files.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { exactRequest, validated } from '../src/server/validated.ts';

const todo = { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } };
const done = { 200: { description: 'Done.', content: { 'application/json': {} } } };
const bodies = (type: string, schema: object): object => ({ required: true, content: { [type]: { schema } } });
const upload = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } };
const document = {
  components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearerAuth: [] }],
  paths: {
    '/todos': {
      get: { operationId: 'listTodos', responses: done },
      post: { operationId: 'createTodo', requestBody: bodies('application/json', todo), responses: done },
    },
    '/todos/{id}': {
      parameters: [id],
      put: { operationId: 'changeTodo', requestBody: bodies('application/json', todo), responses: done },
    },
    '/files': {
      post: { operationId: 'upload', requestBody: bodies('multipart/form-data', upload), responses: done },
      put: { operationId: 'store', requestBody: bodies('application/octet-stream', {}), responses: done },
    },
  },
};
const contract = await loadContract({ text: documentText(document) });
const verifiers = { bearerAuth: (token: string) => (token === 'secret' ? { name: 'me' } : undefined) };
const listTodos = (): ResponseValue => ({ status: 200, body: [] });
const all = { listTodos, createTodo: validated, changeTodo: validated, upload: validated, store: validated };

interface Todo {
  readonly id: bigint;
  readonly text: string;
}

let served: Listening | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

async function serve(options: Omit<MiddlewareOptions, 'contract'>): Promise<Express> {
  const app = express();
  app.use(await contractMiddleware({ contract, verifiers, onError: () => undefined, ...options }));
  served = await listen(createServer(app));
  return app;
}

async function send(
  target: string,
  body?: string | FormData,
  { token = 'secret', type = 'application/json' } = {},
): Promise<readonly [status: number, text: string]> {
  const [method, path] = target.split(' ');
  const headers = { Authorization: `Bearer ${token}`, ...(typeof body === 'string' ? { 'Content-Type': type } : {}) };
  const response = await fetch(`${served?.url}${path}`, { method: method ?? '', headers, body: body ?? null });
  return [response.status, await response.text()];
}

test('the start names all operations without a handler at once', async () => {
  const start = contractMiddleware({ contract, verifiers, handlers: { listTodos, upload: undefined } });
  await expect(start).rejects.toThrow(
    /createTodo \(POST \/todos\)\nchangeTodo \(PUT \/todos\/\{id\}\)\nstore \(PUT \/files\)\nupload \(POST \/files\)\n/,
  );
});

test('requests for operations without a handler go as they are to the routes behind', async () => {
  const app = await serve({ handlers: { listTodos }, unhandled: 'next' });
  app.use(express.json());
  app.post('/todos', (request, response) => void response.status(202).json(request.body));
  expect(await send('GET /todos')).toEqual([200, '[]']);
  expect(await send('POST /todos', '{"text":"not as declared"}', { token: 'none' })).toEqual([
    202,
    '{"text":"not as declared"}',
  ]);
  expect(await send('PUT /todos/1', '{"id":1}')).toEqual([404, expect.stringContaining('Cannot PUT')]);
  expect(await send('DELETE /todos')).toEqual([405, expect.stringContaining('GET, POST')]);
});

test('an operation without a handler is answered 501 to a client with valid credentials', async () => {
  await serve({ handlers: { listTodos }, unhandled: 'notImplemented' });
  const [status, text] = await send('POST /todos', '{}');
  expect([status, JSON.parse(text)]).toEqual([
    501,
    {
      ...{ title: 'Not Implemented', status: 501, reason: 'notImplemented' },
      detail: expect.stringContaining('createTodo'),
    },
  ]);
  expect(await send('POST /todos', '{}', { token: 'none' })).toEqual([401, expect.any(String)]);
  expect(await send('GET /todos')).toEqual([200, '[]']);
});

test('a body of 501 that the contract does not allow stops the start if 501 may be answered', async () => {
  const schema = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', pattern: '^E[0-9]{4}$' } },
  };
  const responses = { ...done, 501: { description: 'Not yet.', content: { 'application/json': { schema } } } };
  const text = documentText({ paths: { '/todos': { get: { operationId: 'listTodos', responses } } } });
  const strict = await loadContract({ text });
  const start = contractMiddleware({ contract: strict, handlers: {}, unhandled: 'notImplemented' });
  await expect(start).rejects.toThrow(/listTodos .*501/);
  await contractMiddleware({ contract: strict, handlers: { listTodos }, unhandled: 'notImplemented' });
});

test('a validated operation is authenticated and validated, and goes on to the route behind', async () => {
  const app = await serve({ handlers: all });
  app.use(express.json());
  app.put('/todos/:id', (request, response) => {
    const { params, body, principal, contentType } = exactRequest(request);
    response.send([params['id'], typeof params['id'], (body as Todo).id, principal?.name, contentType].join());
  });
  app.post('/todos', (request, response) => void response.json((request.body as Todo).text));
  expect(await send('PUT /todos/9007199254740993', '{"id":9007199254740995}')).toEqual([
    200,
    '9007199254740993,bigint,9007199254740995,me,application/json',
  ]);
  expect(await send('PUT /todos/1', '{"id":1}', { token: 'none' })).toEqual([401, expect.any(String)]);
  expect(await send('PUT /todos/1', '{"id":"1"}')).toEqual([400, expect.stringContaining('id')]);
  expect(await send('PUT /todos/x', '{"id":1}')).toEqual([400, expect.stringContaining('id')]);
  // A route that knows Express alone finds the body in its place, also behind a parser.
  expect(await send('POST /todos', '{"id":1,"text":"Rake"}')).toEqual([200, '"Rake"']);
  expect(await send('POST /files', new FormData())).toEqual([404, expect.any(String)]);
});

test('the route behind reads the streams of a validated request', async () => {
  const app = await serve({ handlers: all });
  app.post('/files', async (request, response) => {
    let size = 0;
    for await (const { body } of exactRequest<Upload>(request).body)
      for await (const chunk of body ?? []) size += (chunk as Buffer).length;
    response.json(size);
  });
  app.put('/files', async (request, response) => {
    let size = 0;
    for await (const chunk of request.body as Readable) size += (chunk as Buffer).length;
    response.json(size);
  });
  const form = new FormData();
  form.set('file', new Blob(['x'.repeat(300_000)]), 'x.txt');
  expect(await send('POST /files', form)).toEqual([200, '300000']);
  expect(await send('PUT /files', 'x'.repeat(300_000), { type: 'application/octet-stream' })).toEqual([200, '300000']);
});

interface Upload {
  parameters: object;
  requestBody: { content: { 'multipart/form-data': { file: string } } };
  responses: object;
}

test('what a route behind throws is for the error handlers of the application', async () => {
  const app = await serve({ handlers: all });
  app.put('/todos/:id', () => {
    throw new Error('no');
  });
  app.use(((error, _request, response, _next) => {
    response.status(418).send(String(error));
  }) satisfies express.ErrorRequestHandler);
  expect(await send('PUT /todos/1', '{"id":1}')).toEqual([418, 'Error: no']);
});

test('exactRequest throws for a request that was not validated', async () => {
  const app = await serve({ handlers: { listTodos }, unhandled: 'next' });
  app.post('/todos', (request, response) => void response.json(exactRequest(request)));
  app.use(((error, _request, response, _next) => {
    response.status(500).send(String(error));
  }) satisfies express.ErrorRequestHandler);
  expect(await send('POST /todos', '{}')).toEqual([500, expect.stringContaining('was not validated')]);
});
