import { serveDocument } from './support/inline-contract.ts';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { buffer } from 'node:stream/consumers';
import type { Reason } from '../src/errors/errors.ts';
import { BODY_LIMITS } from '../src/bodies/limits.ts';
import { MAX_DEPTH } from '../src/json/scan-json.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { refused, serveContract, type Answer } from './support/contract-server.ts';

const BIG = 9007199254740993n;
const JSON_TYPE = 'application/json; charset=utf-8';

interface Seen {
  readonly body: unknown;
  readonly contentType: unknown;
  readonly accepts?: unknown;
}

let seen: Seen | undefined;
let answer: ResponseValue;
const handler = async (request: never): Promise<ResponseValue> => {
  const { body, contentType, accepts } = request as Seen;
  seen = {
    contentType,
    body: body instanceof Readable ? await buffer(body) : body,
    ...(accepts === undefined ? {} : { accepts }),
  };
  return answer;
};
const server = await serveContract('media-types.yaml', handler);
afterAll(() => server.close());
beforeEach(() => {
  seen = undefined;
  answer = { status: 200, body: {} };
});

function send(method: string, path: string, type?: string, body?: string | Buffer, more = {}): Promise<Answer> {
  const headers = { ...(type === undefined ? {} : { 'Content-Type': type }), ...more };
  return server.request(method, path, { headers, body });
}

