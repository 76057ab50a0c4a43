import { afterAll, expect, test } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { serveParameters } from './support/echo-server.ts';
import { serveDocument } from './support/inline-contract.ts';

const INT64 = { type: 'integer', format: 'int64' };
const TEXT = { type: 'string' };
const INT64S = { type: 'array', items: INT64 };
const query = (name: string, schema: object, more: object = {}): object => ({ name, in: 'query', schema, ...more });
const path = (name: string, schema: object): object => ({ name, in: 'path', required: true, schema });
const header = (name: string, schema: object, more: object = {}): object => ({ name, in: 'header', schema, ...more });
const cookie = (name: string, schema: object, more: object = {}): object => ({ name, in: 'cookie', schema, ...more });
const content = (where: string, name: string, schema?: object, type = 'application/json'): object => ({
  name,
  in: where,
  required: where === 'path',
  content: { [type]: { ...(schema && { schema }) } },
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
    query('deep', PRICE, { allowEmptyValue: true, style: 'deepObject' }),
  ],
  '/required': [query('count', INT64, { required: true, allowEmptyValue: true })],
  '/wanted': [query('count', INT64, { required: true }), query('text', TEXT)],
  '/presets': [query('limit', { type: 'integer', default: 20 }), query('flag', { type: 'boolean' })],
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
    query('state', { $ref: '#/components/schemas/State' }, { style: 'deepObject' }),
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
  '/shared': [
    query('sort', {
      type: 'object',
      properties: { created: { enum: ['asc', 'desc'] }, day: { enum: ['asc', 'desc'] } },
    }),
    query('day', { type: 'integer' }),
    query('created', { type: 'object', additionalProperties: TEXT }, { style: 'deepObject' }),
  ],
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
    content('query', 'list', INT64S, '*/*'),
  ],
  '/scalars/{id}': [content('path', 'id', INT64), content('query', 'n', { type: 'number' })],
  '/integers': [query('n', { type: 'integer' })],
  '/names/{__proto__}': [
    path('__proto__', INT64),
    query('toString', {}, { required: true }),
    query('valueOf', TEXT),
    header('constructor', TEXT),
    cookie('__proto__', TEXT),
  ],
};

const server = await serveParameters(PATHS, {
  components: {
    schemas: {
      Id: INT64,
      State: { required: ['id'], properties: { id: { ...INT64, readOnly: true } }, type: 'object' },
      Tree: { type: 'object', properties: { id: INT64, child: { $ref: '#/components/schemas/Tree' } } },
    },
  },
});
afterAll(() => server.close());

const NOTHING = { status: 204, params: {}, query: {}, headers: {}, cookies: {} };
const BIG = 9007199254740993n;
const DEFAULTS = { limit: 20, big: -5n, order: 'up', preset: [1n, 2n] };

