import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { format, inspect } from 'node:util';
import type { ErrorBody } from '../src/server/error-body.ts';
import { messageOf, RequestError, STATUSES } from '../src/errors/errors.ts';
import type { Failure, MiddlewareOptions } from '../src/server/options.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { InvalidResponseError } from '../src/errors/invalid-response-error.ts';
import { serveContract, type Answer, type ContractServer } from './support/contract-server.ts';
import { closed } from 'test-support/closed.ts';
import { dial } from 'test-support/dial.ts';

type Handler = () => unknown;

const HEADERS = { Authorization: 'Bearer good' };
const verifiers = { token: (token: string) => Promise.resolve(token === 'good' ? { name: 'somebody' } : undefined) };

/** Serves lifecycle.yaml; `getNote` answers what the test wants. */
async function serve(getNote: Handler, options: Partial<MiddlewareOptions> = {}): Promise<ContractServer> {
  const handlers = {
    getNote,
    putNote: () => ({ status: 204 }),
    describeNote: () => ({ status: 204, headers: { Allow: 'GET' } }),
    write: () => ({ status: 204 }),
  };
  // A test answers what no handler may, too.
  return serveContract('lifecycle.yaml', handlers as MiddlewareOptions['handlers'], verifiers, options);
}

/** Everything of an answer but its date and what it says of the connection. */
function wholeOf({ status, headers, text }: Answer): unknown {
  const { date: _, connection: __, 'keep-alive': ___, 'x-powered-by': ____, ...others } = headers;
  return { status, headers: others, text };
}

const SECURITY = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};
const JSON_TYPE = 'application/json; charset=utf-8';
const wholeJson = (status: number, text: string, headers: object = {}): object => ({
  status,
  headers: { ...SECURITY, 'content-type': JSON_TYPE, 'content-length': String(text.length), ...headers },
  text,
});