/** A response of a declared media type. */
const ofType = (type: string, text: string, status = 200): object => ({
  status,
  text,
  headers: expect.objectContaining({ 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }),
});
const LARGE = `{"id":1,"name":"${'x'.repeat(BODY_LIMITS.buffered)}"}`;
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
describe('a request body', () => {
  test.each<[type: string, body: string, contentType: string, value: unknown]>([
    ['application/json', `{"id":${BIG}}`, 'application/json', { id: BIG }],
    ['Application/JSON;version=2', '{"id":1}', 'application/json', { id: 1n }],
    ['application/vnd.things.v2+json', `[${BIG}]`, 'application/vnd.things.v2+json', [BIG]],
    ['application/json', '\uFEFF{"id":1}', 'application/json', { id: 1n }],
    ['text/plain', 'ü', 'text/plain', 'ü'],
    ['text/plain', '\uFEFFü', 'text/plain', '\uFEFFü'],
    ['text/plain; charset="UTF-8"', 'true', 'text/plain', 'true'],
    ['text/csv', 'a,b,c,d', 'text/csv', 'a,b,c,d'],
    [
      'application/x-www-form-urlencoded',
      `id=${BIG}&tags=a`,
      'application/x-www-form-urlencoded',
      { id: BIG, tags: ['a'] },
    ],
    ['image/png', 'PNG', 'image/png', Buffer.from('PNG')],
  ])('of the type %s is %s, which the handler gets as %s', async (type, body, contentType, value) => {
    expect(await send('POST', '/echo', type, body)).toMatchObject({ status: 200 });
    expect(seen).toEqual({ contentType, body: value });
  });

  const ACCEPT =
    'application/json, application/vnd.things.v2+json, text/plain, text/*, application/x-www-form-urlencoded, image/*';
  test.each<[what: string, method: string, type: string | undefined, headers: object]>([
    ['XML beside JSON', 'POST', 'application/xml', { accept: ACCEPT }],
    ['bytes', 'POST', 'application/octet-stream', { accept: ACCEPT }],
    ['text in Latin-1', 'POST', 'text/plain; charset=latin1', { accept: ACCEPT }],
    ['JSON in UTF-16', 'POST', 'application/json;charset=utf-16le', { accept: ACCEPT }],
    ['no type', 'POST', '', { accept: ACCEPT }],
    // Browsers would read it as HTML.
    ['two types', 'POST', 'image/png, text/html', { accept: ACCEPT }],
    ['two types behind a parameter', 'POST', 'image/png; a, text/html', { accept: ACCEPT }],
    ['half a type', 'POST', 'image/', { accept: ACCEPT }],
    ['a range', 'POST', 'image/*', { accept: ACCEPT }],
    [
      'another patch',
      'PATCH',
      'application/json',
      { 'accept-patch': 'application/merge-patch+json, application/json-patch+json' },
    ],
  ])('of %s is refused with the types that are taken', async (_what, method, type, headers) => {
    expect(await send(method, '/echo', type, '{"id":1}')).toMatchObject({
      ...refused('unsupportedMediaType'),
      headers: expect.objectContaining({ connection: 'close', ...headers }),
    });
    expect(seen).toBeUndefined();
  });

  test.each<[what: string, type: string, body: string | Buffer, reason: Reason]>([
    ['a text that is too long for its schema', 'text/plain', 'abcdef', 'invalidBody'],
    ['text that is no UTF-8', 'text/csv', Buffer.of(0xff), 'malformedBody'],
    ['JSON that is no UTF-8', 'application/json', Buffer.from('{"id":1,"tags":["\xff"]}', 'latin1'), 'malformedBody'],
    ['a form that is no UTF-8', 'application/x-www-form-urlencoded', 'id=%ff', 'malformedBody'],
    ['JSON for another type', 'application/vnd.things.v2+json', '{"id":1}', 'invalidBody'],
    ['a form without a required property', 'application/x-www-form-urlencoded', 'tags=a', 'invalidBody'],
    ['more bytes than maxLength', 'image/png', '123456789', 'bodyTooLarge'],
    ['half of a value', 'application/json', '{"id":1', 'malformedBody'],
    ['a key twice', 'application/json', '{"id":1,"id":1}', 'malformedBody'],
    ['a nested key twice', 'application/json', '{"id":1,"tags":[{"id":2,"i\\u0064" :2}]}', 'malformedBody'],
    ['JSON that is too deep', 'application/json', nested(MAX_DEPTH + 1), 'invalidBody'],
    ['JSON that is far too deep', 'application/json', nested(100_000), 'invalidBody'],
    ['a text without end, in linear time', 'application/json', `"${'\\"'.repeat(100_000)}`, 'malformedBody'],
    ['JSON that is too large', 'application/json', LARGE, 'bodyTooLarge'],
    ['JSON with too many values', 'application/json', `[${'0,'.repeat(BODY_LIMITS.values)}0]`, 'bodyTooLarge'],
    ['JSON with a number that is too long', 'application/json', `{"id":${'1'.repeat(1_001)}}`, 'invalidBody'],
    ['JSON with a property __proto__', 'application/json', '{"id":1,"a":{"\\u005f_proto__":1}}', 'invalidBody'],
    ['a form with a property __proto__', 'application/x-www-form-urlencoded', 'id=1&__proto__=1', 'invalidBody'],
  ])('that is %s is refused', async (_what, type, body, reason) => {
    expect(await send('POST', '/echo', type, body)).toMatchObject(refused(reason));
    expect(seen).toBeUndefined();
  });

  test.each<[range: string, schema: object, type: string, status: number]>([
    ['text/*', { type: 'string', pattern: '^a+$' }, 'text/xml', 400],
    ['text/*', { type: 'string', pattern: '^b+$' }, 'text/xml', 200],
    ['*/*', { type: 'string', pattern: '^a+$' }, 'application/octet-stream', 415],
    ['*/*', { type: 'string', enum: ['a'] }, 'application/xml', 415],
    ['*/*', { type: 'string', pattern: '^a+$' }, 'text/plain', 400],
    ['*/*', { type: 'string', maxLength: 1 }, 'application/octet-stream', 413],
    ['*/*', { type: 'string', format: 'binary' }, 'application/octet-stream', 200],
    ['application/*', { type: ['string', 'object'], maxLength: 3 }, 'application/xml', 200],
    ['*/*', {}, 'image', 415],
    ['*/*', {}, '*/*', 415],
    ['*/*', {}, 'a.b+c/d', 200],
  ])('of a type in %s does not get past the schema %j as %s: %i', async (range, schema, type, status) => {
    const operation = {
      requestBody: { content: { [range]: { schema } } },
      responses: { 200: { description: 'Kept.', content: { 'application/json': {} } } },
    };
    const server = await serveDocument({ paths: { '/': { post: operation } } }, handler);
    answer = { status: 200, body: {} };
    const sent = await server.request('POST', '/', { headers: { 'Content-Type': type }, body: 'bb' });
    expect(sent).toMatchObject({ status });
    const isText = range === 'text/*';
    expect(seen).toEqual(status === 200 ? { contentType: type, body: isText ? 'bb' : Buffer.from('bb') } : undefined);
    await server.close();
  });

  test('has a type of at most 100 parameters', async () => {
    const type = (count: number): string =>
      ['text/plain', ...Array.from({ length: count }, (_, index) => `p${index}=";,"`)].join('; ');
    answer = { status: 200, body: { id: 1n, name: 'n' } };
    expect(await send('POST', '/echo', type(100), 'a')).toMatchObject({ status: 200 });
    expect(seen).toEqual({ contentType: 'text/plain', body: 'a' });
    expect(await send('POST', '/echo', type(101), 'a')).toMatchObject(refused('unsupportedMediaType'));
  });

  test('of unknown length that is too large, or encoded, is refused', async () => {
    const sendJson = (body: string, more: object): Promise<Answer> =>
      send('POST', '/echo', 'application/json', body, more);
    expect(await sendJson(LARGE, { 'Transfer-Encoding': 'chunked' })).toMatchObject(refused('bodyTooLarge'));
    const encoded = await sendJson('x', { 'Content-Encoding': 'gzip' });
    expect(encoded).toMatchObject({ ...refused('unsupportedMediaType'), headers: { 'accept-encoding': 'identity' } });
    expect(encoded.headers).not.toHaveProperty('accept');
    const inLatin1 = await sendJson('x', { 'Content-Type': 'application/json; charset=latin1' });
    expect(inLatin1).toMatchObject({ ...refused('unsupportedMediaType'), headers: { accept: expect.any(String) } });
    expect(inLatin1.headers).not.toHaveProperty('accept-encoding');
    expect(await sendJson('x', { 'Transfer-Encoding': 'gzip, chunked' })).toMatchObject(refused('malformedHttp'));
    expect(seen).toBeUndefined();
  });

  test('is asked for with 100 when the client waits for that, but not when it is refused anyway', async () => {
    const post = (type: string, length: number): Promise<Answer> =>
      send('POST', '/echo', type, '{"i":1  }', { Expect: '100-continue', 'Content-Length': String(length) });
    expect(await post('application/json', 9)).toMatchObject({ status: 400, continued: true });
    expect(await post('video/mp4', 9)).toMatchObject({ status: 415, continued: false });
    expect(await post('application/json', BODY_LIMITS.buffered + 1)).toMatchObject({ status: 413, continued: false });
  });

  const V1 = 'application/vnd.x+json; version=1';
  const V2 = 'application/vnd.x+json;charset=utf-8;  Version="2";kind=a';
  test.each<[type: string, body: string, contentType: string | undefined]>([
    ['application/vnd.x+json; version=1', '1', V1],
    ['application/vnd.x+json; version=1; charset=UTF-8; other="a;b"', '1', V1],
    ['application/vnd.x+json; charset=utf-8; kind="A"; version=2', '"two"', V2],
    ['application/vnd.x+json; version=2', '"two"', V2],
    ['application/vnd.x+json; other="\\";version=1"; version="\\2"', '"two"', V2],
    ['application/vnd.x+json', '1', V1],
    ['application/vnd.x+json; version=3', '1', undefined],
    ['application/vnd.x+json; version=2; kind=b', '"two"', undefined],
  ])('of the type %s is that of the declared parameters', async (type, body, contentType) => {
    expect(await send('POST', '/versioned', type, body)).toMatchObject({
      status: contentType === undefined ? 415 : 200,
    });
    expect(seen?.contentType).toBe(contentType);
  });

  test('of fewer bytes than minLength is refused, with a length or without', async () => {
    for (const framing of [{ 'Content-Length': '1' }, { 'Transfer-Encoding': 'chunked' }]) {
      expect(await send('POST', '/sound', 'audio/ogg', '1', framing)).toMatchObject(refused('invalidBody'));
      expect(seen).toBeUndefined();
    }
    answer = { status: 200, body: Buffer.from('12') };
    expect(await send('POST', '/sound', 'audio/ogg', '12')).toMatchObject({ status: 200, text: '12' });
    expect(seen).toMatchObject({ body: Buffer.from('12') });
  });

  test('may be one JSON text of 8 MiB where the author allows it', async () => {
    const limited = await serveContract('media-types.yaml', handler, {}, { bodyLimits: { json: 9 * 1024 * 1024 } });
    const body = JSON.stringify({ id: 1, text: '\\"'.repeat(2 * 1024 * 1024) });
    const sent = await limited.request('POST', '/echo', { headers: { 'Content-Type': 'application/json' }, body });
    expect(sent).toMatchObject({ status: 200 });
    expect(seen?.body).toEqual({ id: 1n, text: '\\"'.repeat(2 * 1024 * 1024) });
    await limited.close();
  });

  test('has the limits that the author of the service sets', async () => {
    const limited = await serveContract('media-types.yaml', handler, {}, { bodyLimits: { json: 9 } });
    const statusOf = async (path: string, type: string, body: string): Promise<number> =>
      (await limited.request('POST', path, { headers: { 'Content-Type': type }, body })).status;
    try {
      expect(await statusOf('/echo', 'application/json', '{"id":1 }')).toBe(200);
      expect(await statusOf('/echo', 'application/json', '{"id": 1 }')).toBe(413);
    } finally {
      await limited.close();
    }
  });

  test.each([
    ['/xml', 'application/xml'],
    ['/platform', 'application/vnd.platform+xml'],
  ])('of XML alone is handed over as its text, to %s', async (path, type) => {
    answer = { status: 200, body: '<b/>' };
    expect(await send('POST', path, type, '<a>1</a>')).toMatchObject(ofType(type, '<b/>'));
    expect(seen).toEqual({ contentType: type, body: '<a>1</a>' });
  });

  test('of any type is read by the type that was sent, and refused where its schema wants no text or bytes', async () => {
    answer = { status: 200, body: { id: BIG } };
    const any = await send('POST', '/any', 'application/x+json', '{"id":1}');
    expect(any).toMatchObject(ofType(JSON_TYPE, `{"id":${BIG}}`));
    expect(seen).toEqual({ contentType: 'application/x+json', body: { id: 1 } });
    expect(await send('POST', '/any', 'application/json', '{}')).toMatchObject(refused('invalidBody'));
    expect(await send('POST', '/any', 'text/plain', 'id')).toMatchObject(refused('unsupportedMediaType'));
    expect(await send('POST', '/any-list', 'application/json', '[1]')).toMatchObject({ status: 200 });
    expect(await send('POST', '/any-list', 'application/json', '{}')).toMatchObject(refused('invalidBody'));
    expect(await send('POST', '/any', 'image/png', 'id')).toMatchObject(refused('unsupportedMediaType'));
    const part = (name: string): string =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n1\r\n--b--\r\n`;
    expect(await send('POST', '/any', 'multipart/form-data; boundary=b', part('id'))).toMatchObject({ status: 200 });
    expect(await send('POST', '/any', 'multipart/form-data; boundary=b', part('name'))).toMatchObject(
      refused('invalidBody'),
    );
  });
});

describe('a request body of length 0', () => {
  test.each<[path: string, type: string, body: unknown]>([
    ['/echo', 'text/plain', ''],
    ['/echo', 'text/csv', ''],
    ['/echo', 'image/png', Buffer.from('')],
  ])('to %s of the type %s is an empty text or file', async (path, contentType, body) => {
    for (const framing of [{ 'Content-Length': '0' }, { 'Content-Length': '00' }, { 'Transfer-Encoding': 'chunked' }]) {
      seen = undefined;
      expect(await send('POST', path, contentType, undefined, framing)).toMatchObject({ status: 200 });
      expect(seen).toEqual({ contentType, body });
    }
  });

  test.each([
    [
      'a form, whose schema is checked',
      'application/x-www-form-urlencoded',
      'invalidBody',
      "The request body's /id must be given",
    ],
    ['JSON, which is missing', 'application/json', 'invalidBody', 'This operation needs a request body'],
    ['another type, which is missing', 'application/pdf', 'invalidBody', 'This operation needs a request body'],
  ])('is refused for %s', async (_what, type, reason, message) => {
    for (const length of ['0', '00']) {
      const { status, text } = await send('POST', '/echo', type, undefined, { 'Content-Length': length });
      expect([status, text]).toEqual([400, expect.stringContaining(`{"reason":"${reason}","message":"${message}`)]);
    }
    expect(seen).toBeUndefined();
  });

  test('is none for an optional body of another type, or without one in chunks', async () => {
    answer = { status: 200, body: '<b/>' };
    const empty = { 'Content-Type': 'text/plain', 'Content-Length': '0' };
    for (const headers of [empty, { 'Transfer-Encoding': 'chunked' }]) {
      seen = undefined;
      expect(await server.request('POST', '/xml', { headers })).toMatchObject({ status: 200 });
      expect(seen).toEqual({ contentType: undefined, body: undefined });
    }
    const headers = { 'Transfer-Encoding': 'chunked' };
    expect(await server.request('POST', '/xml', { headers, body: '<a/>' })).toMatchObject({ status: 415 });
    expect(await server.request('POST', '/echo', { headers })).toMatchObject({ status: 400 });
  });
});

