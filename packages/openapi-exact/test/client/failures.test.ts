import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { getEventListeners, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createClient, ResponseError } from '../../src/client.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import { serveMiddleware } from '../support/serve-middleware.ts';
import { scriptedServer } from './scripted-server.ts';

const scripted = scriptedServer();
const { deleteBed } = scripted;
let warnings: string[];
const note = ({ name }: Error): number => warnings.push(name);
beforeEach(() => {
  warnings = [];
  process.on('warning', note);
});
afterEach(() => {
  process.off('warning', note);
});

const hang = (): Promise<string> => new Promise(() => undefined);

/** Refuses every token, after a first connection that breaks. */
function refuse(isBroken: boolean): void {
  let first = isBroken;
  scripted.answer = ({ socket }, response) => {
    if (first) socket.destroy();
    else response.writeHead(401).end('{"code":40101,"message":"The access token is expired."}');
    first = false;
  };
}

test.each([
  ['unknown, when an attempt before may have been carried out', true],
  ['that nothing was done, when the first token was refused', false],
])('the outcome of a call whose next token is pending is %s', async (_what, isBroken) => {
  refuse(isBroken);
  const tokens = ['first'];
  const token = (): string | Promise<string> => tokens.shift() ?? hang();
  await expect(deleteBed({ token, retries: 1, timeout: 3_000 })).rejects.toMatchObject({
    kind: 'timeout',
    message: expect.stringContaining('within 3000 ms'),
    outcome: isBroken ? 'unknown' : 'nothing done',
  });
});

test('an error of the token function is what the call rejects with, also behind an attempt', async () => {
  refuse(true);
  const error = new Error('no token today');
  const tokens = [Promise.resolve('first')];
  await expect(deleteBed({ token: () => tokens.shift() ?? Promise.reject(error), retries: 1 })).rejects.toBe(error);
});

describe('a falsy reason is passed on unchanged:', () => {
  test.each([undefined, null, 0, '', false])('%p of a function for tokens', async (reason) => {
    await expect(deleteBed({ token: () => Promise.reject(reason) })).rejects.toBe(reason);
  });

  test.each([null, 0, '', false])('%p as the reason of the signal', async (reason) => {
    const controller = new AbortController();
    scripted.answer = () => {
      controller.abort(reason);
    };
    // In flight, and before.
    for (let call = 0; call < 2; call++) await expect(deleteBed({}, controller.signal)).rejects.toBe(reason);
  });
});

test('a signal that many calls share ends all that are pending, without a warning or a leaked listener', async () => {
  const controller = new AbortController();
  const reason = new Error('changed my mind');
  let open = 0;
  scripted.answer = (_, response) => {
    if (++open <= 10) response.writeHead(204).end();
    if (open === 40) controller.abort(reason);
  };
  const calls = Array.from({ length: 40 }, () => deleteBed({}, controller.signal));
  const results = await Promise.allSettled(calls);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(results.filter((result) => result.status === 'rejected' && result.reason === reason)).toHaveLength(30);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  expect(warnings).toEqual([]);
});

describe('Retry-After', () => {
  const BODY = '{"code":50300,"message":"The store is unavailable."}';
  /** The obsolete format of RFC 850. */
  const WEEKDAY = 'Sunday, 06-Nov-94 08:49:37 GMT';

  test.each([
    ...['1.5', '-1', '+1', '1e3', '2 3', 'soon', '2099-01-01', WEEKDAY].map((value) => ({ value, seconds: undefined })),
    ...['0', 'Sun, 06 Nov 1994 08:49:37 GMT'].map((value) => ({ value, seconds: 0 })),
    ...['120', '120 '].map((value) => ({ value, seconds: 120 })),
  ])('$value means $seconds', async ({ value, seconds: retryAfter }) => {
    scripted.answer = (_, response) => response.writeHead(503, { 'Retry-After': value }).end(BODY);
    await expect(deleteBed()).rejects.toMatchObject({ code: 50300, retryAfter });
  });

  test('may be a date', async () => {
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    // Such a date has no fraction of a second.
    const inAMinute = new Date(now + 60_000).toUTCString();
    scripted.answer = (_, response) => response.writeHead(503, { 'Retry-After': inAMinute }).end(BODY);
    const error: unknown = await deleteBed().catch((reason: unknown) => reason);
    clock.mockRestore();
    expect(Math.ceil((error as { retryAfter: number }).retryAfter)).toBe(60);
  });
});

const MIB = 2 ** 20;
/** Resolves when the client has ended its connection. */
let closed: Promise<unknown>;

function answerWith(answer: (response: ServerResponse) => void): void {
  scripted.answer = (_request, response) => {
    closed = once(response, 'close');
    answer(response);
  };
}

/** Sends a body for as long as it is taken; the bytes that went out. */
function endless(status: number, headers: Record<string, string> = {}): () => number {
  const chunk = Buffer.alloc(65_536, 'x');
  let sent = 0;
  answerWith((response) => {
    response.writeHead(status, headers);
    const go = (): void => {
      if (response.destroyed) return;
      sent += chunk.length;
      if (response.write(chunk)) setImmediate(go);
      else response.once('drain', go);
    };
    go();
  });
  return () => sent;
}

