import { describe, expect, test } from '@jest/globals';
import { text as readText } from 'node:stream/consumers';
import type { ClientOptions, OnRequest, OnResponse } from '../../src/client.ts';
import { freePort } from 'test-support/listen.ts';
import { scriptedServer } from './scripted-server.ts';

const scripted = scriptedServer();
const params = { path: { id: 2n } };

/** Answers with these statuses in turn, the last one for good. @returns what arrived. */
function answerInTurn(...statuses: number[]): string[] {
  const received: string[] = [];
  scripted.answer = (request, response) => {
    const { method, url, headers } = request;
    void readText(request).then((body) => {
      received.push(`${method} ${url} ${headers.authorization ?? '-'} ${String(headers['x-trace'] ?? '-')} ${body}`);
      const status = (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 500;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' });
      response.end(status === 204 ? undefined : '{"id":1}');
    });
  };
  return received;
}

describe('onRequest', () => {
  test('may change the headers of each attempt, and sees the path of the contract', async () => {
    const received = answerInTurn(503, 204);
    const seen: string[] = [];
    const onRequest: OnRequest = ({ request, schemaPath }) => {
      seen.push(`${request.method} ${schemaPath}`);
      request.headers.set('X-Trace', String(seen.length));
    };
    await scripted.deleteBed({ onRequest, retries: 1 });
    expect(seen).toEqual(['DELETE /beds/{id}', 'DELETE /beds/{id}']);
    expect(received).toEqual(['DELETE /beds/2 Bearer x 1 ', 'DELETE /beds/2 Bearer x 2 ']);
  });

  test('may replace the request, which a timeout ends too', async () => {
    const received = answerInTurn(201);
    const onRequest: OnRequest = ({ request: { url, method } }) =>
      new Request(url.replace('/v1', ''), { method, headers: { 'X-Trace': 'a' }, body: '{}' });
    const client = scripted.client({ baseUrl: `${scripted.url}/v1`, onRequest });
    const { data } = await client.POST('/beds', { body: { id: 1n } });
    expect([received, data]).toEqual([['POST /beds - a {}'], { id: 1n }]);
    const closed = new Promise((resolve) => {
      scripted.answer = ({ socket }) => socket.once('close', resolve);
    });
    await expect(client.POST('/beds', { body: { id: 1n }, timeout: 500 })).rejects.toMatchObject({ kind: 'timeout' });
    await closed;
  });

  test('may answer in place of the service, as a cache does', async () => {
    const received = answerInTurn(204);
    const onResponse: OnResponse = () => Promise.reject(new Error('nothing was sent'));
    const get = (onRequest: OnRequest): Promise<object> =>
      scripted.client({ onRequest, onResponse }).GET('/beds/{id}', { params });
    expect(await get(() => Response.json({ id: 7 }))).toMatchObject({ data: { id: 7n }, response: { status: 200 } });
    const refused = get(async () => Promise.resolve(Response.json({ message: 'No.' }, { status: 418 })));
    await expect(refused).rejects.toMatchObject({ status: 418, message: 'No.' });
    expect(received).toEqual([]);
  });
});

describe('onResponse', () => {
  test('sees each response with its request, and the call still reads the body', async () => {
    answerInTurn(503, 200);
    const seen: unknown[] = [];
    const onResponse: OnResponse = async ({ request, response, schemaPath }) => {
      seen.push([request.method, schemaPath, response.status, await response.clone().text()]);
    };
    const { data } = await scripted.client({ onResponse, retries: 1 }).GET('/beds/{id}', { params });
    const [path, text] = ['/beds/{id}', '{"id":1}'];
    expect([data, seen]).toEqual([{ id: 1n }, [503, 200].map((status) => ['GET', path, status, text])]);
  });

  test('may renew a token and send the request again, with its body', async () => {
    const received = answerInTurn(401, 201);
    const onResponse: OnResponse = ({ request, response, fetch }) => {
      if (response.status !== 401) return;
      request.headers.set('Authorization', 'Bearer new');
      return fetch(request);
    };
    const { data } = await scripted.client({ onResponse }).POST('/beds', { body: { id: 1n } });
    expect(data).toEqual({ id: 1n });
    expect(received).toEqual(['POST /beds Bearer x - {"id":1}', 'POST /beds Bearer new - {"id":1}']);
  });

  test('may replace a response, also a success by an error', async () => {
    answerInTurn(204);
    const onResponse: OnResponse = () => Response.json({ message: 'Gone.' }, { status: 410 });
    await expect(scripted.deleteBed({ onResponse })).rejects.toMatchObject({ status: 410, message: 'Gone.' });
  });

  test('whose own request finds no service fails as the call does, and is retried', async () => {
    const received = answerInTurn(204);
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const onResponse: OnResponse = ({ fetch }) => fetch(new Request(nowhere));
    await expect(scripted.deleteBed({ onResponse, retries: 1 })).rejects.toMatchObject({ kind: 'connection' });
    expect(received).toHaveLength(2);
  });
});

describe('a hook', () => {
  const error = new Error('no hook today');

  test.each<[what: string, options: Partial<ClientOptions>, rejection: unknown]>([
    ['that throws', { onRequest: () => Promise.reject(error) }, error],
    ['that throws after a response', { onResponse: () => Promise.reject(error) }, error],
    [
      'that returns something else',
      { onRequest: () => 'a' as never },
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('onRequest must return') }),
    ],
    [
      'that returns something else after a response',
      { onResponse: () => 7 as never },
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('onResponse must return') }),
    ],
    [
      'that reads the body for itself',
      { onResponse: async ({ response }) => void (await response.text()) },
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('response.clone()') }),
    ],
  ])('%s rejects the call at once', async (_what, options, rejection) => {
    const received = answerInTurn(200);
    const call = scripted.client({ retries: 3, ...options }).GET('/beds/{id}', { params });
    await expect(call).rejects.toEqual(rejection);
    expect(received.length).toBeLessThanOrEqual(1);
  });

  test('that reads the body of a request rejects the call, with what would be right', async () => {
    const received = answerInTurn(201);
    const onRequest: OnRequest = async ({ request }) => void (await request.text());
    await expect(scripted.client({ onRequest }).POST('/beds', { body: { id: 1n } })).rejects.toThrow('request.clone()');
    expect(received).toEqual([]);
  });

  test.each<[what: string, options: Partial<ClientOptions>]>([
    ['onRequest', { onRequest: () => new Promise(() => undefined) }],
    ['onResponse', { onResponse: () => new Promise(() => undefined) }],
    ['fetch', { fetch: () => new Promise(() => undefined) }],
  ])('that never ends is ended by the timeout and by the signal: %s', async (_what, options) => {
    answerInTurn(204);
    await expect(scripted.deleteBed({ ...options, timeout: 200 })).rejects.toMatchObject({ kind: 'timeout' });
    const controller = new AbortController();
    const call = scripted.deleteBed(options, controller.signal);
    controller.abort('changed my mind');
    await expect(call).rejects.toBe('changed my mind');
  });
});

