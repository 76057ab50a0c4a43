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

test.each([409, 418, 302])('a response of a declared status, range or default is sent: %i', async (status) => {
  answer = { status, body: { error: 1 } };
  expect(await post('/plants', '{"id":1,"name":"rose"}')).toMatchObject({ status, text: '{"error":1}' });
});

test('a response has exact int64s in its body and headers', async () => {
  answer = { status: 201, headers: { Location: '/plants/1', 'X-Count': BIG }, body: { id: BIG, name: 'rose' } };
  const { text, headers } = await post('/plants', '{"id":1,"name":"rose"}');
  expect([text, headers['x-count']]).toEqual([`{"id":${BIG},"name":"rose"}`, String(BIG)]);
});