describe('a form', () => {
  test('may repeat a name up to the limit of values', async () => {
    const sendForm = (count: number): Promise<Answer> =>
      send('POST', '/echo', 'application/x-www-form-urlencoded', `id=1${'&a='.repeat(count)}`);
    expect(await sendForm(9_990)).toMatchObject({ status: 200 });
    expect(seen?.body).toMatchObject({ a: { length: 9_990 } });
    expect(await sendForm(BODY_LIMITS.values)).toMatchObject(refused('bodyTooLarge'));
  });

  test.each<[form: string, value: unknown, path?: string]>([
    ['id=1&id2=a&other=a&other=b', { id: 1n, id2: 'a', other: ['a', 'b'] }, '/echo'],
    [`id=${BIG}&name=a+b%2B&price=1.5&open=true`, { id: BIG, name: 'a b+', price: 1.5, open: true }],
    ['id=1&name=', { id: 1n, name: '' }],
    ['id=1&tags=a&tags=b,c', { id: 1n, tags: ['a', 'b,c'] }],
    [`id=1&ids[]=${BIG}&ids[]=2`, { id: 1n, ids: [BIG, 2n] }],
    ['id=1&ids[0]=3&ids[1]=2', { id: 1n, ids: [3n, 2n] }],
    ['id=1&kinds%5B%5D=a', { id: 1n, 'kinds[]': ['a'] }],
    [`id=1&address[city]=Rome&address[zip]=${BIG}`, { id: 1n, address: { city: 'Rome', zip: BIG } }],
    ['id=1&address=%7B%22zip%22%3A7%7D', { id: 1n, address: { zip: 7n } }],
    ['id=1&piped=1|2%7C3', { id: 1n, piped: [1, 2, 3] }],
    ['id=1&pair=a,b%2C,c,d', { id: 1n, pair: { a: 'b,', c: 'd' } }],
    ['id=1&x=2&y=3', { id: 1n, spread: { x: 2, y: 3 } }],
    ['id=1&deep[a][b]=true&deep[a][c]=false', { id: 1n, deep: { a: { b: true, c: false } } }],
    ['id=1&json=[{},{"a":1}]', { id: 1n, json: [{}, { a: 1 }] }],
  ])('%s is read as its schema and encoding say', async (form, value, path = '/form') => {
    expect(await send('POST', path, 'application/x-www-form-urlencoded', form)).toMatchObject({ status: 200 });
    expect(seen?.body).toEqual(value);
  });

  test.each([
    ...['', 'id=1.5', 'id=01', 'id=1&id=2', 'id=1&other=2', 'id=1&open=yes', 'id=1&address=x', 'id=1&ids[1]=2'],
    ...['id=1&__proto__[a]=1', 'id=1&address[__proto__]=1'],
  ])('%s is refused as an invalid body', async (form) => {
    expect(await send('POST', '/form', 'application/x-www-form-urlencoded', form)).toMatchObject(
      refused('invalidBody'),
    );
    expect(seen).toBeUndefined();
  });
});