/** Queries by path, with what the handler is given. */
const QUERIES: Readonly<Record<string, readonly (readonly [query: string, given: Record<string, unknown>])[]>> = {
  '/texts': [
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
    [`ids=${BIG}&text=x&ids=-1`, { ids: [BIG, -1n], text: 'x' }],
    ['&text=x&&count=1&', { text: 'x', count: 1n }],
    ['%74ext=x', { text: 'x' }],
  ],
  '/defaults': [
    ['', DEFAULTS],
    ['limit=100', { ...DEFAULTS, limit: 100 }],
    ['big=0', { ...DEFAULTS, big: 0n }],
    ['order=down', { ...DEFAULTS, order: 'down' }],
    [`preset=${BIG}`, { ...DEFAULTS, preset: [BIG] }],
    ['day=2026-11-21', { ...DEFAULTS, day: '2026-11-21' }],
  ],
  // Where the contract allows empty values, they are the empty string, whatever the type.
  '/empty': [
    ['text=', { text: '', flag: true }],
    ['text', { text: '', flag: true }],
    ['word=&count=&ids=&csv=&deep=', { word: '', count: '', ids: '', csv: '', deep: '', flag: true }],
    ['flag=&count', { flag: '', count: '' }],
    [`ids=1&ids=${BIG}&csv=1&deep[id]=1`, { ids: [1n, BIG], csv: [1n], deep: { id: 1n }, flag: true }],
    ['flag=false&count=0&ids=0', { flag: false, count: 0n, ids: [0n] }],
  ],
  '/required': [['count=', { count: '' }]],
  '/wanted': [['count=1', { count: 1n }]],
  '/presets': [['', { limit: 20 }]],
  // Names may hold any character.
  '/names': [
    [`a[]=1&a%5B%5D=${BIG}`, { 'a[]': [1n, BIG] }],
    ['$filter=x&a.b=y', { $filter: 'x', 'a.b': 'y' }],
    [`page[size]=${BIG}`, { 'page[size]': BIG }],
    ['Date%3C=2026', { 'Date<': '2026' }],
    ['with+space=1', { 'with space': '1' }],
    ['%C3%BC%26%3D==', { 'ü&=': '=' }],
    ['deep[][id]=1&deep[][tags][]=x', { 'deep[]': { id: 1n, tags: ['x'] } }],
  ],
  // Keys in brackets lead to the parts of a value.
  '/deep': [
    [`a[b][c]=${BIG}`, { a: { b: { c: BIG } } }],
    [`a[list][]=1&a[list][]=${BIG}`, { a: { list: [1n, BIG] } }],
    [`a[list]=1&a[list]=${BIG}`, { a: { list: [1n, BIG] } }],
    [`a[list][1]=1&a[list][0]=${BIG}`, { a: { list: [BIG, 1n] } }],
    [`lines[0][id]=${BIG}&lines[1][tags][]=x`, { lines: [{ id: BIG }, { tags: ['x'] }] }],
    [
      `lines[][id]=1&lines[][tags]=x&lines[][id]=2&lines[][tags]=y`,
      { lines: [1n, 2n].map((id, index) => ({ id, tags: [index === 0 ? 'x' : 'y'] })) },
    ],
    ['state[id]=1', { state: { id: 1n } }],
    ['expand[]=a&expand[]=b', { expand: ['a', 'b'] }],
    ['expand[0]=a&expand[1]=b', { expand: ['a', 'b'] }],
    ['expand=a&expand=b', { expand: ['a', 'b'] }],
    ['expand=a', { expand: ['a'] }],
    [`created=${BIG}`, { created: BIG }],
    [`created[gt]=${BIG}`, { created: { gt: BIG } }],
    ['meta[a][b]=1&meta[c][]=x&meta[d]=%5B', { meta: { a: { b: '1' }, c: ['x'], d: '[' } }],
    [`tree[child][child][id]=${BIG}`, { tree: { child: { child: { id: BIG } } } }],
  ],
  // A text makes the value of a choice.
  '/choices': [
    [`one=${BIG}`, { one: BIG }],
    ['one=-1', { one: '-1' }],
    ['one=true', { one: true }],
    ['one=01', { one: '01' }],
    ['one=', { one: '' }],
    ['number=0', { number: 0n }],
    ['many=a', { many: 'a' }],
    ['many=a&many=b', { many: ['a', 'b'] }],
    ['csv=1', { csv: 1n }],
    [`csv=1,${BIG}`, { csv: [1n, BIG] }],
    ['all=9007199254740991', { all: 9007199254740991n }],
    ['types=12', { types: 12 }],
    ['types=null', { types: 'null' }],
    ['nullable=null', { nullable: null }],
    ['nullable=true', { nullable: true }],
    ['enum=1', { enum: 1 }],
    ['enum=x', { enum: 'x' }],
    ['any=1', { any: '1' }],
    [`objects={"id":${BIG}}&objects={"tags":["a,b"]}`, { objects: [{ id: BIG }, { tags: ['a,b'] }] }],
  ],
  // An exploded object with any properties takes the names that no other parameter has.
  '/shared': [
    ['day=5&created=desc', { day: 5, sort: { created: 'desc' } }],
    ['created=asc&created[gt]=1', { sort: { created: 'asc' }, created: { gt: '1' } }],
  ],
  '/integers': [['n=9007199254740991', { n: 9007199254740991 }]],
  '/free': [[`x=${BIG}&id=1&y=z&gt=5&=e`, { id: 1n, others: { x: BIG, y: 'z', '': 'e' }, key: { gt: 5n } }]],
};