/** An unexpected failure, as its client sees it. */
const INTERNAL = {
  ...wholeJson(500, '', { 'content-length': expect.stringMatching(/^\d+$/) }),
  text: expect.stringMatching(/^\{"reason":"internal","message":"[^"]+"\}$/),
};

/** What `onError` is told of failures of 500 and above. */
const told: object[] = [];
const onError = ({ error, refusal, operation }: Failure): undefined => {
  if (refusal.status < 500) return;
  const { status, schemaPath } = error instanceof InvalidResponseError ? error : { status: refusal.status };
  told.push({ operation, status, ...(schemaPath !== undefined && { schemaPath }), error });
};
beforeEach(() => void told.splice(0));
const broken = (): never => {
  throw new TypeError('a bug');
};
const note = () => ({ status: 200, headers: { Age: 1 }, body: { notes: ['a'] } });

describe('a method that follows from the declared ones', () => {
  let server: ContractServer;
  beforeAll(async () => {
    server = await serve(note);
  });
  afterAll(() => server.close());

  test('HEAD is GET without the body, credentials included', async () => {
    const get = await server.request('GET', '/notes/1', { headers: HEADERS });
    const head = await server.request('HEAD', '/notes/1', { headers: HEADERS });
    expect(get).toMatchObject({ status: 200, text: '{"notes":["a"]}' });
    expect(wholeOf(head)).toEqual({ ...wholeJson(200, '{"notes":["a"]}', { age: '1' }), text: '' });
    expect(await server.request('HEAD', '/notes/1')).toMatchObject({ status: 401, text: '' });
    expect(await server.request('HEAD', '/notes/x', { headers: HEADERS })).toMatchObject({ status: 400, text: '' });
  });

  test('OPTIONS is 204 with Allow', async () => {
    const answer = await server.request('OPTIONS', '/writes');
    expect(wholeOf(answer)).toEqual({ status: 204, headers: { ...SECURITY, allow: 'POST, OPTIONS' }, text: '' });
  });

  test('OPTIONS is what the contract declares', async () => {
    expect(await server.request('OPTIONS', '/notes/1')).toMatchObject({ status: 204, headers: { allow: 'GET' } });
    expect(await server.request('OPTIONS', '/notes/x')).toMatchObject({ status: 400 });
  });
});

describe('a handler that breaks the contract gets 500, and onError the operation, status and place:', () => {
  let server: ContractServer;
  afterEach(() => server.close());
  const withHeaders = (headers: object) => () => ({ status: 200, headers, body: { notes: [] } });

  test.each<[string, Handler, object]>([
    ['a wrong body', () => ({ status: 200, body: { notes: [1] } }), { status: 200, schemaPath: '/notes/0' }],
    ['no body where one is declared', () => ({ status: 200 }), { status: 200 }],
    ['an undeclared header', withHeaders({ 'X-Colour': 'red' }), { status: 200 }],
    ['a header of another type', withHeaders({ age: 'many' }), { status: 200, schemaPath: '/Age' }],
    ['a header out of its range', withHeaders({ Age: -1 }), { status: 200, schemaPath: '/Age' }],
    ['a header beyond its enum', withHeaders({ Mood: 'bad' }), { status: 200, schemaPath: '/Mood' }],
    ['a status that ends no request', () => ({ status: 100 }), { status: 100 }],
    ['another value in JSON', () => ({ status: 200, body: { notes: [], toJSON: () => [] } }), { schemaPath: '/' }],
    ['an undeclared media type', () => ({ status: 200, contentType: 'text/plain', body: 'notes' }), { status: 200 }],
    ['a body where none is declared', () => ({ status: 410, body: {} }), { status: 410 }],
    [
      'nothing',
      () => undefined,
      {
        error: expect.objectContaining({
          message: expect.stringContaining('getNote must return an object with a status'),
        }),
      },
    ],
    ['a status that is no integer', () => ({ status: 200.5, body: { notes: [] } }), { status: 500 }],
    ['a status that is a text', () => ({ status: '200', body: { notes: [] } }), { status: 500 }],
    ...['header', 'contenttype', 'statusCode', 'cookies'].map((key): [string, Handler, object] => [
      `the misspelt or excess key ${key}`,
      () => ({ status: 200, body: { notes: [] }, [key]: undefined }),
      { error: expect.objectContaining({ message: expect.stringContaining(`must not return the key '${key}'`) }) },
    ]),
    ['headers that are no plain object', withHeaders(new Headers({ Age: '1' })), { status: 500 }],
    [
      'a refusal with the status of a success',
      () => Promise.reject(new RequestError('odd', 'Odd.', { status: 200 })),
      { status: 500 },
    ],
    ['an exception', broken, { status: 500 }],
    ['a failed promise', () => Promise.reject(new Error('later')), { status: 500 }],
    [
      'an error of its own',
      () => Promise.reject(new RequestError('noDisk', 'Later.', { status: 503 })),
      { status: 503 },
    ],
  ])('%s', async (_name, getNote, line) => {
    server = await serve(getNote, { onError });
    const answer = await server.request('GET', '/notes/1', { headers: HEADERS });
    expect([500, 503]).toContain(answer.status);
    expect(told).toEqual([expect.objectContaining({ ...line, operation: 'getNote' })]);
  });

  test('no answer in time, and its late answer is discarded', async () => {
    let answerLate = (_body: Readable): void => undefined;
    const late = new Promise<unknown>((resolve) => {
      answerLate = (body): void => {
        resolve({ status: 203, body });
      };
    });
    server = await serve(() => late, { onError, timeout: 200 });
    const answer = await server.request('GET', '/notes/1', { headers: HEADERS });
    expect(wholeOf(answer)).toEqual(INTERNAL);
    const body = Readable.from(['too late']);
    answerLate(body);
    if (!body.destroyed) await once(body, 'close');
    expect(told).toEqual([expect.objectContaining({ status: 500, operation: 'getNote' })]);
  });

  test('an undeclared status', async () => {
    server = await serveContract('lifecycle.yaml', () => ({ status: 201 }), verifiers, { onError });
    expect(await server.request('POST', '/writes')).toMatchObject({ status: 500 });
    expect(told).toMatchObject([{ operation: 'write', status: 201, error: { name: 'InvalidResponseError' } }]);
  });
});

const full = (): never => {
  throw new Error('The log is full.');
};

test.each<[string, Handler, Partial<MiddlewareOptions>]>([
  ['throws', broken, {}],
  ['throws after the time was up', () => new Promise(() => undefined), { timeout: 50 }],
])('a failure is answered as such where onError %s', async (_name, getNote, options) => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  const server = await serve(getNote, { onError: full, ...options });
  const { status, text } = await server.request('GET', '/notes/1', { headers: HEADERS });
  await server.close();
  expect([status, JSON.parse(text)]).toEqual([500, expect.objectContaining({ reason: 'internal' })]);
  expect(printed.mock.calls).toEqual([[expect.any(Error), expect.objectContaining({ message: 'The log is full.' })]]);
  printed.mockRestore();
});

