import { afterEach, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { createServer } from 'node:http';
import { listen, type Listening } from 'test-support/listen.ts';
import { documentText } from 'test-support/contract-files.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import { loadContract } from '../src/server/load-contract.ts';

const content = { 'application/json': {}, 'text/plain': { schema: { type: 'string' } } };
const responses = { 200: { description: 'Done.', content: { 'application/json': {} } } };
const operation = (operationId: string, types: object): object => ({
  post: { operationId, requestBody: { content: types }, responses },
});
const contract = await loadContract({
  text: documentText({
    paths: {
      '/kept': operation('kept', content),
      '/other': operation('other', content),
      '/file': operation('file', { 'application/octet-stream': {} }),
    },
  }),
});

interface Given {
  readonly body: unknown;
  readonly bytes?: Buffer | undefined;
}
const echo = ({ body, bytes }: Given): { status: 200; body: unknown } => ({
  ...{ status: 200, body: { body, bytes: bytes?.toString() ?? null } },
});
const handlers = { kept: echo, other: echo, file: () => ({ status: 200, body: null }) };

let served: Listening | undefined;
afterEach(() => served?.close());

async function serve(before: RequestHandler): Promise<void> {
  const app = express();
  app.use(before);
  app.use(await contractMiddleware({ contract, handlers, keepBytes: ['kept'], onError: () => undefined }));
  served = await listen(createServer(app));
}

async function answerOf(path: string, body: string, type = 'application/json'): Promise<unknown> {
  const response = await fetch(`${served?.url}${path}`, { method: 'POST', headers: { 'Content-Type': type }, body });
  return response.json();
}

const spaced = '{ "a" : 1 }\n';

test('the handlers of operations in keepBytes get the bytes of the body as they came, and no others do', async () => {
  await serve((_request, _response, next) => {
    next();
  });
  expect(await answerOf('/kept', spaced)).toEqual({ body: { a: 1 }, bytes: spaced });
  expect(await answerOf('/kept', 'é', 'text/plain')).toEqual({ body: 'é', bytes: 'é' });
  expect(await answerOf('/other', spaced)).toEqual({ body: { a: 1 }, bytes: null });
});

const rawBody: RequestHandler = (request, _response, next) => {
  request.setEncoding('utf8');
  let text = '';
  request.on('data', (chunk: string) => (text += chunk));
  request.on('end', () => {
    Object.assign(request, { rawBody: text, body: JSON.parse(text) as unknown });
    next();
  });
};

test.each([
  ['express.raw()', express.raw({ type: '*/*' })],
  ['express.text()', express.text({ type: '*/*' })],
  ['a platform that keeps rawBody', rawBody],
])('a body that %s has read is taken from the bytes that it kept', async (_name, before) => {
  await serve(before);
  expect(await answerOf('/kept', spaced)).toEqual({ body: { a: 1 }, bytes: spaced });
  expect(await answerOf('/other', spaced)).toEqual({ body: { a: 1 }, bytes: null });
  expect(await answerOf('/file', spaced, 'application/octet-stream')).toBeNull();
});

test('a body that was read and not kept as it came is 500', async () => {
  await serve(express.json());
  expect(await answerOf('/kept', '{}')).toMatchObject({ status: 500, reason: 'internal' });
});

test.each([
  ['kepts', "'kepts', which is not an operation of the contract. Did you mean kept?"],
  ['file', 'The option keepBytes names file, whose body is not buffered'],
])('keepBytes with the operation %s stops the start', async (id, message) => {
  await expect(contractMiddleware({ contract, handlers, keepBytes: [id] })).rejects.toThrow(message);
});