describe('fetch', () => {
  test('of the user sends each request, and gets the signal that ends it', async () => {
    const received = answerInTurn(204);
    const sent: Request[] = [];
    const own = (request: Request): Promise<Response> => {
      sent.push(request);
      return fetch(request);
    };
    await scripted.deleteBed({ fetch: own });
    expect(received).toEqual(['DELETE /beds/2 Bearer x - ']);
    expect(sent.map(({ url, redirect, signal }) => [url, redirect, signal.aborted])).toEqual([
      [`${scripted.url}/beds/2`, 'manual', false],
    ]);
  });

  test('needs no service', async () => {
    const own = (): Promise<Response> => Promise.resolve(Response.json({ id: 9007199254740992 }));
    const { data } = await scripted
      .client({ baseUrl: 'https://beds.example', fetch: own })
      .GET('/beds/{id}', { params });
    expect(data).toEqual({ id: 9007199254740992n });
  });

  test('that fails is a broken connection, with its error as the cause', async () => {
    const cause = new Error('offline');
    const call = scripted.deleteBed({ fetch: () => Promise.reject(cause) });
    await expect(call).rejects.toMatchObject({
      kind: 'connection',
      message: expect.stringContaining('offline'),
      cause,
    });
    await expect(scripted.deleteBed({ fetch: () => Promise.resolve('' as never) })).rejects.toThrow(
      new TypeError('fetch must return a Response.'),
    );
  });

  test('is the global one at the time of the call by default', async () => {
    const original = globalThis.fetch;
    const client = scripted.client();
    globalThis.fetch = () => Promise.resolve(Response.json({ id: 5 }));
    try {
      expect((await client.GET('/beds/{id}', { params })).data).toEqual({ id: 5n });
    } finally {
      globalThis.fetch = original;
    }
  });
});

