import { afterEach, expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { documentText } from 'test-support/contract-files.ts';
import { HttpClient } from 'test-support/http-client.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';

/** More than go on together. */
const MANY = 40;

const contract = await loadContract({
  text: documentText({
    paths: {
      '/todos/{id}': {
        get: {
          operationId: 'getTodo',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          responses: {
            200: { description: 'Done.', content: { 'application/json': {} } },
            500: { description: 'Failed.', content: { 'application/json': { schema: { required: ['reason'] } } } },
          },
        },
      },
    },
  }),
});

let served: Listening | undefined;
afterEach(() => served?.close());

/** Serves the contract behind another middleware. */
async function serve(before: RequestHandler, getTodo: MiddlewareOptions['handlers'][string]): Promise<number> {
  const app = express().use(before, await contractMiddleware({ contract, handlers: { getTodo } }));
  served = await listen(createServer(app));
  return served.port;
}

/** Sends requests at once, on connections that are open. @returns the bodies of the responses. */
async function sendAll(port: number, paths: readonly string[]): Promise<unknown[]> {
  const client = new HttpClient(port, { keepAlive: true });
  await Promise.all(paths.map(() => client.request('GET', '/open')));
  const answers = await Promise.all(paths.map((path) => client.request('GET', path)));
  client.close();
  return answers.map(({ text }): unknown => JSON.parse(text));
}

const PATHS = Array.from({ length: MANY }, (_, id) => `/todos/${id}`);

test('requests that arrive together keep their own AsyncLocalStorage, until their responses have left', async () => {
  const requests = new AsyncLocalStorage<string>();
  const ended = new Map<string, unknown>();
  const begin: RequestHandler = (request, response, next) => {
    requests.run(request.url, () => {
      if (request.url !== '/open') response.on('finish', () => ended.set(request.url, requests.getStore()));
      next();
    });
  };
  const port = await serve(begin, ({ params }) => ({ status: 200, body: [params['id'], requests.getStore()] }));
  expect(await sendAll(port, PATHS)).toEqual(PATHS.map((path, id) => [id, path]));
  expect(ended).toEqual(new Map(PATHS.map((path) => [path, path])));
});

test('the first of many requests that arrive together is answered before the last is handled', async () => {
  const order: string[] = [];
  const begin: RequestHandler = (request, response, next) => {
    if (request.url !== '/open') response.on('finish', () => order.push('answered'));
    next();
  };
  const port = await serve(begin, () => {
    order.push('handled');
    return { status: 200, body: {} };
  });
  await sendAll(port, PATHS);
  expect(order.indexOf('answered')).toBeLessThan(order.lastIndexOf('handled'));
  expect(order.filter((what) => what === 'answered')).toHaveLength(MANY);
});

test('a handler that returns when its time is up does not answer for a second time', async () => {
  const getTodo: MiddlewareOptions['handlers'][string] = async ({ signal }) => {
    await once(signal, 'abort');
    return { status: 200, body: 'late' };
  };
  const onError = (): undefined => undefined;
  const middleware = await contractMiddleware({ contract, handlers: { getTodo }, timeout: 50, onError });
  served = await listen(createServer(express().use(middleware)));
  expect(await sendAll(served.port, PATHS)).toEqual(PATHS.map(() => expect.objectContaining({ reason: 'internal' })));
});

test('onError is told of a request whose time is up in the AsyncLocalStorage of that request', async () => {
  const requests = new AsyncLocalStorage<string>();
  const told: [path: string, store: unknown][] = [];
  const onError: MiddlewareOptions['onError'] = ({ request }) => {
    told.push([request.url, requests.getStore()]);
  };
  const getTodo = (): Promise<never> => new Promise(() => undefined);
  const middleware = await contractMiddleware({ contract, handlers: { getTodo }, timeout: 50, onError });
  const app = express().use((request, _response, next) => {
    requests.run(request.url, next);
  }, middleware);
  served = await listen(createServer(app));
  await sendAll(served.port, ['/todos/1', '/todos/2', '/todos/3']);
  expect(told.filter(([path]) => path !== '/open')).toEqual(
    ['/todos/1', '/todos/2', '/todos/3'].map((path) => [path, path]),
  );
});