test('a failure is answered as such where onError rejects, which is printed and ends no process', async () => {
  const printed = jest.spyOn(console, 'error').mockReturnValue();
  // JavaScript may return a promise.
  const server = await serve(broken, { onError: (async () => Promise.resolve().then(full)) as never });
  expect(await server.request('GET', '/notes/1', { headers: HEADERS })).toMatchObject({ status: 500 });
  await server.close();
  expect(printed.mock.calls.flat().map(messageOf)).toEqual(
    expect.arrayContaining([expect.stringContaining('and no promise'), 'The log is full.']),
  );
  printed.mockRestore();
});

describe('what throws when it is read', () => {
  const cannot = (): never => {
    throw new Error('It cannot be read.');
  };
  const throwing = (handler: ProxyHandler<Error>) => (): never => {
    throw new Proxy(new Error('It is told.'), handler);
  };
  /** An error that cannot be printed. */
  class Unprintable extends Error {
    [inspect.custom](): never {
      return cannot();
    }
  }
  const unprintable = (): never => {
    throw new Unprintable();
  };
  const ask = async (getNote: Handler, options: Partial<MiddlewareOptions>): Promise<unknown> => {
    const printed = jest.spyOn(console, 'error').mockImplementation((...given) => void format(...given));
    const server = await serve(getNote, options);
    const whole = wholeOf(await server.request('GET', '/notes/1', { headers: HEADERS }));
    // The first call of two is the one that fails.
    const lines = printed.mock.calls.slice(-1).map(([line]) => line as unknown);
    printed.mockRestore();
    await server.close();
    return [whole, lines.filter((line) => typeof line === 'string')];
  };

  test('is answered as any failure where it is only told', async () => {
    expect(await ask(throwing({ get: cannot }), { onError })).toEqual([INTERNAL, []]);
    expect(told).toHaveLength(1);
  });

  test('is answered as any failure where it cannot be printed', async () => {
    const line = 'A failure cannot be printed: its own inspection fails.';
    for (const options of [{ onError: undefined }, { onError: unprintable }]) {
      expect(await ask(unprintable, options)).toEqual([INTERNAL, [line]]);
    }
    const hang = (): Promise<never> => new Promise(() => undefined);
    expect(await ask(hang, { onError: unprintable, timeout: 50 })).toEqual([INTERNAL, [line]]);
  });

  test('is 500 without a body where not even its kind can be told', async () => {
    const line = 'A request has failed, and so has the answer to its failure.';
    const whole = { status: 500, headers: { ...SECURITY, 'content-length': '0' }, text: '' };
    expect(await ask(throwing({ getPrototypeOf: cannot }), { onError })).toEqual([whole, [line]]);
    expect(told).toEqual([]);
  });
});

test('a change is answered as such where onChange rejects, of which onError is told', async () => {
  const onChange = async (): Promise<void> => Promise.resolve().then(full);
  // JavaScript may return a promise.
  const options = { onError, onChange: onChange as never };
  const server = await serveContract('lifecycle.yaml', () => ({ status: 204 }), verifiers, options);
  expect(await server.request('POST', '/writes')).toMatchObject({ status: 204 });
  await server.close();
  expect(told).toMatchObject([{ operation: 'write', status: 500, error: { message: 'The log is full.' } }]);
});