describe('a response', () => {
  const get = (accept?: string): Promise<Answer> =>
    send('GET', '/answers', undefined, undefined, accept === undefined ? {} : { Accept: accept });

  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from('%PD'));
    yield Buffer.from('F');
  }

  const PROBLEM = 'application/problem+json';
  const TYPES = ['application/json', PROBLEM, 'text/csv', 'text/event-stream', 'application/pdf'];
  test.each<[what: string, type: string | undefined, body: unknown, text: string, type: string]>([
    ['a value', 'application/json', { id: BIG, name: 'ä€😀' }, `{"id":${BIG},"name":"ä€😀"}`, JSON_TYPE],
    ['a value of another JSON type', PROBLEM, [BIG], `[${BIG}]`, PROBLEM],
    ['a text', 'text/csv', 'a,ü', 'a,ü', 'text/csv; charset=utf-8'],
    ['a text in ASCII', 'text/csv; charset=us-ascii', 'a,b', 'a,b', 'text/csv; charset=us-ascii'],
    ['bytes in any charset', 'text/csv; charset=x', Buffer.from('a,b'), 'a,b', 'text/csv; charset=x'],
    ['a Buffer', 'application/pdf', Buffer.from('%PDF'), '%PDF', 'application/pdf'],
    ['a Uint8Array of a type in a range', 'image/png', Uint8Array.of(65), 'A', 'image/png'],
    ['the only type of its status', undefined, { id: 1n }, '{"id":1}', PROBLEM],
    ['a Node stream', 'application/pdf', Readable.from(chunks(), { objectMode: false }), '%PDF', 'application/pdf'],
    ['a web stream', 'application/pdf', ReadableStream.from(chunks()), '%PDF', 'application/pdf'],
    ['an async iterable', 'application/pdf', chunks(), '%PDF', 'application/pdf'],
  ])('can be %s', async (_what, contentType, body, text, type) => {
    const status = contentType === undefined ? 418 : 200;
    answer = { status, body, ...(contentType !== undefined && { contentType }) };
    expect(await get()).toMatchObject({ status, text, headers: { 'content-type': type } });
  });

  test.each<[accept: string | undefined, accepts: string[], type: string]>([
    [undefined, [...TYPES, 'image/*'], JSON_TYPE],
    [`text/csv;q=0.5, ${PROBLEM}`, [PROBLEM, 'text/csv'], PROBLEM],
    ['application/*;q=0.1, application/json;q=0', [PROBLEM, 'application/pdf'], PROBLEM],
    [JSON_TYPE, ['application/json'], JSON_TYPE],
  ])('to Accept %s offers the handler %j and is %s by default', async (accept, accepts, type) => {
    answer = { status: 200, body: {} };
    expect(await get(accept)).toMatchObject({
      ...ofType(type, '{}'),
      headers: { vary: 'Accept', 'content-type': type },
    });
    expect(seen).toEqual({ accepts });
  });

  test.each(['application/xml', 'video/mp4', '*/*;q=0', 'nonsense'])(
    'that Accept %s excludes is refused with 406',
    async (accept) => {
      expect(await get(accept)).toMatchObject(refused('notAcceptable'));
      expect(seen).toBeUndefined();
    },
  );

  test('of XML is refused with 406 also where only JSON is beside it', async () => {
    const beside = await send('GET', '/beside', undefined, undefined, { Accept: 'application/xml' });
    expect(beside).toMatchObject({ ...refused('notAcceptable'), headers: { vary: 'Accept' } });
    answer = { status: 200, body: {} };
    expect(await send('GET', '/beside')).toMatchObject(ofType('application/json; charset=utf-8', '{}'));
    expect(seen).toEqual({ accepts: ['application/json'] });
  });

  test.each([
    ['application/problem+json', 'application/problem+json'],
    ['application/json;q=0.1, application/problem+json', 'application/problem+json'],
    ['application/json', 'application/json; charset=utf-8'],
  ])('of another status is chosen among its own types: %s', async (accept, type) => {
    answer = { status: 404, body: {} };
    const sent = await send('GET', '/beside', undefined, undefined, { Accept: `${accept}, application/json;q=0.01` });
    expect(sent).toMatchObject({ ...ofType(type, '{}', 404), headers: { vary: 'Accept', 'content-type': type } });
  });

  test('of one type only ignores Accept', async () => {
    answer = { status: 200, body: '<a/>' };
    const sent = await send('POST', '/xml', 'application/xml', '<a/>', { Accept: 'application/json' });
    expect(sent).toMatchObject(ofType('application/xml', '<a/>'));
    expect(sent.headers).not.toHaveProperty('vary');
  });

  test.each<[what: string, contentType: string, body: unknown]>([
    ['an undeclared type', 'text/html', '<p>'],
    ['a range without its type', 'image/*', Buffer.from('')],
    ['two types', 'image/png, text/html', Buffer.from('')],
    ['half a type', 'image/', Buffer.from('')],
    ['a value where bytes are declared', 'application/pdf', { a: 1 }],
    ['a value where a text is declared', 'text/csv', 7],
    ['bytes where JSON is declared', 'application/json', Buffer.from('{"id":1}')],
    ['a text that its schema does not allow', 'text/csv', 'a,ü,'],
    ['a text in Latin-1, which is sent as UTF-8', 'text/csv; charset=iso-8859-1', 'ü'],
    ['JSON in UTF-16', 'application/json;charset="utf-16"', { a: 1 }],
    ['a stream of values where bytes are declared', 'application/pdf', Readable.from([{ a: 1 }])],
    ['a stream that was destroyed', 'application/pdf', Readable.from([]).destroy()],
    ['a stream that fails before its first byte', 'application/pdf', Readable.from(failing())],
    ['a Map, of which JSON has no entries', 'application/json', { notes: new Map([['a', 1]]) }],
    ['a typed array in JSON', 'application/json', { bytes: Uint8Array.of(1) }],
    ['an Error in JSON', 'application/json', { cause: new Error('secret') }],
    ['a promise in JSON', 'application/json', { note: Promise.resolve('a') }],
    ['a boxed string where an object is declared', 'application/json', Object('text')],
    ['an object that JSON leaves out', 'application/json', { toJSON: () => undefined }],
  ])('of %s is a mistake of the handler: 500', async (_what, contentType, body) => {
    answer = { status: 200, contentType, body };
    expect(await get()).toMatchObject(refused('internal'));
  });

  const note = { id: BIG, tags: ['ü', '\u{1f331}'] };
  test.each<[what: string, given: Record<string, unknown>, headers: object]>([
    [
      'headers of the handler instead of those of every response',
      { 'CACHE-CONTROL': 'max-age=60', 'Set-Cookie': ['a=1', 'b=2'], 'X-List': [1, 2] },
      { 'cache-control': 'max-age=60', 'set-cookie': ['a=1', 'b=2'], 'x-list': '1,2' },
    ],
    [
      'arrays and objects as the contract writes them',
      { 'X-List': [], 'X-Pair': { id: BIG, tags: undefined }, 'x-pairs': { id: BIG }, 'X-Json': note },
      {
        ...{ 'x-list': '', 'x-pair': `id,${BIG}`, 'x-pairs': `id=${BIG}` },
        'x-json': `{"id":${BIG},"tags":["\\u00fc","\\ud83c\\udf31"]}`,
      },
    ],
    [
      'texts in the quotes of JSON where the contract says so',
      { 'X-Json-Text': '"5"\n' },
      { 'x-json-text': String.raw`"\"5\"\n"` },
    ],
    ['the media type that was checked', { 'content-type': 'text/html' }, { 'content-type': JSON_TYPE }],
    ['what the handler varies with beside Accept', { vary: 'Accept-Language' }, { vary: 'Accept, Accept-Language' }],
  ])('has %s', async (_what, given, headers) => {
    answer = { status: 200, contentType: 'application/json', body: {}, headers: given };
    expect(await get()).toMatchObject({ status: 200, headers });
  });

  test('with a header that HTTP cannot hold is a mistake of the handler, of which no other header is sent', async () => {
    answer = {
      status: 200,
      contentType: 'application/json',
      body: {},
      headers: { 'X-Pair': { id: 1n }, 'X-List': ['\n'] },
    };
    const { headers, ...refusal } = await get();
    expect(refusal).toMatchObject(refused('internal'));
    expect([headers['x-pair'], headers['x-list']]).toEqual([undefined, undefined]);
  });

  test.each<[what: string, given: Record<string, unknown>]>([
    ['an item that would be two', { 'X-List': ['a,b'] }],
    ['an item that would be none', { 'X-List': ['a', ''] }],
    ['null in a list', { 'X-List': ['a', null] }],
    ['a list in a list', { 'X-List': [['a', 'b']] }],
    ['a property that would be another one', { 'X-Pair': { id: 1n, note: 'x,id,2' } }],
    ['the same, exploded', { 'X-Pairs': { id: 1n, note: 'x,id=2' } }],
    ['a property whose name would be another one', { 'X-Pairs': { 'id=2,note': 1n } }],
    ['an object in an object', { 'X-Pair': { id: 1n, note: {} } }],
    ['a rounded number in a list', { 'X-Ids': [1, 2 ** 53 + 2] }],
    ['a rounded number in an object', { 'X-Pair': { id: 2 ** 53 + 2 } }],
    ['a rounded number in JSON', { 'X-Json': { id: 2 ** 53 + 2 } }],
    ['NaN in JSON', { 'X-Json': { id: 1n, size: Number.NaN } }],
    ['a Map', { 'X-Pair': new Map([['id', 1]]) }],
    ['a Map in JSON', { 'X-Json': { id: 1n, tags: new Map() } }],
    ['a function', { 'X-Text': () => 'text' }],
    ['null where a text is declared', { 'X-Text': null }],
  ])('with %s in a header is a mistake of the handler: 500', async (_what, given) => {
    answer = { status: 200, contentType: 'application/json', body: {}, headers: given };
    expect(await get()).toMatchObject(refused('internal'));
  });

  test.each<[what: string, headers: Record<string, unknown> | undefined, status: number]>([
    ['the header that is required', { 'retry-after': 1 }, 204],
    ['no headers where one is required', undefined, 500],
    ['another header than the one that is required', { 'X-Text': 'a' }, 500],
    ['a header that is not declared', { 'Retry-After': 1, 'X-Other': 'a' }, 500],
  ])('with %s has the headers that the contract describes, or is 500', async (_what, headers, status) => {
    const declared = {
      'Retry-After': { required: true, schema: { type: 'integer' } },
      'X-Text': { schema: { type: 'string' } },
    };
    const get = { responses: { 204: { description: 'Done.', headers: declared } } };
    const one = await serveDocument({ paths: { '/': { get } } }, () => ({ status: 204, ...(headers && { headers }) }));
    const { status: sentStatus, headers: sent } = await one.request('GET', '/');
    expect([sentStatus, sent['retry-after'], sent['x-text'], sent['x-other']]).toEqual([
      status,
      ...[status === 204 ? '1' : undefined, undefined, undefined],
    ]);
    await one.close();
  });

  test('has no Trailer and no Transfer-Encoding of the handler: Node.js writes what is true', async () => {
    const given = { 'transfer-encoding': 'chunked', Trailer: 'X-Text', 'X-Text': 'a' };
    answer = { status: 200, contentType: 'application/json', body: {}, headers: given };
    const { status, text, headers } = await get();
    const { 'x-text': own, 'content-length': length, 'transfer-encoding': coding, trailer } = headers;
    expect([status, text, own, length, coding, trailer]).toEqual([200, '{}', 'a', '2', undefined, undefined]);
  });

  test.each([
    [204, undefined, {}],
    [205, '0', { 'content-length': 5 }],
  ])('with the status %i has no content, though the contract declares some', async (status, length, given) => {
    for (const body of [undefined, {}]) {
      answer = { status, body, headers: given };
      const { headers, ...sent } = await get();
      expect(sent).toMatchObject({ status, text: '' });
      const { 'content-type': type, 'content-length': bytes, 'transfer-encoding': coding } = headers;
      expect([type, bytes, coding]).toEqual([undefined, length, undefined]);
    }
  });
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject<Uint8Array>(new Error('No such file.'));
}
