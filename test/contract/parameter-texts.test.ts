import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import createFetchClient from 'openapi-fetch';
import { serveParameters, type Echo } from '../support/echo-server.ts';

const INT64 = { type: 'integer', format: 'int64' };
const TEXT = { type: 'string' };
const INT64S = { type: 'array', items: INT64 };
const query = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more });
const header = (name: string, schema: object, more: object = {}): object => ({ name, in: 'header', schema, ...more });
const cookie = (name: string, schema: object, more: object = {}): object => ({ name, in: 'cookie', schema, ...more });
const path = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
const json = (schema: object, type = 'application/json'): object => ({
  content: { [type]: { schema } },
  schema: undefined,
});
const PRICE = { type: 'object', properties: { id: INT64, tags: { type: 'array', items: TEXT } } };
const FREE = { type: 'object', additionalProperties: { anyOf: [INT64, TEXT] } };

const PATHS = {
  '/texts': [
    query('text', TEXT),
    query('when', { type: 'string', format: 'date-time' }),
    query('count', INT64),
    query('ids', INT64S),
    query('csv', { type: 'array', items: TEXT }, { explode: false }),
    query('flag', { type: 'boolean' }),
    query('reserved', TEXT, { allowReserved: true }),
  ],
  '/paths/{text}': [path('text', TEXT)],
  '/things/{word}/{count}/{flag}/{ratio}': [
    path('word', { type: 'string', minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
    path('count', { type: 'integer', format: 'int32', minimum: 1, exclusiveMaximum: 100 }),
    path('flag', { type: 'boolean' }),
    path('ratio', { type: 'number', multipleOf: 0.5 }),
  ],
  '/ids/{ids}': [path('ids', { type: 'array', items: { ...INT64, minimum: 0 }, maxItems: 3 })],
  '/defaults': [
    query('limit', { type: 'integer', format: 'int32', minimum: 1, maximum: 100, default: 20 }),
    query('big', { ...INT64, multipleOf: 5, default: -5 }),
    query('order', { type: 'string', enum: ['up', 'down'], default: 'up' }),
    query('preset', { type: 'array', items: INT64, maxItems: 3, default: [1, 2] }),
    query('day', { type: 'string', format: 'date' }),
  ],
  '/lists/{items}': [path('items', { type: 'array', items: TEXT })],
  '/empty': [
    query('text', TEXT, { allowEmptyValue: true }),
    query('word', { type: 'string', minLength: 2 }, { allowEmptyValue: true }),
    query('count', INT64, { allowEmptyValue: true }),
    query('flag', { type: 'boolean', default: true }, { allowEmptyValue: true }),
    query('ids', INT64S, { allowEmptyValue: true }),
    query('csv', INT64S, { allowEmptyValue: true, explode: false }),
  ],
  '/names': [
    query('a[]', INT64S),
    query('$filter', TEXT),
    query('a.b', TEXT),
    query('page[size]', INT64),
    query('Date<', TEXT),
    query('with space', TEXT),
    query('ü&=', TEXT),
    query('deep[]', PRICE, { style: 'deepObject' }),
  ],
  '/deep': [
    query(
      'a',
      { type: 'object', properties: { b: { type: 'object', properties: { c: INT64 } }, list: INT64S } },
      { style: 'deepObject' },
    ),
    query('lines', { type: 'array', items: PRICE }, { style: 'deepObject' }),
    query('expand', { type: 'array', items: TEXT }, { style: 'deepObject' }),
    query('created', { anyOf: [{ type: 'object', properties: { gt: INT64 } }, INT64] }, { style: 'deepObject' }),
    query('meta', { type: 'object' }, { style: 'deepObject' }),
    query('tree', { $ref: '#/components/schemas/Tree' }, { style: 'deepObject' }),
  ],
  '/choices': [
    query('one', { oneOf: [{ ...INT64, minimum: 0 }, { type: 'boolean' }, TEXT] }),
    query('number', { oneOf: [INT64, { type: 'boolean' }] }),
    query('many', { oneOf: [TEXT, { type: 'array', items: TEXT }] }),
    query('csv', { anyOf: [INT64, INT64S] }, { explode: false }),
    query('all', { allOf: [{ $ref: '#/components/schemas/Id' }, { maximum: Number.MAX_SAFE_INTEGER }] }),
    query('types', { type: ['integer', 'string', 'null'] }),
    query('nullable', { type: ['boolean', 'null'] }),
    query('enum', { enum: [1, 2, 'x'] }),
    query('any', {}),
    query('objects', { type: 'array', items: PRICE }),
  ],
  '/free': [query('id', INT64), query('others', FREE), query('key', { type: 'object', properties: { gt: INT64 } })],
  '/headers': [
    header('X-Text', TEXT),
    header('If-Match', TEXT),
    header('X-Ids', INT64S),
    header('X-Count', INT64),
    header('X-Json', {}, json(PRICE)),
    header('Accept', { type: 'string', enum: ['never'] }, { required: true }),
    header('Content-Type', INT64),
    header('authorization', INT64, { required: true }),
  ],
  '/cookies': [
    cookie('session', { type: 'string', minLength: 2 }, { required: true }),
    cookie('id', INT64),
    cookie('list', { type: 'array', items: TEXT }, { explode: false }),
    cookie('ids', INT64S),
    cookie('json', {}, json(PRICE)),
  ],
  '/content/{thing}': [
    { ...path('thing', {}), ...json({ type: 'array', items: INT64 }) },
    query('filter', {}, json(PRICE)),
    query('plus', {}, json(INT64, 'application/vnd.x+json; charset=utf-8')),
    query('text', {}, json(TEXT, 'text/plain')),
    query('any', {}, { content: { 'application/json': {} }, schema: undefined }),
  ],
};

const server = await serveParameters(PATHS, {
  components: {
    schemas: {
      Id: INT64,
      Tree: { type: 'object', properties: { id: INT64, child: { $ref: '#/components/schemas/Tree' } } },
    },
  },
});
afterAll(() => server.close());

const NO_VALUES = { params: {}, query: {}, headers: {}, cookies: {} };
const NOTHING = { status: 204, ...NO_VALUES };
const refusal = (message: unknown, error = 40001): object => ({ status: 400, error, message });

describe('a query', () => {
  test.each<[string, Record<string, unknown>]>([
    ['text=a+b%20c%2Bd', { text: 'a b c+d' }],
    ["text=it's-._~!$()*,;:@/?=", { text: "it's-._~!$()*,;:@/?=" }],
    ['reserved=/?:@!$,;', { reserved: '/?:@!$,;' }],
    ['text=%E2%82%AC%00', { text: '€\0' }],
    ['when=2024-01-01T00:00:00Z', { when: '2024-01-01T00:00:00Z' }],
    ['text=', { text: '' }],
    ['text', { text: '' }],
    ['csv=', { csv: [''] }],
    ['csv=a%2Cx,b', { csv: ['a,x', 'b'] }],
    ['csv=a,,b', { csv: ['a', '', 'b'] }],
    ['ids=9007199254740993&text=x&ids=-1', { ids: [9007199254740993n, -1n], text: 'x' }],
    ['&text=x&&count=1&', { text: 'x', count: 1n }],
    ['%74ext=x', { text: 'x' }],
  ])('%s arrives exactly', async (text, expected) => {
    expect(await server.ask(`/texts?${text}`)).toEqual({ ...NOTHING, query: expected });
  });

  test.each([
    ['text=a&text=b', refusal("Query parameter 'text' must be given once.")],
    ['csv=a&csv=b', refusal("Query parameter 'csv' must be given once.")],
    ['count=', refusal("Query parameter 'count' must have a value, or be left out.")],
    ['flag=', refusal("Query parameter 'flag' must have a value, or be left out.")],
    ['ids=1&ids=', refusal("Query parameter 'ids/1' must have a value, or be left out.")],
    ['flag=yes', refusal("Query parameter 'flag' must be true or false.")],
    ['count=1%20', expect.objectContaining({ status: 400, error: 40001 })],
    ['count=+1', expect.objectContaining({ status: 400, error: 40001 })],
    ['when=', expect.objectContaining({ status: 400, error: 40001 })],
    ['csv[]=a', expect.objectContaining({ status: 400, error: 40002 })],
    ['text=%FF', expect.objectContaining({ status: 400, error: 40004 })],
    ['text=%C0%80', expect.objectContaining({ status: 400, error: 40004 })],
    ['text=%2', expect.objectContaining({ status: 400, error: 40004 })],
  ])('%s is refused', async (text, expected) => {
    expect(await server.ask(`/texts?${text}`)).toEqual(expected);
  });
});

describe('a query with defaults', () => {
  const DEFAULTS = { limit: 20, big: -5n, order: 'up', preset: [1n, 2n] };

  test.each<[string, Record<string, unknown>]>([
    ['', {}],
    ['limit=100', { limit: 100 }],
    ['big=0', { big: 0n }],
    ['order=down', { order: 'down' }],
    ['preset=9007199254740993', { preset: [9007199254740993n] }],
    ['day=2026-11-21', { day: '2026-11-21' }],
  ])('has them for what %s lacks', async (text, expected) => {
    expect(await server.ask(`/defaults?${text}`)).toEqual({ ...NOTHING, query: { ...DEFAULTS, ...expected } });
  });

  test.each([
    ...['limit=0', 'limit=101', 'limit=1e1', 'limit=', 'big=3', 'order=sideways', 'order=', 'preset=x'],
    ...['preset=1&preset=2&preset=3&preset=4', 'day=2026-13-01', 'day=tomorrow'],
  ])('refuses %s', async (text) => {
    expect(await server.ask(`/defaults?${text}`)).toMatchObject({ status: 400, error: 40001 });
  });

  test.each(['colour=red', 'limit[]=1', 'LIMIT=1', '__proto__=1'])('has no %s', async (text) => {
    expect(await server.ask(`/defaults?${text}`)).toMatchObject({ status: 400, error: 40002 });
  });
});

describe('a path', () => {
  test.each<[string, Record<string, unknown>]>([
    ['/paths/a+b%2Bc', { text: 'a+b+c' }],
    ["/paths/it's-._~!$&()*,;:@=", { text: "it's-._~!$&()*,;:@=" }],
    ['/paths/a%2Fb%3Fc%23%25', { text: 'a/b?c#%' }],
    ['/paths/%2541', { text: '%41' }],
    ['/lists/a%2Cx,b', { items: ['a,x', 'b'] }],
    ['/lists/a%2cx%252C,b', { items: ['a,x%2C', 'b'] }],
  ])('%s arrives exactly', async (target, params) => {
    expect(await server.ask(target)).toEqual({ ...NOTHING, params });
  });

  test('arrives with the types of the contract', async () => {
    const things = { word: 'rose', count: 99, flag: false, ratio: -25 };
    expect(await server.ask('/things/rose/99/false/-2.5e1')).toEqual({ ...NOTHING, params: things });
    const ids = [0n, 9007199254740993n];
    expect(await server.ask('/ids/0,9007199254740993')).toEqual({ ...NOTHING, params: { ids } });
  });

  test.each([
    ['/ids/1,-2', "Path parameter 'ids/1' must be a decimal integer between 0 and"],
    ['/ids/1,02', "Path parameter 'ids/1'"],
    ['/ids/1,2,3,4', "Path parameter 'ids'"],
    ['/things/a/5/true/1', "Path parameter 'word'"],
    ['/things/roses1/5/true/1', "Path parameter 'word'"],
    ['/things/Rose/5/true/1', "Path parameter 'word'"],
    ['/things/rose/0/true/1', "Path parameter 'count' must be a decimal integer between 1 and"],
    ['/things/rose/100/true/1', "Path parameter 'count'"],
    ['/things/rose/5.0/true/1', "Path parameter 'count'"],
    ['/things/rose/0x5/true/1', "Path parameter 'count'"],
    ['/things/rose/%205/true/1', "Path parameter 'count'"],
    ['/things/rose/5/1/1', "Path parameter 'flag'"],
    ['/things/rose/5/true/0.3', "Path parameter 'ratio' must be a decimal number and a multiple of 0.5"],
    ['/things/rose/5/true/Infinity', "Path parameter 'ratio'"],
    ['/things/rose/5/true/1e999', "Path parameter 'ratio'"],
    ['/things/rose/5/true/.5', "Path parameter 'ratio'"],
  ])('%s is refused', async (target, message) => {
    expect(await server.ask(target)).toEqual(refusal(expect.stringContaining(message)));
  });

  test.each(['/paths/%FF', '/paths/%', '/lists/a,%C3'])('%s is malformed', async (target) => {
    expect(await server.ask(target)).toMatchObject({ status: 400, error: 40004 });
  });
});

test.each<[string, Record<string, unknown>]>([
  ['text=', { text: '', flag: true }],
  ['text', { text: '', flag: true }],
  ['word=&count=&ids=&csv=', { flag: true }],
  ['flag=', { flag: true }],
  ['flag=false&count=0&ids=0', { flag: false, count: 0n, ids: [0n] }],
])('where the contract allows empty values, %s is a text or left out', async (text, expected) => {
  expect(await server.ask(`/empty?${text}`)).toEqual({ ...NOTHING, query: expected });
});

test.each<[string, Record<string, unknown>]>([
  ['a[]=1&a%5B%5D=9007199254740993', { 'a[]': [1n, 9007199254740993n] }],
  ['$filter=x&%24filter2', {}],
  ['$filter=x&a.b=y', { $filter: 'x', 'a.b': 'y' }],
  ['page[size]=9007199254740993', { 'page[size]': 9007199254740993n }],
  ['Date%3C=2026', { 'Date<': '2026' }],
  ['with+space=1', { 'with space': '1' }],
  ['%C3%BC%26%3D==', { 'ü&=': '=' }],
  ['deep[][id]=1&deep[][tags][]=x', { 'deep[]': { id: 1n, tags: ['x'] } }],
])('names may hold any character: %s', async (text, expected) => {
  const answer = Object.keys(expected).length === 0 ? { status: 400, error: 40002 } : { ...NOTHING, query: expected };
  expect(await server.ask(`/names?${text}`)).toMatchObject(answer);
});

describe('keys in brackets', () => {
  const id = 9007199254740993n;
  test.each<[string, Record<string, unknown>]>([
    [`a[b][c]=${id}`, { a: { b: { c: id } } }],
    [`a[list][]=1&a[list][]=${id}`, { a: { list: [1n, id] } }],
    [`a[list]=1&a[list]=${id}`, { a: { list: [1n, id] } }],
    [`a[list][1]=1&a[list][0]=${id}`, { a: { list: [id, 1n] } }],
    [`lines[0][id]=${id}&lines[1][tags][]=x`, { lines: [{ id }, { tags: ['x'] }] }],
    [
      `lines[][id]=1&lines[][tags]=x&lines[][id]=2&lines[][tags]=y`,
      {
        lines: [
          { id: 1n, tags: ['x'] },
          { id: 2n, tags: ['y'] },
        ],
      },
    ],
    ['expand[]=a&expand[]=b', { expand: ['a', 'b'] }],
    ['expand[0]=a&expand[1]=b', { expand: ['a', 'b'] }],
    ['expand=a&expand=b', { expand: ['a', 'b'] }],
    ['expand=a', { expand: ['a'] }],
    [`created=${id}`, { created: id }],
    [`created[gt]=${id}`, { created: { gt: id } }],
    ['meta[a][b]=1&meta[c][]=x&meta[d]=%5B', { meta: { a: { b: '1' }, c: ['x'], d: '[' } }],
    [`tree[child][child][id]=${id}`, { tree: { child: { child: { id } } } }],
  ])('%s lead to the parts of a value', async (text, expected) => {
    expect(await server.ask(`/deep?${text}`)).toEqual({ ...NOTHING, query: expected });
  });

  test.each([
    'a[b]=1',
    'a[b][c]=1&a[b][c]=2',
    'a[b][c]=1&a[b]=2',
    'a[list][0]=1&a[list][2]=2',
    'a[list][01]=1',
    'a[list][x]=1',
    'a[list][4294967296]=1',
    'a[list][0]=1&a[list][0]=2',
    'lines[][id]=1&lines[][id]=2&lines[][tags]=y',
    'lines[][tags][]=1&lines[][tags][]=2',
    'lines[0]=1',
    'created[gt]=1&created=1',
    'meta[__proto__][x]=1',
    'meta[a][__proto__]=1',
    `meta${'[a]'.repeat(40)}=1`,
  ])('%s are refused when they leave the value open', async (text) => {
    expect(await server.ask(`/deep?${text}`)).toMatchObject({ status: 400, error: 40001 });
  });

  test.each([
    'a]=1',
    'a[=1',
    'a[b=1',
    'a[b]]=1',
    'a[b]c=1',
    '[a]=1',
    'ab[c]=1',
    '__proto__[x]=1',
    'constructor[prototype][x]=1',
  ])('%s belongs to no parameter', async (text) => {
    expect(await server.ask(`/deep?${text}`)).toMatchObject({ status: 400, error: 40002 });
  });

  test('never change an object that others share', async () => {
    await server.ask('/deep?meta[constructor][prototype][polluted]=1');
    await server.ask('/deep?meta[toString]=1');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect('polluted' in {}).toBe(false);
  });
});

describe('a choice of types', () => {
  test.each<[string, Record<string, unknown>]>([
    ['one=9007199254740993', { one: 9007199254740993n }],
    ['one=-1', { one: '-1' }],
    ['one=true', { one: true }],
    ['one=01', { one: '01' }],
    ['one=', { one: '' }],
    ['number=0', { number: 0n }],
    ['many=a', { many: 'a' }],
    ['many=a&many=b', { many: ['a', 'b'] }],
    ['csv=1', { csv: 1n }],
    ['csv=1,9007199254740993', { csv: [1n, 9007199254740993n] }],
    ['all=9007199254740991', { all: 9007199254740991n }],
    ['types=12', { types: 12 }],
    ['types=null', { types: 'null' }],
    ['nullable=null', { nullable: null }],
    ['nullable=true', { nullable: true }],
    ['enum=1', { enum: 1 }],
    ['enum=x', { enum: 'x' }],
    ['any=1', { any: '1' }],
    [
      'objects={"id":9007199254740993}&objects={"tags":["a,b"]}',
      { objects: [{ id: 9007199254740993n }, { tags: ['a,b'] }] },
    ],
  ])('is made by the text: %s', async (text, expected) => {
    expect(await server.ask(`/choices?${encodeURI(text)}`)).toEqual({ ...NOTHING, query: expected });
  });

  test.each([
    'number=x',
    'number=9223372036854775808',
    'all=9007199254740992',
    'all=x',
    'nullable=',
    'nullable=0',
    'enum=3',
    'csv=1,x',
    'objects={"id":"x"}',
    'objects={"id":1',
    'objects=x',
    `objects=${'['.repeat(200)}`,
  ])('has none for %s', async (text) => {
    expect(await server.ask(`/choices?${encodeURI(text)}`)).toMatchObject({ status: 400, error: 40001 });
  });
});

describe('an exploded object', () => {
  test('with any properties takes the names that no other parameter has', async () => {
    const expected = { id: 1n, others: { x: 9007199254740993n, y: 'z', '': 'e' }, key: { gt: 5n } };
    expect(await server.ask('/free?x=9007199254740993&id=1&y=z&gt=5&=e')).toEqual({ ...NOTHING, query: expected });
  });

  test.each(['__proto__=1', 'x=1&x=2'])('refuses %s', async (text) => {
    expect(await server.ask(`/free?${text}`)).toMatchObject({ status: 400, error: 40001 });
  });
});

describe('a header', () => {
  const asked = (headers: Record<string, string | string[]>): Promise<Echo> => server.ask('/headers', headers);

  test.each<[string | string[], string, unknown]>([
    ['Wed, 21 Oct  2026', 'X-Text', 'Wed, 21 Oct  2026'],
    ['"b, c"', 'X-Text', '"b, c"'],
    ['a%20b+c', 'X-Text', 'a%20b+c'],
    ['', 'X-Text', ''],
    ['1 ,\t9007199254740993,-1', 'X-Ids', [1n, 9007199254740993n, -1n]],
    ['1,, 2,', 'X-Ids', [1n, 2n]],
    [['1, 2', '3'], 'X-Ids', [1n, 2n, 3n]],
    ['', 'X-Ids', []],
    ['{"id":9007199254740993}', 'X-Json', { id: 9007199254740993n }],
  ])('%j arrives as %s', async (text, name, expected) => {
    expect(await asked({ [name]: text })).toEqual({ ...NOTHING, headers: { [name]: expected } });
  });

  test.each<[string, string | string[]]>([
    ['X-Text', ['a', 'b']],
    ['X-Count', ['1', '1']],
    ['X-Json', ['{}', '{}']],
  ])('%s that is no list must be given once', async (name, texts) => {
    expect(await asked({ [name]: texts })).toEqual(refusal(`Header '${name}' must be given once.`));
  });

  test.each([
    ['X-Ids', '1,x'],
    ['X-Count', '0x1'],
  ])('%s with %s is refused', async (name, text) => {
    expect(await asked({ [name]: text })).toMatchObject({ status: 400, error: 40001 });
  });

  test('named Accept, Content-Type or Authorization is no parameter (OpenAPI, "Parameter Object")', async () => {
    expect(await asked({ Accept: 'text/html', Authorization: 'Basic eDp5' })).toEqual(NOTHING);
  });
});

describe('a cookie', () => {
  const asked = (text?: string): Promise<Echo> => server.ask('/cookies', text === undefined ? {} : { Cookie: text });

  test.each<[string, Record<string, unknown>]>([
    ['session=ab', { session: 'ab' }],
    ['other=1; session="a b=c"; id=9007199254740993;', { session: 'a b=c', id: 9007199254740993n }],
    ['session=a%20b+c', { session: 'a b+c' }],
    ['session=ab&x=1', { session: 'ab&x=1' }],
    ['session=ab;list=a%2Cx,b', { session: 'ab', list: ['a,x', 'b'] }],
    ['session=ab; ids=1; ids=2', { session: 'ab', ids: [1n, 2n] }],
    ['session=ab; json={%22id%22:9007199254740993}', { session: 'ab', json: { id: 9007199254740993n } }],
    ['session=ab; broken; %FF=%FF; =x', { session: 'ab' }],
  ])('arrives from %s (RFC 6265)', async (text, cookies) => {
    expect(await asked(text)).toEqual({ ...NOTHING, cookies });
  });

  test.each([
    undefined,
    '',
    'session=a',
    'Session=ab',
    'session=ab; id=x',
    'session=ab; session=cd',
    'session=%FF',
    'session=ab; json={',
  ])('is refused in %s', async (text) => {
    expect(await asked(text)).toMatchObject({ status: 400, error: 40001 });
  });
});

describe('a parameter with content', () => {
  const thing = encodeURIComponent('[9007199254740993]');

  test.each<[string, Record<string, unknown>]>([
    [
      `filter=${encodeURIComponent('{"id":9007199254740993,"tags":["a+b"]}')}`,
      { filter: { id: 9007199254740993n, tags: ['a+b'] } },
    ],
    ['plus=9007199254740993', { plus: 9007199254740993n }],
    ['text={a+b', { text: '{a b' }],
    ['any=[{}]', { any: [{}] }],
  ])('is read by its media type: %s', async (text, expected) => {
    expect(await server.ask(`/content/${thing}?${text}`)).toEqual({
      ...NOTHING,
      params: { thing: [9007199254740993n] },
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
    expect(await server.ask(`/content/${text}`)).toMatchObject({ status: 400, error: 40001 });
  });
});

test('an API key in the query is no unknown name, nor a property of an object that takes any', async () => {
  const scheme = { type: 'apiKey', in: 'query', name: 'api_key' };
  const verifiers = { key: () => Promise.resolve({ name: 'someone' }) };
  const rest = { components: { securitySchemes: { key: scheme } }, security: [{ key: [] }] };
  const keyed = await serveParameters({ '/none': [], '/free': [query('others', FREE)] }, rest, verifiers);
  expect(await keyed.ask('/none?api_key=1')).toEqual(NOTHING);
  expect(await keyed.ask('/free?api_key=1&x=2')).toEqual({ ...NOTHING, query: { others: { x: 2n } } });
  expect(await keyed.ask('/none?api_key=1&api_keys=1')).toMatchObject({ status: 400, error: 40002 });
  await keyed.close();
});

test('any text that the library of the typed client sends arrives as it was', async () => {
  const client = createFetchClient<object>({ baseUrl: `http://127.0.0.1:${server.port}` });
  // The client of an empty contract has no paths.
  const get = client.GET as unknown as (path: string, options: object) => Promise<{ response: Response }>;
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.stringMatching(/^[,.;=&|%+ /?#a"'[\]]{0,6}$/));
  const segment = text.filter((one) => !/^\.{0,2}$/.test(one));
  // What a header can hold (RFC 9110, section 5.5).
  const line = fc.stringMatching(/^(?:[!-~](?:[ -~]{0,20}[!-~])?)?$/);
  await fc.assert(
    fc.asyncProperty(
      text,
      fc.array(text, { minLength: 1, maxLength: 3 }),
      segment,
      line,
      async (one, list, last, value) => {
        await get('/texts', { params: { query: { text: one, reserved: one } } });
        expect(server.seen()).toEqual({ ...NO_VALUES, query: { text: one, reserved: one } });
        await get('/texts', {
          params: { query: { csv: list } },
          querySerializer: { array: { style: 'form', explode: false } },
        });
        expect(server.seen()).toEqual({ ...NO_VALUES, query: { csv: list } });
        await get('/paths/{text}', { params: { path: { text: last } } });
        expect(server.seen()).toEqual({ ...NO_VALUES, params: { text: last } });
        await get('/headers', { params: { header: { 'X-Text': value } } });
        expect(server.seen()).toEqual({ ...NO_VALUES, headers: { 'X-Text': value } });
      },
    ),
    { numRuns: 100 },
  );
});
