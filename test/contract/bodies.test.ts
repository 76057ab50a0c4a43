import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_DEPTH } from '../../src/contract/numbers/parse-json.ts';
import { BODY_LIMITS } from '../../src/contract/bodies/limits.ts';
import { serveContract, type Answer } from '../support/contract-server.ts';
import type { ResponseValue } from '../../src/contract/respond.ts';

const BIG = 9007199254740993n;
/** What the handlers were given last, and what they answer. */
let seen: unknown;
let answer: ResponseValue;
const server = await serveContract('bodies.yaml', (request: never) => {
  seen = (request as { body: unknown }).body;
  return answer;
});
afterAll(() => server.close());
beforeEach(() => {
  seen = undefined;
  answer = { status: 200, body: {} };
});

const TYPE = { 'Content-Type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = TYPE): Promise<Answer> =>
  server.request('POST', path, { headers, body });
const refused = (status: number, error: number, message = ''): object => ({
  status,
  text: expect.stringContaining(`{"error":${error},"message":"${message}`),
});

// test/contract/schemas.test.ts has what each keyword of a schema refuses.
const AT_NESTED_ID = "The request body's /siblings/0/id must be";
describe('a JSON request body', () => {
  beforeEach(() => {
    answer = { status: 201, headers: { Location: '/plants/1' }, body: { id: 1n, name: 'rose' } };
  });

  test('arrives with exact int64s, nested and in arrays, and other numbers as numbers', async () => {
    const text = `{"id":${BIG},"name":"rose","height":1.5,"parent":null,"siblings":[{"id":9223372036854775807},{"id":-1}]}`;
    expect(await post('/plants', text)).toMatchObject({ status: 201 });
    expect(seen).toEqual({
      id: BIG,
      name: 'rose',
      height: 1.5,
      parent: null,
      siblings: [{ id: 9223372036854775807n }, { id: -1n }],
    });
  });

  test('is asked for with 100 when the client waits for that, but not when it is refused anyway', async () => {
    const headers = { ...TYPE, Expect: '100-continue', 'Content-Length': '9' };
    expect(await post('/plants', '{"id":1 }', headers)).toMatchObject({ status: 400, continued: true });
    const text = { ...headers, 'Content-Type': 'text/plain' };
    expect(await post('/plants', '{"id":1 }', text)).toMatchObject({ status: 415, continued: false });
    const large = { ...headers, 'Content-Length': String(BODY_LIMITS.buffered + 1) };
    expect(await post('/plants', '', large)).toMatchObject({ status: 413, continued: false });
    expect(seen).toBeUndefined();
  });

  test.each([
    ['missing', '', 40007, 'This operation needs a request body'],
    ['no JSON', '{"id":1', 40006, ''],
    ['with a key twice', '{"id":1,"id":2,"name":"rose"}', 40006, ''],
    ['with a key and its value twice', '{"id":1,"name":"a","siblings":[{"id":2,"i\\u0064" :2}]}', 40006, ''],
    ['without a required property', '{"id":1}', 40007, "The request body's /name must have required property"],
    ['with a nested id that is a text', '{"id":1,"name":"a","siblings":[{"id":"2"}]}', 40007, AT_NESTED_ID],
  ])('%s is refused', async (_name, body, error, message) => {
    expect(await post('/plants', body)).toMatchObject(refused(400, error, message));
    expect(seen).toBeUndefined();
  });

  test('that is too large, too deep or encoded is refused', async () => {
    const large = `{"id":1,"name":"${'x'.repeat(BODY_LIMITS.buffered)}"}`;
    expect(await post('/plants', large)).toMatchObject(refused(413, 41300));
    // A body of unknown length.
    expect(await post('/plants', large, { ...TYPE, 'Transfer-Encoding': 'chunked' })).toMatchObject(
      refused(413, 41300),
    );
    expect(seen).toBeUndefined();
    const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(await post('/plants', deep(MAX_DEPTH + 1))).toMatchObject(
      refused(400, 40007, 'The JSON of the request body'),
    );
    expect(await post('/plants', deep(400_000))).toMatchObject(refused(400, 40007, 'The JSON of the request body'));
    const gzip = { ...TYPE, 'Content-Encoding': 'gzip' };
    expect(await post('/plants', 'x', gzip)).toMatchObject(refused(415, 41500));
  });

  test('with an unterminated string is refused in linear time', async () => {
    expect(await post('/anything', `"${'\\"'.repeat(400_000)}`)).toMatchObject(refused(400, 40006));
  });

  test('cannot give itself a prototype', async () => {
    answer = { status: 200, body: null };
    expect(await post('/anything', '{"value":1,"__proto__":{"admin":true}}')).toMatchObject({ status: 400 });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('may be left out where it is optional', async () => {
    answer = { status: 204 };
    expect(await server.request('PUT', '/shapes')).toMatchObject({ status: 204, text: '' });
    expect(seen).toBeUndefined();
  });
});

describe('a response', () => {
  test('carries exact int64s on the wire, nested and in arrays, and its headers', async () => {
    const siblings = [{ id: 9223372036854775807n }];
    answer = {
      status: 201,
      headers: { Location: '/plants/1', 'X-Count': BIG },
      body: { id: BIG, name: 'rose', siblings },
    };
    const made = await post('/plants', '{"id":1,"name":"rose"}');
    expect(made.text).toBe('{"id":9007199254740993,"name":"rose","siblings":[{"id":9223372036854775807}]}');
    expect(made.headers).toMatchObject({
      location: '/plants/1',
      'x-count': '9007199254740993',
      'content-type': 'application/json; charset=utf-8',
    });
    answer = { status: 200, body: [{ id: BIG + 2n, name: 'rose' }] };
    expect(await server.request('GET', '/plants')).toMatchObject({ text: '[{"id":9007199254740995,"name":"rose"}]' });
  });

  test.each([409, 418, 302])('of a declared status, range or default is sent: %i', async (status) => {
    answer = { status, body: { error: 1 } };
    expect(await post('/plants', '{"id":1,"name":"rose"}')).toMatchObject({ status, text: '{"error":1}' });
  });

  // test/contract/lifecycle.test.ts has the other bugs of handlers.
  test('of an error status is validated too', async () => {
    answer = { status: 503, body: { error: 1 } };
    expect(await post('/plants', '{"id":1,"name":"rose"}')).toMatchObject({ status: 503, text: '{"error":1}' });
    answer = { status: 503, body: { error: 'one' } };
    expect(await post('/plants', '{"id":1,"name":"rose"}')).toMatchObject(refused(500, 50000));
  });

  test('without content has no body', async () => {
    answer = { status: 204, body: { id: 1n } };
    expect(await server.request('DELETE', '/plants')).toMatchObject(refused(500, 50000));
    answer = { status: 204 };
    const gone = await server.request('DELETE', '/plants');
    expect(gone).toMatchObject({ status: 204, text: '' });
    expect(gone.headers['content-type']).toBeUndefined();
  });
});