const withQuotes = (query: string): string => query.replaceAll('"', '%22');

test.each(Object.entries(QUERIES).flatMap(([path, rows]) => rows.map((row) => [path, ...row] as const)))(
  'the query of %s?%s arrives exactly',
  async (path, query, given) => {
    expect(await server.ask(`${path}?${withQuotes(query)}`)).toEqual({ ...NOTHING, query: given });
  },
);

/** Queries that are refused, by path and code. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/texts': {
    invalidParameter: [
      ...['text=a&text=b', 'csv=a&csv=b', 'count=', 'flag=', 'ids=1&ids=', 'flag=yes', 'count=1%20', 'count=+1'],
      'when=',
    ],
    unknownQueryParameter: ['csv[]=a'],
    malformedUrl: ['text=%FF', 'text=%C0%80', 'text=%2'],
  },
  '/defaults': {
    invalidParameter: [
      ...['limit=0', 'limit=101', 'limit=1e1', 'limit=', 'big=3', 'order=sideways', 'order=', 'preset=x'],
      ...['preset=1&preset=2&preset=3&preset=4', 'day=2026-13-01', 'day=tomorrow'],
    ],
    unknownQueryParameter: ['colour=red', 'limit[]=1', 'LIMIT=1', '__proto__=1'],
  },
  '/empty': { invalidParameter: ['count=x', 'word=a', 'ids=1&ids=', 'deep[id]=', 'count=&count='] },
  '/required': { invalidParameter: ['', 'count=x'] },
  '/wanted': { invalidParameter: ['', 'text=a', 'count='] },
  '/presets': { invalidParameter: ['limit=x', 'limit=1&flag=no'] },
  '/names': { unknownQueryParameter: ['$filter=x&%24filter2'] },
  '/deep': {
    // They leave the value open.
    invalidParameter: [
      ...['a[b]=1', 'a[b][c]=1&a[b][c]=2', 'a[b][c]=1&a[b]=2', 'a[list][0]=1&a[list][2]=2', 'a[list][01]=1'],
      ...['a[list][x]=1', 'a[list][4294967296]=1', 'a[list][0]=1&a[list][0]=2', 'lines[0]=1'],
      ...['lines[][id]=1&lines[][id]=2&lines[][tags]=y', 'lines[][tags][]=1&lines[][tags][]=2'],
      ...['state[x]=1', 'a[b]={"c":1}', 'a[list]=[1]', 'lines[0]={"id":1}', 'lines={"id":1}'],
      ...['created[gt]=1&created=1', 'meta[__proto__][x]=1', 'meta[a][__proto__]=1', `meta${'[a]'.repeat(40)}=1`],
    ],
    // They belong to no parameter.
    unknownQueryParameter: [
      ...['a]=1', 'a[=1', 'a[b=1', 'a[b]]=1', 'a[b]c=1', '[a]=1', 'ab[c]=1', '__proto__[x]=1'],
      ...['constructor[prototype][x]=1', 'a={"b":{"c":1}}', 'a=', 'meta=1'],
    ],
  },
  '/choices': {
    invalidParameter: [
      ...['number=x', 'number=9223372036854775808', 'all=9007199254740992', 'all=x', 'nullable=', 'nullable=0'],
      ...['enum=3', 'csv=1,x', 'objects={"id":"x"}', 'objects={"id":1', 'objects=x', `objects=${'['.repeat(200)}`],
    ],
  },
  // An integer has one text, so that two texts never name the same thing (RFC 6570 has no numbers).
  '/integers': { invalidParameter: [`n=${BIG}`, 'n=9007199254740992', 'n=1.0', 'n=1e3', 'n=-0'] },
  '/free': { invalidParameter: ['__proto__=1', 'x=1&x=2'] },
};

test.each(
  Object.entries(REFUSED).flatMap(([path, codes]) =>
    Object.entries(codes).flatMap(([reason, queries]) => queries.map((query) => [path, query, reason] as const)),
  ),
)('the query of %s?%s is refused with %s', async (path, query, reason) => {
  expect(await server.ask(`${path}?${withQuotes(query)}`)).toMatchObject({ status: 400, reason });
});

test.each([
  ['a[list][x]=1', 'a/list'],
  ['a[b][c]=1&a[b][c]=2', 'a/b/c'],
  ['lines[0]=1', 'lines/0'],
  ['meta[a][b][][c]=1&meta[a][b][][d]=1&meta[a][b][][d]=2', 'meta/a/b'],
])('the refusal of %s names the place %s', async (query, place) => {
  const message = expect.stringContaining(`Query parameter '${place}' must`);
  expect(await server.ask(`/deep?${query}`)).toEqual({ status: 400, reason: 'invalidParameter', message });
});

test('a refusal shows up to 200 characters of the place of a value', async () => {
  const answer = await server.ask(`/deep?meta[${'k'.repeat(1_500)}][__proto__]=1`);
  const message = expect.stringMatching(/'meta\/k{100,194}\S{0,10}'.*__proto__/);
  expect(answer).toEqual({ status: 400, reason: 'invalidParameter', message });
});

test('keys in brackets never change an object that others share', async () => {
  await server.ask('/deep?meta[constructor][prototype][polluted]=1');
  await server.ask('/deep?meta[toString]=1');
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

const encoded = encodeURIComponent('[9007199254740993]');
const ids = (target: string): Record<string, unknown> => (target.startsWith('/content/') ? { thing: [BIG] } : {});

/** Paths, headers, cookies and parameters with content, with what the handler is given. */
const EXACT: readonly (readonly [target: string, given: object, headers?: OutgoingHttpHeaders])[] = [
  ['/paths/a+b%2Bc', { params: { text: 'a+b+c' } }],
  ["/paths/it's-._~!$&()*,;:@=", { params: { text: "it's-._~!$&()*,;:@=" } }],
  ['/paths/a%2Fb%3Fc%23%25', { params: { text: 'a/b?c#%' } }],
  ['/paths/%2541', { params: { text: '%41' } }],
  ['/lists/a%2Cx,b', { params: { items: ['a,x', 'b'] } }],
  ['/lists/a%2cx%252C,b', { params: { items: ['a,x%2C', 'b'] } }],
  ['/things/rose/99/false/-2.5e1', { params: { word: 'rose', count: 99, flag: false, ratio: -25 } }],
  [`/ids/0,${BIG}`, { params: { ids: [0n, BIG] } }],
  ['/headers', { headers: { 'X-Text': 'Wed, 21 Oct  2026' } }, { 'X-Text': 'Wed, 21 Oct  2026' }],
  ['/headers', { headers: { 'X-Text': '"b, c"' } }, { 'X-Text': '"b, c"' }],
  ['/headers', { headers: { 'X-Text': 'a%20b+c' } }, { 'X-Text': 'a%20b+c' }],
  ['/headers', { headers: { 'X-Text': '' } }, { 'X-Text': '' }],
  ['/headers', { headers: { 'X-Ids': [1n, BIG, -1n] } }, { 'X-Ids': '1 ,\t9007199254740993,-1' }],
  ['/headers', { headers: { 'X-Ids': [1n, 2n] } }, { 'X-Ids': '1,, 2,' }],
  ['/headers', { headers: { 'X-Ids': [1n, 2n, 3n] } }, { 'X-Ids': ['1, 2', '3'] }],
  ['/headers', { headers: { 'X-Ids': [] } }, { 'X-Ids': '' }],
  ['/headers', { headers: { 'X-Json': { id: BIG } } }, { 'X-Json': '{"id":9007199254740993}' }],
  // OpenAPI ignores these header parameters ("Parameter Object").
  ['/headers', {}, { Accept: 'text/html', Authorization: 'Basic eDp5' }],
  // RFC 6265.
  ['/cookies', { cookies: { session: 'ab' } }, { Cookie: 'session=ab' }],
  [
    '/cookies',
    { cookies: { session: 'a b=c', id: BIG } },
    { Cookie: 'other=1; session="a b=c"; id=9007199254740993;' },
  ],
  ['/cookies', { cookies: { session: 'a b+c' } }, { Cookie: 'session=a%20b+c' }],
  ['/cookies', { cookies: { session: 'ab&x=1' } }, { Cookie: 'session=ab&x=1' }],
  ['/cookies', { cookies: { session: 'ab', list: ['a,x', 'b'] } }, { Cookie: 'session=ab;list=a%2Cx,b' }],
  ['/cookies', { cookies: { session: 'ab', ids: [1n, 2n] } }, { Cookie: 'session=ab; ids=1; ids=2' }],
  ['/cookies', { cookies: { session: 'ab', json: { id: BIG } } }, { Cookie: `session=ab; json={%22id%22:${BIG}}` }],
  ['/cookies', { cookies: { session: 'ab' } }, { Cookie: 'session=ab; broken; %FF=%FF; =x' }],
  [
    `/content/${encoded}?filter=${encodeURIComponent('{"id":9007199254740993,"tags":["a+b"]}')}`,
    { query: { filter: { id: BIG, tags: ['a+b'] } } },
  ],
  [`/content/${encoded}?plus=9007199254740993`, { query: { plus: BIG } }],
  [`/content/${encoded}?text={a+b`, { query: { text: '{a b' } }],
  [`/content/${encoded}?any=[{}]`, { query: { any: [{}] } }],
  [`/content/${encoded}?list=[9007199254740993]`, { query: { list: [BIG] } }],
  [`/scalars/${BIG}?n=5`, { params: { id: BIG }, query: { n: 5 } }],
];

