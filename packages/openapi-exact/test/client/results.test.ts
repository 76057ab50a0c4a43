import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createClient, ResponseError, type Client } from '../../src/client.ts';
import { scriptedServer } from './scripted-server.ts';
import { serveForClient, type ServedContract } from './served-contract.ts';

const BIG = 9007199254740993n;
interface Conflict {
  reason: 'taken' | 'locked';
  by: bigint;
}

/** The types that are generated for the paths below. */
interface Paths {
  '/beds/{id}': {
    put: {
      parameters: { path: { id: bigint } };
      responses: {
        200: { content: { 'application/json': { id: bigint } } };
        404: { content?: never };
        409: { content: { 'application/problem+json': Conflict } };
        422: { content: { 'text/plain': string } };
        503: { content: { 'image/png': string } };
      };
    };
  };
  '/photo': {
    get: {
      responses: {
        200: { content: { 'image/png': string; 'application/json': { id: bigint } } };
        204: { content?: never };
      };
    };
  };
}

const int64 = { type: 'integer', format: 'int64' };
const bed = { 'application/json': { schema: { type: 'object', properties: { id: int64 } } } };
const conflict = { schema: { type: 'object', properties: { reason: { type: 'string' }, by: int64 } } };
const PATHS = {
  '/beds/{id}': {
    put: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: int64 }],
      responses: {
        200: { description: 'Done.', content: bed },
        404: { description: 'None.' },
        409: { description: 'Conflict.', content: { 'application/problem+json': conflict } },
        422: { description: 'Wrong.', content: { 'text/plain': { schema: { type: 'string' } } } },
        503: { description: 'Overloaded.', content: { 'image/png': {} } },
      },
    },
  },
  '/photo': {
    get: {
      responses: { 200: { description: 'One.', content: { 'image/png': {}, ...bed } }, 204: { description: 'None.' } },
    },
  },
};

const scripted = scriptedServer();
let served: ServedContract;
let client: Client<Paths>;
beforeAll(async () => {
  served = await serveForClient(PATHS);
  client = createClient<Paths>({
    shapes: served.shapes,
    baseUrl: served.url,
    retries: 0,
    timeout: 100_000,
    attemptTimeout: 100_000,
  });
});
afterAll(() => served.close());

/** A client of the scripted server. */
function scriptedClient(): Client<Paths> {
  return createClient<Paths>({ shapes: served.shapes, baseUrl: scripted.url, retries: 0 });
}

const put = { params: { path: { id: 1n } }, throwHttpErrors: false } as const;

describe('with throwHttpErrors: false', () => {
  test('a success has data and no error', async () => {
    served.answer = { status: 200, body: { id: BIG } };
    const { data, error, response } = await client.PUT('/beds/{id}', put);
    expect([data, error, response.status]).toEqual([{ id: BIG }, undefined, 200]);
  });

  test('an error that the contract declares is returned, with its body by status', async () => {
    served.answer = { status: 409, body: { reason: 'taken', by: BIG } };
    const { data, error, response } = await client.PUT('/beds/{id}', put);
    expect(error?.status === 409 && [error.body.reason, error.body.by]).toEqual(['taken', BIG]);
    expect([data, response.status, response.headers.get('Content-Type')]).toEqual([
      undefined,
      409,
      'application/problem+json',
    ]);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ code: 'taken', outcome: 'nothing done' });
    await expect(client.PUT('/beds/{id}', { params: put.params })).rejects.toMatchObject({ status: 409 });
  });

  test.each<[status: number, type: string, text: string, body: unknown]>([
    [404, 'text/html', '<p>None', '<p>None'],
    [404, '', '', undefined],
    [422, 'text/plain', '7', '7'],
    [503, 'image/png', 'PNG', expect.objectContaining({ size: 3, type: 'image/png' })],
  ])('so is %d of %j', async (status, type, text, body) => {
    scripted.answer = (_, response) => response.writeHead(status, { 'Content-Type': type }).end(text);
    expect((await scriptedClient().PUT('/beds/{id}', put)).error).toMatchObject({ status, body });
  });

  test.each<[what: string, status: number, type: string, text: string]>([
    ['an undeclared status', 500, 'application/json', '{}'],
    ['another media type, as of a proxy', 409, 'text/html', '<p>Conflict'],
    ['broken JSON', 409, 'application/problem+json', '{"reason":"ta'],
    ['a number that would be rounded', 409, 'application/problem+json', '{"reason":9007199254740993}'],
    ['more than 1 MiB', 422, 'text/plain', 'x'.repeat(2 ** 20 + 1)],
    ['an undeclared status of success', 202, 'application/json', '{}'],
    ['a success that is no JSON', 200, 'application/json', '<p>Welcome'],
  ])('a response that the contract does not declare rejects: %s', async (_what, status, type, text) => {
    scripted.answer = (_, response) => response.writeHead(status, { 'Content-Type': type }).end(text);
    await expect(scriptedClient().PUT('/beds/{id}', put)).rejects.toMatchObject({ name: 'ResponseError', status });
  });

  test('a broken connection and a timeout reject', async () => {
    scripted.answer = ({ socket }) => socket.destroy();
    await expect(scriptedClient().PUT('/beds/{id}', put)).rejects.toMatchObject({ kind: 'connection' });
    scripted.answer = () => undefined;
    await expect(scriptedClient().PUT('/beds/{id}', { ...put, timeout: 200 })).rejects.toMatchObject({
      kind: 'timeout',
    });
  });

  test('an error is returned after the retries', async () => {
    let asked = 0;
    scripted.answer = (_, response) => {
      asked += 1;
      response.writeHead(503, { 'Content-Type': 'image/png', 'Retry-After': '0' }).end('PNG');
    };
    const retrying = createClient<Paths>({ shapes: served.shapes, baseUrl: scripted.url, retries: 2 });
    expect((await retrying.PUT('/beds/{id}', put)).error).toMatchObject({ status: 503, retryAfter: 0 });
    expect(asked).toBe(3);
  });
});