test('the signal of a handler ends when its client leaves, and a request after it is answered', async () => {
  const client = new Socket();
  const left = new Promise<unknown>((resolve) => void client.once('handler', resolve));
  const hang = ({ signal }: { signal: AbortSignal }): Promise<never> => {
    // A client that only ends its side still waits for the response.
    client.resetAndDestroy();
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        client.emit('handler', signal.aborted);
        reject(signal.reason as Error);
      });
    });
  };
  const server = await serve(hang as Handler, { onError });
  client.connect(server.port, '127.0.0.1');
  client.write('GET /notes/1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer good\r\n\r\n');
  expect(await left).toBe(true);
  expect(await server.request('POST', '/writes')).toMatchObject({ status: 204 });
  expect(told).toEqual([]);
  await server.close();
});

test('of the requests of a connection, 100 may wait for the response to an earlier one, and one with more is closed', async () => {
  let handled = 0;
  let answer: (() => void) | undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  const server = await serve(async () => {
    handled += 1;
    await held;
    return note();
  });
  const request = 'GET /notes/1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer good\r\n\r\n';
  const send = (count: number): Socket => {
    const socket = dial(server.port).setEncoding('latin1');
    socket.write(request.repeat(count));
    return socket;
  };
  const crowded = send(1_000);
  await closed(crowded);
  expect(handled).toBe(101);
  const full = send(101);
  while (handled < 202) await pause(1);
  answer?.();
  let text = '';
  while (text.split('{"notes":["a"]}').length <= 101) text += String((await once(full, 'data'))[0]);
  expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(101);
  full.destroy();
  await server.close();
}, 10_000);

test.each([
  ['of no path', 'GET /none'],
  ['with another method', 'DELETE /notes/1'],
  ['for the methods of a path', 'OPTIONS /notes/1'],
  ['for the methods of the server', 'OPTIONS *'],
  ['with a malformed URL', 'GET /notes/%zz'],
])(
  'a connection with more than 100 waiting requests %s is closed',
  async (_, target) => {
    let passed = 0;
    let begun: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => (begun = resolve));
    const held = new Promise<never>(() => undefined);
    const hang = (): Promise<never> => {
      begun?.();
      return held;
    };
    const server = await serve(hang, { fallthrough: false, timeout: Infinity, onError: () => void (passed += 1) });
    const socket = dial(server.port);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /notes/1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer good\r\n\r\n');
    await isHeld;
    const request = `${target} HTTP/1.1\r\nHost: h\r\n\r\n`;
    socket.write(request.repeat(99));
    await pause(50);
    expect(socket.destroyed).toBe(false);
    socket.write(request.repeat(10_000));
    await closed;
    expect(passed).toBeLessThanOrEqual(100);
    await server.close();
  },
  10_000,
);

test('the signal of a handler ends when its time is up', async () => {
  let reason: unknown;
  const hang = ({ signal }: { signal: AbortSignal }): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason as unknown;
        reject(new Error('Too late.'));
      });
    });
  const timeout = (operation: string): number => (operation === 'getNote' ? 50 : Infinity);
  const server = await serve(hang as Handler, { onError, timeout });
  expect(await server.request('GET', '/notes/1', { headers: HEADERS })).toMatchObject({ status: 500 });
  expect(reason).toMatchObject({ name: 'TimeoutError' });
  // What the handler throws afterwards neither ends the connection nor is another failure.
  expect(await server.request('POST', '/writes')).toMatchObject({ status: 204 });
  expect(told).toHaveLength(1);
  await server.close();
});

test('a handler that has answered or failed in time is not told of again when its time is over', async () => {
  const handle = (): ResponseValue => {
    if (told.length === 0) throw new Error('No note.');
    return note();
  };
  const server = await serve(handle, { onError, timeout: 50 });
  expect(await server.request('GET', '/notes/1', { headers: HEADERS })).toMatchObject({ status: 500 });
  expect(await server.request('GET', '/notes/1', { headers: HEADERS })).toMatchObject({ status: 200 });
  await pause(200);
  expect(told).toHaveLength(1);
  await server.close();
});