test.each(EXACT)('%s arrives exactly as %j', async (target, given, headers = {}) => {
  expect(await server.ask(target, headers)).toEqual({ ...NOTHING, params: ids(target), ...given });
});

test.each([
  ['ids/1', ['/ids/1,-2', '/ids/1,02']],
  ['ids', ['/ids/1,2,3,4']],
  ['word', ['/things/a/5/true/1', '/things/roses1/5/true/1', '/things/Rose/5/true/1']],
  ['count', ['0', '100', '5.0', '0x5', '%205'].map((count) => `/things/rose/${count}/true/1`)],
  ['flag', ['/things/rose/5/1/1']],
  ['ratio', ['0.3', 'Infinity', '1e999', '.5'].map((ratio) => `/things/rose/5/true/${ratio}`)],
])('a path is refused with the name of its parameter %s', async (name, targets) => {
  const message = expect.stringContaining(`Path parameter '${name}' must`);
  for (const target of targets)
    expect(await server.ask(target)).toEqual({ status: 400, reason: 'invalidParameter', message });
});

test.each(['/paths/%FF', '/paths/%', '/lists/a,%C3', '/paths/a#b', '/paths/a?#b'])(
  'the target %s is malformed',
  async (target) => {
    expect(await server.ask(target)).toMatchObject({ status: 400, reason: 'malformedUrl' });
  },
);

