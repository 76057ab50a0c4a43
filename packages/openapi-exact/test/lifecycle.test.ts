import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Dependencies } from '../../../src/app.ts';
import type { MakeErrorBody } from '../src/error-response.ts';
import { RequestError, StoreError } from '../../../src/errors.ts';
import { serveContract, type Answer, type ContractServer } from './support/contract-server.ts';
import { RecordedLog } from '../../../test/support/recorded-log.ts';

type Handler = () => unknown;

const HEADERS = { Authorization: 'Bearer good' };
const verifiers = { token: (token: string) => Promise.resolve(token === 'good' ? { name: 'somebody' } : undefined) };

/** Serves lifecycle.yaml; `getNote` answers what the test wants. */
async function serve(getNote: Handler, options: Partial<Dependencies> = {}): Promise<ContractServer> {
  const handlers = {
    getNote,
    putNote: () => ({ status: 204 }),
    describeNote: () => ({ status: 204, headers: { Allow: 'GET' } }),
    write: () => ({ status: 204 }),
  };
  // A test answers what no handler may, too.
  return serveContract('lifecycle.yaml', handlers as Dependencies['handlers'], verifiers, { ...options, docs: false });
}

/** Everything of an answer but its date, its request id and what it says of the connection. */
function wholeOf({ status, headers, text }: Answer): unknown {
  const { date: _, 'x-request-id': __, connection: ___, 'keep-alive': ____, ...others } = headers;
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
  headers: { ...SECURITY, ...headers, 'content-type': JSON_TYPE, 'content-length': String(text.length) },
  text,
});
const failures = ({ lines }: RecordedLog): Record<string, unknown>[] => lines.filter(({ level }) => level === 50);
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

describe('a handler that breaks the contract gets 500 and one log line with operation, status and place:', () => {
  let recorded: RecordedLog;
  let server: ContractServer;
  beforeEach(() => {
    recorded = new RecordedLog();
  });
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
    ['an exception', broken, { status: 500 }],
    ['a failed promise', () => Promise.reject(new Error('later')), { status: 500 }],
    ['a store that fails', () => Promise.reject(new StoreError('no disk', 'nothing done')), { status: 503 }],
  ])('%s', async (_name, getNote, line) => {
    server = await serve(getNote, { log: recorded.log });
    const answer = await server.request('GET', '/notes/1', { headers: HEADERS });
    expect([500, 503]).toContain(answer.status);
    const [request] = await recorded.linesOf('request');
    const { requestId } = request ?? {};
    expect(failures(recorded)).toEqual([expect.objectContaining({ ...line, requestId, operation: 'getNote' })]);
  });

  test('no answer in time, and its late answer is discarded', async () => {
    let answerLate = (_body: Readable): void => undefined;
    const late = new Promise<unknown>((resolve) => {
      answerLate = (body): void => {
        resolve({ status: 203, body });
      };
    });
    server = await serve(() => late, { log: recorded.log });
    server.server.timeout = 200;
    const answer = await server.request('GET', '/notes/1', { headers: HEADERS });
    const text = '{"error":50000,"message":"The service failed unexpectedly. The failure has been logged."}';
    expect(wholeOf(answer)).toEqual(wholeJson(500, text));
    const body = Readable.from(['too late']);
    answerLate(body);
    if (!body.destroyed) await once(body, 'close');
    await recorded.linesOf('request');
    expect(failures(recorded)).toEqual([expect.objectContaining({ status: 500, operation: 'getNote' })]);
  });

  test('an undeclared status', async () => {
    server = await serveContract('lifecycle.yaml', () => ({ status: 201 }), verifiers, { log: recorded.log });
    expect(await server.request('POST', '/writes')).toMatchObject({ status: 500 });
    expect(failures(recorded)).toMatchObject([{ operation: 'write', status: 201, err: { type: 'ResponseError' } }]);
  });
});