test('a handler that ends after its time was up leaves the time of others as it is', async () => {
  const endings: ((value: ResponseValue) => void)[] = [];
  const hang = (): Promise<ResponseValue> => new Promise((resolve) => void endings.push(resolve));
  const server = await serve(hang, { onError, timeout: 300 });
  const ask = (): Promise<object> => server.request('GET', '/notes/1', { headers: HEADERS });
  const first = ask();
  await pause(150);
  const second = ask();
  while (endings.length < 2) await pause(5);
  expect(await first).toMatchObject({ status: 500 });
  endings[0]?.(note());
  // Its time is up later.
  expect(await ask()).toMatchObject({ status: 500 });
  const unanswered = pause(1_000, { status: 'none yet' });
  expect(await Promise.race([second, unanswered])).toMatchObject({ status: 500 });
  await server.close();
});

describe('a failure has the form that the contract declares', () => {
  const problem: ErrorBody = ({ status, message, reason }, mediaTypes) => {
    if (reason === 'internal' && message.includes('unexpectedly')) throw new Error('A bug in the function itself.');
    return mediaTypes.includes('application/json')
      ? { contentType: 'application/json', body: { status, detail: message } }
      : undefined;
  };
  const refuse = (status: number) => (): never => {
    throw new RequestError('ownReason', 'No.', { status, headers: { 'Retry-After': '7' } });
  };
  let server: ContractServer | undefined;
  afterEach(() => server?.close());

  async function answerOf(
    getNote: Handler,
    errorBody?: ErrorBody,
    path = '/notes/1',
    headers = HEADERS,
  ): Promise<unknown> {
    server = await serve(getNote, { onError, errorBody });
    return wholeOf(await server.request('GET', path, { headers }));
  }

  test.each<[string, ErrorBody | undefined, string]>([
    ['by the function of the author', problem, '{"status":429,"detail":"No."}'],
    [
      'as problem details without a function',
      undefined,
      '{"title":"Too Many Requests","status":429,"detail":"No.","reason":"ownReason"}',
    ],
  ])('%s', async (_what, errorBody, text) => {
    const answer = await answerOf(refuse(429), errorBody);
    expect(answer).toEqual(wholeJson(429, text, { 'retry-after': '7' }));
  });

  test.each<[string, Handler, string, object, number]>([
    ['its range', note, '/notes/x', HEADERS, 400],
    ['its range, before the handler', note, '/notes/1', { Authorization: 'Bearer bad' }, 401],
    ['the default', refuse(503), '/notes/1', HEADERS, 503],
  ])('without a body where %s is declared without content', async (_name, getNote, path, headers, status) => {
    expect(await answerOf(getNote, problem, path, headers as typeof HEADERS)).toMatchObject({ status, text: '' });
  });

  test.each([
    ['an operation that does not declare it', 'POST', '/writes?x=1', 'unknownQueryParameter'],
    ['an unknown path', 'GET', '/nowhere', 'unknownPath'],
    ['an undeclared method', 'PATCH', '/writes', 'methodNotAllowed'],
  ] as const)('problem details for %s', async (_name, method, path, reason) => {
    server = await serve(note, { errorBody: problem });
    const answer = await server.request(method, path);
    const status = STATUSES[reason];
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'application/problem+json' } });
    const title = STATUS_CODES[status];
    const details = { title, status, detail: expect.any(String), reason };
    const errors = [{ detail: expect.any(String), in: 'query', pointer: 'x' }];
    expect(JSON.parse(answer.text)).toEqual(reason === 'unknownQueryParameter' ? { ...details, errors } : details);
  });

  test('no body when the function fails, and onError is told', async () => {
    expect(await answerOf(broken, problem)).toMatchObject({ status: 500, text: '' });
    expect(told).toMatchObject([
      { error: { message: 'a bug' }, operation: 'getNote' },
      { error: { message: 'A bug in the function itself.' }, operation: 'getNote' },
    ]);
  });
});