const INVALID = { status: 400, reason: 'invalidParameter' };
const QUERIES_OF_CONTENT = ['filter={"id":"x"}', 'filter={', 'filter=', 'plus=1&plus=1'];
const CONTENTS = [...QUERIES_OF_CONTENT.map((query) => `${encoded}?${query}`), '%5B1.5%5D', 'x'];
const COOKIES = [
  'session=a',
  'Session=ab',
  'session=ab; id=x',
  'session=ab; session=cd',
  'session=%FF',
  'session=ab; json={',
];
const HEADERS: readonly OutgoingHttpHeaders[] = [
  // Only a header with a list may be repeated.
  ...[{ 'X-Text': ['a', 'b'] }, { 'X-Count': ['1', '1'] }, { 'X-Json': ['{}', '{}'] }],
  ...[{ 'X-Ids': '1,x' }, { 'X-Count': '0x1' }],
];
test.each<[target: string, headers: OutgoingHttpHeaders]>([
  ...HEADERS.map((headers): [string, OutgoingHttpHeaders] => ['/headers', headers]),
  ...['', ...COOKIES].map((Cookie): [string, OutgoingHttpHeaders] => ['/cookies', { Cookie }]),
  ...CONTENTS.map((target): [string, OutgoingHttpHeaders] => [`/content/${target}`, {}]),
  ...[`/scalars/${BIG}?n=x`, '/cookies'].map((target): [string, OutgoingHttpHeaders] => [target, {}]),
])('%s with %j is refused', async (target, headers) => {
  expect(await server.ask(target, headers)).toMatchObject(INVALID);
});