describe('headers', () => {
  const HEADERS = { 'X-Trace': 'client', 'Accept-Language': 'de' };
  /** What a call sends of two headers. */
  async function sentHeaders(
    options: Partial<ClientOptions>,
    headers?: Headers | Record<string, string | undefined>,
  ): Promise<unknown> {
    let seen: unknown;
    scripted.answer = ({ headers: arrived }, response) => {
      seen = [arrived['x-trace'], arrived['accept-language'], arrived.authorization];
      response.writeHead(204).end();
    };
    await scripted.client(options).DELETE('/beds/{id}', { params, headers });
    return seen;
  }

  test.each<[what: string, headers: ClientOptions['headers']]>([
    ['an object', HEADERS],
    ['a Headers object', new Headers(HEADERS)],
    ['a function', () => HEADERS],
    ['a function that returns a promise', async () => Promise.resolve(new Headers(HEADERS))],
  ])('of the client are %s, those of a call win, and undefined is none', async (_what, headers) => {
    expect(await sentHeaders({ headers })).toEqual(['client', 'de', 'Bearer x']);
    expect(await sentHeaders({ headers }, { 'x-trace': 'call', 'Accept-Language': undefined })).toEqual([
      'call',
      'de',
      'Bearer x',
    ]);
    expect(await sentHeaders({ headers }, new Headers({ Authorization: 'Bearer y' }))).toEqual([
      'client',
      'de',
      'Bearer y',
    ]);
  });

  test('of the client lose against its token', async () => {
    expect(await sentHeaders({ headers: { Authorization: 'Bearer old' } })).toEqual([undefined, '*', 'Bearer x']);
  });

  test('of a function are the same in all attempts of a call, such as an idempotency key', async () => {
    const received = answerInTurn(503, 503, 204);
    let calls = 0;
    await scripted.deleteBed({ headers: () => ({ 'X-Trace': String(++calls) }), retries: 2 });
    expect(received).toEqual(Array(3).fill('DELETE /beds/2 Bearer x 1 '));
  });

  test.each([
    ['a text', 'X-Trace: 1'],
    ['a list', [['X-Trace', '1']]],
    ['null', null],
  ])('that are %s are refused with what would be right', async (_what, headers) => {
    const refusal = { name: 'TypeError', message: expect.stringMatching(/^headers .* or a Headers object/) };
    expect(() => scripted.client({ headers: headers as never })).toThrow(/^headers .* or a Headers object/);
    await expect(scripted.deleteBed({ headers: () => headers as never })).rejects.toMatchObject(refusal);
    const call = scripted.client().DELETE('/beds/{id}', { params, headers: headers as never });
    await expect(call).rejects.toMatchObject(refusal);
  });

  test('name no other media type than the body has', async () => {
    let type: unknown;
    scripted.answer = ({ headers: arrived }, response) => {
      type = arrived['content-type'];
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":1}');
    };
    const headers = { 'Content-Type': 'text/plain' };
    await scripted.client({ headers }).PATCH('/beds/{id}', { params, body: new FormData(), headers });
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
  });
});

test.each(['fetch', 'onRequest', 'onResponse', 'describeError'])('%s must be a function or undefined', (name) => {
  expect(() => scripted.client({ [name]: 'https://beds.example' })).toThrow(
    new TypeError(`${name} must be a function.`),
  );
  expect(scripted.client({ [name]: undefined })).toBeDefined();
});

test('an undefined option is its default, also of a call', async () => {
  const received = answerInTurn(204);
  const names = [
    'token',
    'credentials',
    'headers',
    'cookies',
    'timeout',
    'attemptTimeout',
    'retries',
    'maxResponseBytes',
  ];
  const client = scripted.client(Object.fromEntries(names.map((name) => [name, undefined])));
  const options = {
    headers: undefined,
    signal: undefined,
    timeout: undefined,
    parseAs: undefined,
    throwHttpErrors: undefined,
  };
  await client.DELETE('/beds/{id}', { params, ...options });
  expect(received).toEqual(['DELETE /beds/2 - - ']);
});