describe('the body of a failure', () => {
  test('that does not end is read for 1 MiB, and its connection is closed', async () => {
    const sent = endless(500);
    await expect(deleteBed()).rejects.toMatchObject({
      name: 'ResponseError',
      status: 500,
      code: undefined,
      outcome: 'unknown',
      message: expect.stringContaining(scripted.url),
    });
    await closed;
    // What the system keeps on its way comes on top.
    expect(sent()).toBeLessThan(32 * MIB);
  });

  test.each([
    ['of 1 MiB is read', MIB, 40401],
    ['of one byte more is not', MIB + 1, undefined],
  ])('%s', async (_what, length, code) => {
    const text = `{"code":40401,"message":"${'x'.repeat(length - 27)}"}`;
    expect(text).toHaveLength(length);
    answerWith((response) => response.writeHead(404).end(text));
    await expect(deleteBed()).rejects.toMatchObject({ status: 404, outcome: 'nothing done', code });
  });

  test('that is small only while it is compressed is not unpacked in memory', async () => {
    const bomb = gzipSync(Buffer.alloc(16 * MIB));
    answerWith((response) => response.writeHead(400, { 'Content-Encoding': 'gzip' }).end(bomb));
    await expect(deleteBed()).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('1048576 bytes'),
    });
  });

  test('in pieces that cut a character is read as it was written', async () => {
    const bytes = Buffer.from('{"code":40401,"message":"Blüte 🌷"}');
    answerWith((response) => {
      response.writeHead(404);
      const pieces = [...bytes].map((byte) => Buffer.from([byte]));
      const go = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setImmediate(go));
      };
      go();
    });
    await expect(deleteBed()).rejects.toMatchObject({ code: 40401, message: 'Blüte 🌷' });
  });
});

test('a success of as many bytes as are allowed is read; one of one more is a failure', async () => {
  answerWith((response) => response.writeHead(200, { 'Content-Type': 'text/plain' }).end('x'.repeat(100_000)));
  const get = async (maxResponseBytes: number): Promise<unknown> => {
    const client = scripted.client({ maxResponseBytes });
    const { data } = await client.GET('/beds/{id}/photo', { params: { path: { id: 2n } } });
    return data;
  };
  expect(await get(100_000)).toBe('x'.repeat(100_000));
  expect(await get(Infinity)).toHaveLength(100_000);
  const failure = get(99_999);
  await expect(failure).rejects.toBeInstanceOf(ResponseError);
  await expect(failure).rejects.toMatchObject({
    status: 200,
    outcome: 'unknown',
    message: expect.stringMatching(/99999 bytes.*maxResponseBytes/),
  });
});

test('a success that is too long is not awaited: the connection ends', async () => {
  let closed: Promise<unknown> = Promise.resolve();
  answerWith((response) => {
    closed = once(response, 'close');
    response.writeHead(200, { 'Content-Type': 'text/plain' }).write('x'.repeat(100));
  });
  const call = scripted.client({ maxResponseBytes: 99 }).GET('/beds/{id}/photo', { params: { path: { id: 2n } } });
  await expect(call).rejects.toBeInstanceOf(ResponseError);
  await closed;
});

describe('a service that has too many bodies in memory', () => {
  /** Answers as openapi-exact does, once. */
  function overloadOnce(): { asked: number } {
    const seen = { asked: 0 };
    scripted.answer = (_, response) => {
      if (++seen.asked > 1) response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"id":1}');
      else {
        const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '0' };
        response.writeHead(503, headers).end('{"status":503,"detail":"Too many.","reason":"overloaded"}');
      }
    };
    return seen;
  }

  test('has not begun, as the error says', async () => {
    const contract = await loadContract(new URL('../fixtures/contracts/media-types.yaml', import.meta.url));
    const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, () => ({ status: 200, body: {} })]));
    const server = await serveMiddleware({ contract, handlers, bodyLimits: { memory: 1_000 }, errorBody: undefined });
    const operations = { 'POST /echo': { parameters: {}, body: { 'application/json': {} }, responses: { 200: {} } } };
    try {
      const client: unknown = createClient({ shapes: { operations, schemas: {} }, baseUrl: server.url, retries: 0 });
      const { POST } = client as Record<'POST', (path: string, options: object) => Promise<unknown>>;
      await expect(POST('/echo', { body: { name: 'x'.repeat(2_000) } })).rejects.toMatchObject({
        ...{ name: 'ResponseError', status: 503, code: 'overloaded', retryAfter: 1, outcome: 'nothing done' },
        message: expect.stringContaining('too many large requests in memory'),
      });
    } finally {
      await server.close();
    }
  });

  test('is asked again, also with POST', async () => {
    const seen = overloadOnce();
    const { data } = await scripted.client({ retries: 1 }).POST('/beds', { body: { id: 1n } });
    expect([data, seen.asked]).toEqual([{ id: 1n }, 2]);
  });

  test('may have begun where its handler reads the parts of a body', async () => {
    const seen = overloadOnce();
    const call = scripted
      .client({ retries: 1 })
      .PATCH('/beds/{id}', { params: { path: { id: 1n } }, body: new FormData() });
    await expect(call).rejects.toMatchObject({ status: 503, code: 'overloaded', outcome: 'unknown' });
    expect(seen.asked).toBe(1);
  });
});

describe('a service that does not answer', () => {
  let asked = 0;
  beforeEach(() => {
    asked = 0;
    scripted.answer = () => asked++;
  });

  test('rejects with a typed error after the last attempt, which may time out within its response', async () => {
    scripted.answer = (_, response) => {
      if (++asked === 3) response.writeHead(404, { 'Content-Length': '100' }).write('{');
    };
    await expect(scripted.deleteBed({ attemptTimeout: 500, retries: 2 })).rejects.toMatchObject({
      kind: 'timeout',
      outcome: 'unknown',
      message: expect.stringContaining(scripted.url),
    });
    expect(asked).toBe(3);
  });

  test('gets one attempt with POST, which is not idempotent', async () => {
    const client = scripted.client({ attemptTimeout: 500, retries: 5 });
    await expect(client.POST('/beds', { body: { id: 1n } })).rejects.toMatchObject({ kind: 'timeout' });
    expect(asked).toBe(1);
  });
});