describe("with parseAs: 'stream'", () => {
  /** The response of the scripted server, once its head is out. */
  function answerWith(answer: (response: ServerResponse) => void): void {
    scripted.answer = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' });
      answer(response);
    };
  }
  const chunk = Buffer.alloc(65_536, 'x');

  test('the data are the bytes as they arrive, of more than a body may have', async () => {
    let go = (): void => undefined;
    answerWith((response) => {
      response.write('first');
      go = () => response.end(chunk);
    });
    const options = { shapes: served.shapes, baseUrl: scripted.url, maxResponseBytes: 10 };
    const { data, response } = await createClient<Paths>(options).GET('/photo', { parseAs: 'stream' });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    const reader = data?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    go();
    let length = 0;
    for (;;) {
      const part = await reader?.read();
      if (part?.value === undefined) break;
      length += part.value.length;
    }
    expect(length).toBe(chunk.length);
  });

  test('JSON is a stream of its bytes, and a response without content has none', async () => {
    served.answer = { status: 200, contentType: 'application/json', body: { id: BIG } };
    const { data } = await client.GET('/photo', { parseAs: 'stream' });
    expect(await new Response(data).text()).toBe(`{"id":${BIG}}`);
    served.answer = { status: 204 };
    expect(await client.GET('/photo', { parseAs: 'stream' })).toMatchObject({ data: undefined });
  });

  test('the timeouts end with the head of the response, and the signal ends the stream', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    answerWith((response) => {
      response.write('first');
      closed = once(response, 'close');
    });
    const controller = new AbortController();
    const options = { parseAs: 'stream', timeout: 300, signal: controller.signal } as const;
    const { data } = await scriptedClient().GET('/photo', options);
    const reader = data?.getReader();
    expect((await reader?.read())?.value).toHaveLength(5);
    await new Promise((resume) => setTimeout(resume, 400));
    const next = reader?.read();
    controller.abort('seen enough');
    await expect(next).rejects.toBe('seen enough');
    await closed;
  });

  test('a connection that breaks is an error of the stream, and cancelling it ends the connection', async () => {
    answerWith((response) => {
      response.write('first', () => response.destroy());
    });
    const { data } = await scriptedClient().GET('/photo', { parseAs: 'stream' });
    await expect(new Response(data).text()).rejects.toMatchObject({ kind: 'connection', outcome: 'unknown' });
    let closed: Promise<unknown> = Promise.resolve();
    answerWith((response) => {
      response.write('first');
      closed = once(response, 'close');
    });
    const { data: unwanted } = await scriptedClient().GET('/photo', { parseAs: 'stream' });
    await unwanted?.cancel();
    await closed;
  });

  test('a slow reader holds the service back', async () => {
    let sent = 0;
    answerWith((response) => {
      const go = (): void => {
        if (response.destroyed) return;
        sent += chunk.length;
        if (response.write(chunk)) setImmediate(go);
        else response.once('drain', go);
      };
      go();
    });
    const { data } = await scriptedClient().GET('/photo', { parseAs: 'stream' });
    const reader = data?.getReader();
    await reader?.read();
    let before: number;
    do {
      before = sent;
      await new Promise((resume) => setTimeout(resume, 300));
    } while (sent > before);
    // What the system and fetch keep on the way.
    expect(sent).toBeLessThan(32 * 2 ** 20);
    await reader?.cancel();
  });

  test('an error, and a response of another media type, are read as ever', async () => {
    scripted.answer = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome');
    await expect(scriptedClient().GET('/photo', { parseAs: 'stream' })).rejects.toMatchObject({
      message: expect.stringContaining("is of the media type 'text/html'"),
    });
    scripted.answer = (_, response) => response.writeHead(500).end('{"message":"Not today."}');
    await expect(scriptedClient().GET('/photo', { parseAs: 'stream' })).rejects.toMatchObject({
      ...{ status: 500, message: 'Not today.', body: { message: 'Not today.' } },
    });
  });

  test('many streams that share a signal leave no listener', async () => {
    answerWith((response) => response.end('PNG'));
    const controller = new AbortController();
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { data } = await scriptedClient().GET('/photo', { parseAs: 'stream', signal: controller.signal });
        return new Response(data).text();
      }),
    );
    expect(texts).toEqual(Array(20).fill('PNG'));
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