test('an API key in the query is no unknown name, nor a property of an object that takes any', async () => {
  const scheme = { type: 'apiKey', in: 'query', name: 'api_key' };
  const verifiers = { key: () => Promise.resolve({ name: 'someone' }) };
  const rest = { components: { securitySchemes: { key: scheme } }, security: [{ key: [] }] };
  const keyed = await serveParameters({ '/none': [], '/free': [query('others', FREE)] }, rest, verifiers);
  expect(await keyed.ask('/none?api_key=1')).toEqual(NOTHING);
  expect(await keyed.ask('/free?api_key=1&x=2')).toEqual({ ...NOTHING, query: { others: { x: 2n } } });
  expect(await keyed.ask('/none?api_key=1&api_keys=1')).toMatchObject({ status: 400, reason: 'unknownQueryParameter' });
  await keyed.close();
});

test('a parameter may have a name that every object has', async () => {
  const cookies = { ['__proto__']: 'c' };
  const asked = await server.ask(`/names/${BIG}?toString=q`, { Cookie: '__proto__=c' });
  expect(asked).toEqual({ ...NOTHING, params: { ['__proto__']: BIG }, query: { toString: 'q' }, cookies });
  expect(await server.ask(`/names/${BIG}?toString=q`, { constructor: 'h' })).toMatchObject({
    headers: { constructor: 'h' },
  });
  expect(await server.ask(`/names/${BIG}?valueOf=q`)).toMatchObject(INVALID);
});

test('a parameter is read by all that its schema says of its scalars and items', async () => {
  const int64 = { type: 'integer', format: 'int64' };
  const integers = { type: 'array', items: { type: 'integer' } };
  const schemas = {
    condition: { type: 'integer', if: { minimum: 10 }, then: { format: 'int64' } },
    numbers: { type: 'array', items: { type: 'number' }, contains: int64 },
    either: { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }] },
  };
  const parameters = Object.entries(schemas).map(([name, schema]) => ({ name, in: 'query', schema }));
  const simple = { name: 'X-Either', in: 'header', schema: { oneOf: [{ type: 'boolean' }, integers] } };
  const get = { parameters: [...parameters, simple], responses: { 204: { description: 'Done.' } } };
  const seen: unknown[] = [];
  const server = await serveDocument({ paths: { '/a': { get } } }, ({ query, headers }) => {
    seen.push([query, headers]);
    return { status: 204 };
  });
  const ask = async (query: string, headers = {}): Promise<unknown> => {
    const { status, text } = await server.request('GET', `/a?${query}`, { headers });
    return status === 204 ? seen.pop() : (JSON.parse(text) as { message: string }).message;
  };
  try {
    expect(await ask('condition=9007199254740993')).toEqual([{ condition: 9007199254740993n }, {}]);
    expect(await ask('numbers=1.5&numbers=9007199254740993')).toEqual([{ numbers: [1.5, 9007199254740993n] }, {}]);
    expect(await ask('either=5')).toEqual([{ either: 5 }, {}]);
    expect(await ask('either=abc')).toEqual([{ either: ['abc'] }, {}]);
    expect(await ask('either=')).toEqual([{ either: [''] }, {}]);
    expect(await ask('', { 'X-Either': '5' })).toEqual([{}, { 'X-Either': [5] }]);
    expect(await ask('', { 'X-Either': 'x' })).toContain("'X-Either'");
  } finally {
    await server.close();
  }
});