test('a request whose client leaves during its handler has one log line, with operation and without status', async () => {
  const recorded = new RecordedLog();
  const client = new Socket();
  let finish = (_value: unknown): void => undefined;
  const hang = (): Promise<unknown> => {
    // A client that only ends its side still waits for the response.
    client.resetAndDestroy();
    return new Promise((resolve) => (finish = resolve));
  };
  const server = await serve(hang, { log: recorded.log });
  client.connect(server.port, '127.0.0.1');
  client.write('GET /notes/1 HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer good\r\n\r\n');
  await recorded.linesOf('request');
  finish(note());
  // It is answered after the late answer of the one before it was dropped.
  expect(await server.request('POST', '/writes')).toMatchObject({ status: 204 });
  await recorded.linesOf('request', 2);
  expect(recorded.lines).toEqual([
    expect.objectContaining({ msg: 'request', operation: 'getNote', status: null, aborted: true }),
    expect.objectContaining({ msg: 'request', operation: 'write', status: 204 }),
  ]);
  await server.close();
});

describe('a failure has the form that the contract declares', () => {
  const problem: MakeErrorBody = ({ status, message, reason }, { mediaTypes }) => {
    if (reason === 'internal') throw new Error('A bug in the function itself.');
    return mediaTypes.includes('application/json')
      ? { contentType: 'application/json', body: { status, detail: message } }
      : undefined;
  };
  const refuse = (reason: 'unknownPath' | 'tooManyRequests' | 'storeUnavailable') => (): never => {
    throw new RequestError(reason, 'No.', { headers: { 'Retry-After': '7' } });
  };
  let recorded: RecordedLog;
  let server: ContractServer | undefined;
  afterEach(() => server?.close());

  async function answerOf(
    getNote: Handler,
    errorBody?: MakeErrorBody,
    path = '/notes/1',
    headers = HEADERS,
  ): Promise<unknown> {
    recorded = new RecordedLog();
    server = await serve(getNote, { log: recorded.log, ...(errorBody && { errorBody }) });
    return wholeOf(await server.request('GET', path, { headers }));
  }

  test.each<[string, MakeErrorBody | undefined, string]>([
    ['by the function of the author', problem, '{"status":429,"detail":"No."}'],
    ["the plant store's Error without a function", undefined, '{"error":42901,"message":"No."}'],
  ])('%s', async (_what, errorBody, text) => {
    const answer = await answerOf(refuse('tooManyRequests'), errorBody);
    expect(answer).toEqual(wholeJson(429, text, { 'retry-after': '7' }));
  });

  test.each<[string, Handler, string, object, number]>([
    ['its range', note, '/notes/x', HEADERS, 400],
    ['its range, before the handler', note, '/notes/1', { Authorization: 'Bearer bad' }, 401],
    ['the default', refuse('storeUnavailable'), '/notes/1', HEADERS, 503],
  ])('without a body where %s is declared without content', async (_name, getNote, path, headers, status) => {
    expect(await answerOf(getNote, problem, path, headers as typeof HEADERS)).toMatchObject({ status, text: '' });
  });

  test.each([
    ['an operation that does not declare it', 'POST', '/writes?x=1', 400, 40002],
    ['an unknown path', 'GET', '/nowhere', 404, 40400],
    ['an undeclared method', 'PATCH', '/writes', 405, 40500],
  ])("the plant store's Error for %s", async (_name, method, path, status, error) => {
    server = await serve(note, { errorBody: problem });
    const answer = await server.request(method, path);
    expect(answer).toMatchObject({ status, headers: { 'content-type': JSON_TYPE } });
    expect(JSON.parse(answer.text)).toEqual({ error, message: expect.any(String) });
  });

  test("the plant store's Error when the function fails, which the log tells", async () => {
    expect(await answerOf(broken, problem)).toMatchObject({
      status: 500,
      text: '{"error":50000,"message":"The service failed unexpectedly. The failure has been logged."}',
    });
    expect(failures(recorded)).toMatchObject([
      { err: { message: 'a bug' }, operation: 'getNote' },
      { err: { message: 'A bug in the function itself.' }, operation: 'getNote' },
    ]);
  });
});
