import { expect, test } from '@jest/globals';
import { createServer, type IncomingMessage } from 'node:http';
import express from 'express';
import { HttpClient, type Answer } from 'test-support/http-client.ts';
import { listen } from 'test-support/listen.ts';
import { BODY_LIMITS, type BodyLimits } from '../src/bodies/limits.ts';
import { createClient, type ClientOptions } from '../src/client.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { MiddlewareOptions } from '../src/server/options.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { refused } from './support/contract-server.ts';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { serveMiddleware } from './support/serve-middleware.ts';

const BODIES = {
  'application/json': {},
  'text/plain': { schema: { type: 'string' } },
  'application/octet-stream': {},
  'multipart/form-data': { schema: { type: 'object' } },
  'application/jsonl': { 'x-itemSchema': {} },
};
const responses = { 200: { description: 'Yes.', content: { 'application/json': {} } } };
const DOCUMENT = documentText({
  paths: { '/echo': { post: { operationId: 'echo', requestBody: { content: BODIES }, responses } } },
});
const contract = await withFiles({ 'openapi.yaml': DOCUMENT }, (file) => loadContract(file));
const handlers = { echo: () => ({ status: 200, body: {} }) };

interface Posted {
  readonly type: keyof typeof BODIES;
  readonly body: string;
  /** The announced length, where it is not that of the body. */
  readonly length?: number;
}

/** Posts a body to a mount of the contract. */
async function post(
  bodyLimits: NonNullable<MiddlewareOptions['bodyLimits']>,
  { type, body, length = body.length }: Posted,
): Promise<Answer> {
  const server = await serveMiddleware({ contract, handlers, bodyLimits });
  const client = new HttpClient(server.port);
  const headers = { 'Content-Type': type === 'multipart/form-data' ? `${type}; boundary=b` : type };
  const answer = await client.request('POST', '/echo', { headers: { ...headers, 'Content-Length': length }, body });
  client.close();
  await server.close();
  return answer;
}

const JSON_BODY = (length: number): string => JSON.stringify({ id: 1, name: 'x'.repeat(length) });

/** A request that is beyond the default of each limit. */
const BEYOND: Readonly<Record<Exclude<keyof BodyLimits, 'memory'>, Posted>> = {
  json: { type: 'application/json', body: JSON_BODY(BODY_LIMITS.json) },
  buffered: { type: 'text/plain', body: 'x'.repeat(BODY_LIMITS.buffered + 1) },
  streamed: { type: 'application/octet-stream', body: '', length: BODY_LIMITS.streamed + 1 },
  item: { type: 'application/jsonl', body: JSON_BODY(BODY_LIMITS.item) },
  values: { type: 'application/json', body: `[${'0,'.repeat(BODY_LIMITS.values)}0]` },
  parts: {
    type: 'multipart/form-data',
    body: `${'--b\r\nContent-Disposition: form-data; name=a\r\n\r\na\r\n'.repeat(BODY_LIMITS.parts + 1)}--b--`,
  },
};

test.each(Object.entries(BEYOND))(
  'the limit %s is its default where it is undefined, also after a mount with another',
  async (name, posted) => {
    // A stream without a limit would wait for all that is announced.
    if (name !== 'streamed') expect(await post({ [name]: Infinity }, posted)).toMatchObject({ status: 200 });
    expect(await post({ ...BODY_LIMITS, [name]: undefined }, posted)).toMatchObject(refused('bodyTooLarge'));
  },
);

test('the memory of all bodies keeps its limit after a request to a mount whose limits are undefined', async () => {
  const posted: Posted = { type: 'application/json', body: JSON_BODY(100_000) };
  const undefinedLimits = Object.fromEntries(Object.keys(BODY_LIMITS).map((name) => [name, undefined]));
  expect(await post(undefinedLimits, posted)).toMatchObject({ status: 200 });
  expect(await post({ memory: 64 * 1024 }, posted)).toMatchObject(refused('overloaded'));
  expect(await post({}, posted)).toMatchObject({ status: 200 });
});

const OPTIONS: Omit<MiddlewareOptions, 'contract' | 'handlers'> = {
  verifiers: undefined,
  checks: undefined,
  unhandled: undefined,
  context: undefined,
  keepBytes: undefined,
  fallthrough: undefined,
  errorBody: undefined,
  onError: undefined,
  onChange: undefined,
  guard: undefined,
  realm: undefined,
  bodyLimits: undefined,
  requestId: undefined,
  undeclaredQuery: undefined,
  undeclaredProperties: undefined,
  timeout: undefined,
  sendsContinue: undefined,
};

test('a mount whose options are all undefined answers like one without options', async () => {
  const answersOf = async (options: object): Promise<readonly unknown[]> => {
    const app = express();
    app.use(await contractMiddleware({ contract, handlers, ...options }));
    const server = await listen(createServer(app));
    const client = new HttpClient(server.port);
    const headers = { 'Content-Type': 'application/json' };
    const answers = [
      await client.request('GET', '/none'),
      await client.request('POST', '/echo?utm_source=mail', { headers, body: '{"id":1}' }),
      await client.request('DELETE', '/echo'),
      await client.request('POST', '/echo', { headers, body: '{"id":1}' }),
      await client.request('POST', '/echo', { headers, body: '{' }),
      await client.request('POST', '/echo', { headers: { 'Content-Type': 'x/y' }, body: 'x' }),
    ];
    client.close();
    await server.close();
    return answers.map(({ status, headers: { date: _, ...kept }, text }) => ({ status, headers: kept, text }));
  };
  expect(await answersOf(OPTIONS)).toEqual(await answersOf({}));
  expect(await answersOf({ timeout: () => undefined })).toEqual(await answersOf({}));
});

test('a client whose options are all undefined sends what one without options sends', async () => {
  const received: unknown[] = [];
  const server = await listen(
    createServer((request: IncomingMessage, response) => {
      const { host: _, ...headers } = request.headers;
      received.push([request.method, request.url, headers]);
      response.writeHead(204).end();
    }),
  );
  const shapes = { operations: { 'GET /a': { parameters: {}, body: {}, responses: { 204: {} } } }, schemas: {} };
  const own: ClientOptions = { shapes, baseUrl: server.url };
  const undefinedOptions = {
    ...{ token: undefined, headers: undefined, credentials: undefined, timeout: undefined, attemptTimeout: undefined },
    ...{ retries: undefined, maxResponseBytes: undefined, describeError: undefined },
  };
  type Get = (path: string, options?: object) => Promise<unknown>;
  const get = async (options: object, call?: object): Promise<void> => {
    const client = createClient<unknown>({ ...own, ...options }) as unknown as { readonly GET: Get };
    await client.GET('/a', call);
  };
  await get({});
  await get(undefinedOptions, {
    ...{ params: undefined, body: undefined, contentType: undefined, signal: undefined, timeout: undefined },
  });
  await get({ headers: { 'X-Key': undefined } }, { params: { query: undefined, header: { a: undefined } } });
  expect(received[1]).toEqual(received[0]);
  expect(received[2]).toEqual(received[0]);
  await server.close();
});
