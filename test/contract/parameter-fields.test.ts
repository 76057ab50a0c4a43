import { afterAll, describe, expect, test } from '@jest/globals';
import { serveParameters, type Echo } from '../support/echo-server.ts';

const BIG = 9007199254740993n;
const INT64 = { type: 'integer', format: 'int64' };
const INT64S = { type: 'array', items: INT64 };
const TEXT = { type: 'string' };
const PRICE = { type: 'object', properties: { id: INT64, tags: { type: 'array', items: TEXT } } };
const header = (name: string, schema: object, more: object = {}): object => ({ name, in: 'header', schema, ...more });
const cookie = (name: string, schema: object, more: object = {}): object => ({ name, in: 'cookie', schema, ...more });
const content = (where: string, name: string, schema?: object, type = 'application/json'): object => ({
  name,
  in: where,
  required: where === 'path',
  content: { [type]: { ...(schema && { schema }) } },
});

const server = await serveParameters({
  '/headers': [
    header('X-Text', TEXT),
    header('If-Match', TEXT),
    header('X-Ids', INT64S),
    header('X-Count', INT64),
    content('header', 'X-Json', PRICE),
    header('Accept', { type: 'string', enum: ['never'] }, { required: true }),
    header('Content-Type', INT64),
    header('authorization', INT64, { required: true }),
  ],
  '/cookies': [
    cookie('session', { type: 'string', minLength: 2 }, { required: true }),
    cookie('id', INT64),
    cookie('list', { type: 'array', items: TEXT }, { explode: false }),
    cookie('ids', INT64S),
    content('cookie', 'json', PRICE),
  ],
  '/content/{thing}': [
    content('path', 'thing', INT64S),
    content('query', 'filter', PRICE),
    content('query', 'plus', INT64, 'application/vnd.x+json; charset=utf-8'),
    content('query', 'text', TEXT, 'text/plain'),
    content('query', 'any'),
  ],
  '/scalars/{id}': [content('path', 'id', INT64), content('query', 'n', { type: 'number' })],
  '/integers': [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
  '/names/{__proto__}': [
    { name: '__proto__', in: 'path', required: true, schema: INT64 },
    { name: 'toString', in: 'query', required: true, schema: {} },
    { name: 'valueOf', in: 'query', schema: TEXT },
    header('constructor', TEXT),
    cookie('__proto__', TEXT),
  ],
});
afterAll(() => server.close());

const NOTHING = { status: 204, params: {}, query: {}, headers: {}, cookies: {} };
const REFUSED = { status: 400, error: 40001 };

describe('a header', () => {
  const asked = (headers: Record<string, string | string[]>): Promise<Echo> => server.ask('/headers', headers);

  test.each<[string | string[], string, unknown]>([
    ['Wed, 21 Oct  2026', 'X-Text', 'Wed, 21 Oct  2026'],
    ['"b, c"', 'X-Text', '"b, c"'],
    ['a%20b+c', 'X-Text', 'a%20b+c'],
    ['', 'X-Text', ''],
    ['1 ,\t9007199254740993,-1', 'X-Ids', [1n, BIG, -1n]],
    ['1,, 2,', 'X-Ids', [1n, 2n]],
    [['1, 2', '3'], 'X-Ids', [1n, 2n, 3n]],
    ['', 'X-Ids', []],
    ['{"id":9007199254740993}', 'X-Json', { id: BIG }],
  ])('%j arrives as %s', async (text, name, expected) => {
    expect(await asked({ [name]: text })).toEqual({ ...NOTHING, headers: { [name]: expected } });
  });

  test.each<[string, string | string[]]>([
    // Only a header with a list may be repeated.
    ['X-Text', ['a', 'b']],
    ['X-Count', ['1', '1']],
    ['X-Json', ['{}', '{}']],
    ['X-Ids', '1,x'],
    ['X-Count', '0x1'],
  ])('%s with %j is refused', async (name, texts) => {
    expect(await asked({ [name]: texts })).toMatchObject(REFUSED);
  });

  test('named Accept, Content-Type or Authorization is no parameter (OpenAPI, "Parameter Object")', async () => {
    expect(await asked({ Accept: 'text/html', Authorization: 'Basic eDp5' })).toEqual(NOTHING);
  });
});

describe('a cookie', () => {
  const asked = (text?: string): Promise<Echo> => server.ask('/cookies', text === undefined ? {} : { Cookie: text });

  test.each<[string, Record<string, unknown>]>([
    ['session=ab', { session: 'ab' }],
    ['other=1; session="a b=c"; id=9007199254740993;', { session: 'a b=c', id: BIG }],
    ['session=a%20b+c', { session: 'a b+c' }],
    ['session=ab&x=1', { session: 'ab&x=1' }],
    ['session=ab;list=a%2Cx,b', { session: 'ab', list: ['a,x', 'b'] }],
    ['session=ab; ids=1; ids=2', { session: 'ab', ids: [1n, 2n] }],
    ['session=ab; json={%22id%22:9007199254740993}', { session: 'ab', json: { id: BIG } }],
    ['session=ab; broken; %FF=%FF; =x', { session: 'ab' }],
  ])('arrives from %s (RFC 6265)', async (text, cookies) => {
    expect(await asked(text)).toEqual({ ...NOTHING, cookies });
  });

  const BROKEN = 'session=a|Session=ab|session=ab; id=x|session=ab; session=cd|session=%FF|session=ab; json={';
  test.each([undefined, '', ...BROKEN.split('|')])('is refused in %s', async (text) => {
    expect(await asked(text)).toMatchObject(REFUSED);
  });
});

describe('a parameter with content', () => {
  const thing = encodeURIComponent('[9007199254740993]');

  test.each<[string, Record<string, unknown>]>([
    [`filter=${encodeURIComponent('{"id":9007199254740993,"tags":["a+b"]}')}`, { filter: { id: BIG, tags: ['a+b'] } }],
    ['plus=9007199254740993', { plus: BIG }],
    ['text={a+b', { text: '{a b' }],
    ['any=[{}]', { any: [{}] }],
  ])('is read by its media type: %s', async (text, expected) => {
    expect(await server.ask(`/content/${thing}?${text}`)).toEqual({
      ...NOTHING,
      params: { thing: [BIG] },
      query: expected,
    });
  });

  test.each([
    `${thing}?filter={"id":"x"}`,
    `${thing}?filter={`,
    `${thing}?filter=`,
    `${thing}?plus=1&plus=1`,
    '%5B1.5%5D',
    'x',
  ])('is refused unless it is valid: %s', async (text) => {
    expect(await server.ask(`/content/${text}`)).toMatchObject(REFUSED);
  });
});

test('a scalar in JSON is a value of its own', async () => {
  const scalars = { ...NOTHING, params: { id: BIG }, query: { n: 5 } };
  expect(await server.ask(`/scalars/${BIG}?n=5`)).toStrictEqual(scalars);
  expect(await server.ask(`/scalars/${BIG}?n=x`)).toMatchObject(REFUSED);
});

test('an integer without format is exact, or refused as in a body', async () => {
  expect(await server.ask('/integers?n=9007199254740994')).toStrictEqual({
    ...NOTHING,
    query: { n: 9007199254740994 },
  });
  expect(await server.ask(`/integers?n=${BIG}`)).toMatchObject(REFUSED);
});

test('a parameter may have a name that every object has', async () => {
  const cookies = { ['__proto__']: 'c' };
  const asked = await server.ask(`/names/${BIG}?toString=q`, { Cookie: '__proto__=c' });
  expect(asked).toEqual({ ...NOTHING, params: { ['__proto__']: BIG }, query: { toString: 'q' }, cookies });
  expect(await server.ask(`/names/${BIG}?toString=q`, { constructor: 'h' })).toMatchObject({
    headers: { constructor: 'h' },
  });
  expect(await server.ask(`/names/${BIG}?valueOf=q`)).toMatchObject(REFUSED);
});
