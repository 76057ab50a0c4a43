import type { OutgoingHttpHeaders } from 'node:http';
import {
  combinedNames,
  KEYWORD_CASES,
  KEYWORD_SCHEMAS,
  MOST_VALUES,
  overlapping,
  REFERRED_SCHEMAS,
} from './keyword-cost-cases.ts';

/** The worst request of some size for one reader of what clients send. */
export interface CostCase {
  /** The reader, and what is sent to it. */
  readonly name: string;
  /** The request, of about this many bytes. */
  readonly request: (size: number) => CostRequest;
}

export interface CostRequest {
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  /** Whether the body is in the chunked coding, and sent as it is. */
  readonly isChunked?: boolean;
  /** Whether the body is read item by item: the time is proportional to their unlimited number. */
  readonly isStream?: boolean;
  /** Whether the body has requests that are sent behind one whose response is open. */
  readonly isPipelined?: boolean;
}

const TEXT = { type: 'string' };
const TEXTS = { type: 'array', items: TEXT };
const ANY = { type: 'object', additionalProperties: TEXT };
const CHOICE = {
  oneOf: Array.from({ length: 100 }, (_, index) => ({ type: 'integer', minimum: index * 10, maximum: index * 10 + 9 })),
};
const FRACTIONS = {
  anyOf: Array.from({ length: 100 }, (_, index) => ({ type: 'number', minimum: index * 10, maximum: index * 10 + 9 })),
};
const LISTED_INTEGERS = { type: 'integer', enum: Array.from({ length: 2_000 }, (_, index) => index) };
const PATTERNED = {
  type: 'object',
  allOf: Array.from({ length: 8 }, (_, at) => ({
    anyOf: [
      { type: 'object', properties: { [`p${at}`]: TEXT } },
      { type: 'object', properties: { [`q${at}`]: TEXT } },
    ],
  })),
  patternProperties: { '^a': { type: 'integer' }, '^[a-m]': { type: 'integer' } },
};

/** A choice within itself, beside what always holds. */
const CHOSEN = {
  type: 'object',
  properties: { child: { $ref: '#/components/schemas/Chosen' } },
  anyOf: ['a', 'b'].map((name) => ({
    properties: {
      [name]: TEXT,
      child: { anyOf: [{ $ref: '#/components/schemas/Chosen' }, { type: 'null' }] },
    },
  })),
};
/** Names of values so deep in each other. */
const chosen = (size: number, levels: number): string =>
  numbered(size, (index) => `o${'[child]'.repeat(levels)}[a${index}]=1`, '&');

const KINDS = Array.from({ length: 50 }, (_, index) => `k${index}`);

const parameter = (name: string, location: string, schema: object, more: object = {}): object => ({
  name,
  in: location,
  schema,
  ...(location === 'path' ? { required: true } : {}),
  ...more,
});
const json = (name: string, location: string): object => ({
  name,
  in: location,
  content: { 'application/json': { schema: {} } },
});

const ANSWER = {
  description: 'One of several.',
  content: { 'application/json': {}, 'text/csv': {}, 'image/*': {} },
};
const get = (...parameters: readonly object[]): object => ({
  get: { parameters, responses: { 200: ANSWER } },
});
const post = (type: string, schema: object, more: object = {}): { readonly post: object } => ({
  post: { requestBody: { content: { [type]: { schema, ...more } } }, responses: { 200: ANSWER } },
});

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The streams of items by path, each with the schema of an item. */
export const STREAMS: Readonly<Record<string, readonly [type: string, item: object]>> = {
  '/stream/lines': ['application/jsonl', { type: ['integer', 'array', 'object', 'string'], format: 'int64' }],
  '/stream/records': ['application/json-seq', { type: ['integer', 'array'], format: 'int64' }],
  '/stream/events': ['text/event-stream', { type: 'object', properties: { data: TEXT } }],
  '/stream/json-events': [
    'text/event-stream',
    { type: 'object', properties: { data: { ...TEXT, contentMediaType: 'application/json', contentSchema: {} } } },
  ],
};

/** A contract with each kind of reader. */
export const COST_CONTRACT = {
  openapi: '3.1.0',
  info: { title: 'Cost', version: '1.0.0' },
  components: {
    schemas: { ...REFERRED_SCHEMAS, Chosen: CHOSEN },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      key: { type: 'apiKey', in: 'cookie', name: 'key' },
    },
  },
  paths: {
    '/hold': get(),
    '/simple/{ids}': get(parameter('ids', 'path', TEXTS)),
    '/label/{ids}': get(parameter('ids', 'path', TEXTS, { style: 'label', explode: true })),
    '/matrix/{ids}': get(parameter('ids', 'path', ANY, { style: 'matrix', explode: true })),
    '/query': get(
      parameter('a', 'query', TEXTS),
      parameter('b', 'query', TEXTS, { style: 'spaceDelimited', explode: false }),
      parameter('c', 'query', TEXTS, { style: 'pipeDelimited', explode: false }),
      parameter('d', 'query', ANY, { style: 'deepObject' }),
      parameter('e', 'query', { type: 'integer' }),
      json('f', 'query'),
    ),
    '/free': get(parameter('any', 'query', ANY, { style: 'form', explode: true })),
    '/free-objects': get(...Array.from({ length: 30 }, (_, index) => parameter(`o${index}`, 'query', ANY))),
    '/lists': get(...Array.from({ length: 100 }, (_, index) => parameter(`X-${index}`, 'header', TEXTS))),
    '/headers': get(
      parameter('X-List', 'header', TEXTS),
      parameter('X-Object', 'header', ANY, { explode: true }),
      json('X-Json', 'header'),
    ),
    '/cookies': get(parameter('a', 'cookie', TEXTS), parameter('b', 'cookie', ANY)),
    '/secure': { get: { security: [{ bearer: [] }, { basic: [] }, { key: [] }, {}], responses: { 200: ANSWER } } },
    '/conditional': { put: { responses: { 200: ANSWER } } },
    '/json': post('application/json', {}),
    '/text': post('text/plain', TEXT),
    '/number': post('text/plain', { type: 'integer' }),
    '/bytes': post('application/octet-stream', {}),
    '/form': post(FORM, { type: 'object', properties: { list: TEXTS, n: { type: 'number' }, o: { type: 'object' } } }),
    '/choices': post(FORM, {
      type: 'object',
      properties: {
        list: { type: 'array', items: CHOICE },
        fractions: { type: 'array', items: FRACTIONS },
        listed: { type: 'array', items: LISTED_INTEGERS },
      },
    }),
    '/chosen': {
      ...get(parameter('o', 'query', CHOSEN, { style: 'deepObject' })),
      ...post(FORM, { type: 'object', properties: { o: CHOSEN } }),
    },
    '/patterned': post(FORM, PATTERNED),
    '/overlapping': post(
      FORM,
      overlapping((index) => ({ type: 'object', properties: { [`a${index}`]: TEXT } })),
    ),
    ...Object.fromEntries(
      Object.entries(KEYWORD_SCHEMAS).map(([path, schema]) => [path, post('application/json', schema)]),
    ),
    '/parts': post(MULTIPART, { type: 'object', properties: { a: TEXTS, b: { type: 'string', format: 'binary' } } }),
    '/beside': {
      post: {
        ...post(MULTIPART, { type: 'object', properties: { a: TEXTS } }).post,
        parameters: [parameter('q', 'query', TEXTS), parameter('X-Object', 'header', ANY, { explode: true })],
      },
    },
    '/files': post(
      MULTIPART,
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string', format: 'binary' } } } },
      {
        encoding: { a: { contentType: 'image/png, image/jpeg', headers: { 'X-N': { schema: { type: 'integer' } } } } },
      },
    ),
    '/related': post(
      'multipart/related',
      { type: 'object', properties: Object.fromEntries(KINDS.map((kind) => [kind, TEXTS])) },
      { encoding: Object.fromEntries(KINDS.map((kind) => [kind, { contentType: `application/${kind}` }])) },
    ),
    '/related-kinds': post(
      'multipart/related',
      { type: 'object', properties: Object.fromEntries(KINDS.map((kind) => [kind, TEXTS])) },
      { encoding: Object.fromEntries(KINDS.map((kind) => [kind, { contentType: `application/k; kind=${kind}` }])) },
    ),
    '/mixed': post('multipart/mixed', {}, { 'x-itemSchema': TEXTS }),
    ...Object.fromEntries(
      Object.entries(STREAMS).map(([path, [type, item]]) => [path, post(type, {}, { 'x-itemSchema': item })]),
    ),
    '/described': post(
      MULTIPART,
      { type: 'object', properties: { a: TEXTS } },
      { encoding: { a: { headers: { 'X-List': { schema: TEXTS } } } } },
    ),
  },
};

const repeat = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));
const numbered = (size: number, item: (index: number) => string, separator: string): string => {
  const length = item(0).length + separator.length + 4;
  return Array.from({ length: Math.ceil(size / length) }, (_, index) => item(index)).join(separator);
};

/** A case whose body is some text between others. */
function bodies(path: string, type: string, cases: Readonly<Record<string, (size: number) => string>>): CostCase[] {
  return Object.entries(cases).map(([name, body]) => ({
    name: `${path}: ${name}`,
    request: (size) => ({ path, headers: { 'Content-Type': type }, body: body(size), isStream: path in STREAMS }),
  }));
}

function headers(path: string, name: string, cases: Readonly<Record<string, (size: number) => string>>): CostCase[] {
  return Object.entries(cases).map(([what, value]) => ({
    name: `${name}: ${what}`,
    request: (size) => ({ path, headers: { [name]: value(size) } }),
  }));
}

function urls(cases: Readonly<Record<string, (size: number) => string>>): CostCase[] {
  return Object.entries(cases).map(([name, url]) => ({ name, request: (size) => ({ path: url(size) }) }));
}

const part = (headers: string, content = 'x'): string => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
const DISPOSITION = 'Content-Disposition: form-data; name=a';
/** Parts whose headers are as large as they may be. */
const parts = (header: (size: number) => string) => (size: number) =>
  `${repeat(part(`${DISPOSITION}\r\n${header(15_000)}`), size)}--b--`;

/** The worst cases that were found, and those of the same kind. */
export const COST_CASES: readonly CostCase[] = [
  ...urls({
    'path, simple: commas': (size) => `/simple/${repeat(',', size)}`,
    'path, label: dots': (size) => `/label/${repeat('.', size)}`,
    'path, matrix: names': (size) => `/matrix/${numbered(size, (index) => `;a${index}=1`, '')}`,
    'path: slashes': (size) => repeat('/a', size),
    'path: percent signs': (size) => `/simple/${repeat('%41', size)}`,
    'query: a repeated name': (size) => `/query?${repeat('a=1&', size)}a=1`,
    'query: ampersands': (size) => `/query?${repeat('&', size)}`,
    'query: names that are free': (size) => `/free?${numbered(size, (index) => `a${index}=1`, '&')}`,
    'query, spaceDelimited: spaces': (size) => `/query?b=${repeat('%20', size)}`,
    'query, pipeDelimited: bars': (size) => `/query?c=${repeat('|', size)}`,
    'query: names that are free for many': (size) => `/free-objects?${numbered(size, (index) => `a${index}=1`, '&')}`,
    'query, deepObject: keys': (size) => `/query?${numbered(size, (index) => `d[a${index}]=1`, '&')}`,
    'query, deepObject: choices within choices': (size) => `/chosen?${chosen(size, 30)}`,
    'query, deepObject: brackets': (size) => `/query?d${repeat('[a]', size)}=1`,
    'query, deepObject: open brackets': (size) => `/query?d${repeat('[', size)}=1`,
    'query, integer: digits': (size) => `/query?e=${repeat('1', size)}`,
    'query, JSON: brackets': (size) => `/query?f=${repeat('[', size)}`,
    'query, JSON: quotes': (size) => `/query?f=%22${repeat('\\"', size)}`,
  }),
  ...headers('/headers', 'X-List', {
    spaces: (size) => `a${repeat(' ', size)}b`,
    'spaces before commas': (size) => `${repeat(`${' '.repeat(1000)}a,`, size)}b`,
    commas: (size) => repeat(',', size),
    'tabs and commas': (size) => repeat('\t,\t', size),
  }),
  {
    name: 'X-0 to X-99: commas',
    request: (size) => {
      const line = repeat('a,', size / 100);
      return { path: '/lists', headers: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`X-${at}`, line])) };
    },
  },
  ...headers('/headers', 'X-Object', { pairs: (size) => numbered(size, (index) => `a${index}=1`, ', ') }),
  ...headers('/headers', 'X-Json', { 'open brackets': (size) => repeat('[', size) }),
  ...headers('/headers', 'Accept', {
    ranges: (size) => repeat('*/*,', size),
    'ranges with parameters': (size) => repeat('text/csv;q=0.1;a=b,', size),
    quotes: (size) => repeat('a/b;c="', size),
    commas: (size) => repeat(',', size),
  }),
  ...headers('/cookies', 'Cookie', {
    pairs: (size) => numbered(size, (index) => `c${index}=1`, '; '),
    'a repeated name': (size) => repeat('a=1; ', size),
    ampersands: (size) => `a=${repeat('1&', size)}`,
    quotes: (size) => `a="${repeat('"', size)}`,
    commas: (size) => `a=${repeat(',', size)}`,
  }),
  ...headers('/secure', 'Authorization', {
    spaces: (size) => `Bearer ${repeat(' ', size)}x`,
    'a long scheme': (size) => repeat('B', size),
    base64: (size) => `Basic ${repeat('AAAA', size)}!`,
  }),
  ...headers('/secure', 'Cookie', { keys: (size) => repeat('key=; ', size) }),
  ...headers('/conditional', 'If-None-Match', {
    commas: (size) => repeat(', ', size),
    tags: (size) => `${repeat('"a" ,\t', size)}!`,
    spaces: (size) => `"a"${repeat(' ', size)}!`,
  }),
  {
    name: 'Content-Type: parameters',
    request: (size) => {
      const headers = { 'Content-Type': `application/json${repeat(';a="b" ', size)}` };
      return { path: '/json', headers, body: '1' };
    },
  },
  {
    name: 'Content-Type: names of parameters',
    request: (size) => {
      const headers = { 'Content-Type': `application/json${numbered(size, (index) => `;a${index}= "\\""`, '')}` };
      return { path: '/json', headers, body: '1' };
    },
  },
  ...bodies('/json', 'application/json', {
    'a text': (size) => `"${repeat('x', size)}"`,
    'escaped quotes': (size) => `"${repeat('\\"', size)}"`,
    backslashes: (size) => `"${repeat('\\\\', size)}"`,
    'a text without end': (size) => `"${repeat('\\"', size)}`,
    'texts of quotes': (size) => `[${repeat('"\\"",', size)}""]`,
    objects: (size) => `[${repeat('{},', size)}{}]`,
    'as many objects as allowed': () => `[${'{},'.repeat(MOST_VALUES)}{}]`,
    arrays: (size) => repeat('[', size),
    keys: (size) => `{${numbered(size, (index) => `"k${index}":1`, ',')}}`,
    'keys like indexes': (size) => `{${numbered(size, (index) => `"${index * 65_536}":1`, ',')}}`,
    digits: (size) => repeat('1', size),
    'numbers of a thousand digits': (size) => `[${repeat(`${'1'.repeat(1000)},`, size)}1]`,
    'numbers with an exponent': (size) => `[${repeat('1e999999999,', Math.min(size, 200_000))}1]`,
    'white space': (size) => `${repeat(' \n', size)}1`,
    'half a literal': (size) => repeat('t', size),
  }),
  ...bodies('/text', 'text/plain', { a: (size) => repeat('a', size), percent: (size) => repeat('%', size) }),
  ...bodies('/number', 'text/plain', { digits: (size) => repeat('1', size) }),
  ...bodies('/form', FORM, {
    names: (size) => numbered(size, (index) => `a${index}=1`, '&'),
    'a repeated name': (size) => repeat('list=1&', size),
    'as many values as allowed': () => `list=1${'&list=1'.repeat(MOST_VALUES)}`,
    'empty pairs': (size) => repeat('&', size),
    'keys in brackets': (size) => numbered(size, (index) => `o[k${index}]=1`, '&'),
    'indexes in brackets': (size) => numbered(size, (index) => `x[${index}]=1`, '&'),
    'nested brackets': (size) => `o${repeat('[a]', size)}=1`,
    'nested brackets of many names': (size) => numbered(size, (index) => `k${index}${'[a]'.repeat(31)}=`, '&'),
    'open brackets': (size) => `o${repeat('[', size)}=1`,
    'items in brackets': (size) => repeat('x[][a]=1&', size),
    digits: (size) => `n=${repeat('1', size)}`,
    'JSON objects': (size) => `o=${repeat('[{}],', size)}`,
    'percent signs': (size) => `list=${repeat('%41', size)}`,
    'plus signs': (size) => `list=${repeat('+', size)}`,
  }),
  ...bodies('/choices', FORM, {
    integers: (size) => repeat('list=995&', Math.min(size, 9 * MOST_VALUES)),
    fractions: (size) => repeat('fractions=995.5e0&', Math.min(size, 18 * MOST_VALUES)),
    'listed integers': (size) => repeat('listed=1999&', Math.min(size, 12 * MOST_VALUES)),
  }),
  ...bodies('/chosen', FORM, { 'choices within choices': (size) => chosen(size, 30) }),
  ...bodies('/patterned', FORM, { names: (size) => numbered(size, (index) => `a${index}=1`, '&') }),
  ...bodies('/overlapping', FORM, {
    names: (size) => combinedNames(size, (name) => `${name}={}`, '&'),
    'names with keys': (size) => combinedNames(size, (name) => `${name}[a0]=1`, '&'),
  }),
  ...bodies('/related', 'multipart/related; boundary=b', {
    'parameters of a type': (size) =>
      `${repeat(`--b\r\nContent-Type: application/k7${numbered(15_000, (index) => `;a${index}=b`, '')}\r\n\r\nx\r\n`, size)}--b--`,
  }),
  ...bodies('/related-kinds', 'multipart/related; boundary=b', {
    'parameters of a type': (size) =>
      `${repeat(`--b\r\nContent-Type: application/k; kind=k7${numbered(15_000, (index) => `;a${index}=${'b'.repeat(150)}`, '')}\r\n\r\nx\r\n`, size)}--b--`,
  }),
  ...bodies('/mixed', 'multipart/mixed; boundary=b', {
    // A stream has no limit of their number: the handler asks for each of them.
    'small parts': (size) => `${repeat('--b\r\n\r\n[]\r\n', Math.min(size, 15_000))}--b--`,
    'parts with large headers': (size) => `${repeat(`--b\r\nX: ${' '.repeat(14_000)}\r\n\r\n[]\r\n`, size)}--b--`,
    'folded headers': (size) => `${repeat(`--b\r\nX: x${'\r\n '.repeat(4_000)}\r\n\r\n[]\r\n`, size)}--b--`,
    'line breaks': (size) => `${repeat(`--b\r\n\r\n[${'\r\n'.repeat(50_000)}]\r\n`, size)}--b--`,
    'a text in front of the first part': (size) => `${repeat('\r\n--', size)}\r\n--b\r\n\r\n[]\r\n--b--`,
    'a long text behind the end': (size) => `--b\r\n\r\n[]\r\n--b--${repeat(' ', size)}`,
  }),
  ...bodies('/parts', `${MULTIPART}; boundary=b`, {
    'headers of spaces': parts((size) => `X: x${repeat(' ', size)}y`),
    'folded headers': parts((size) => `X: x${repeat('\r\n ', size)}y`),
    'headers of colons': parts((size) => repeat(':', size)),
    'many headers': parts((size) => numbered(size, (index) => `X${index}: y`, '\r\n')),
    'parameters of a disposition': (size) =>
      `${repeat(part(`Content-Disposition: form-data${numbered(14_000, (index) => `; a${index}=b`, '')}; name=a`), size)}--b--`,
    'spaces in a disposition': (size) =>
      `${repeat(part(`Content-Disposition: form-data;${' '.repeat(14_000)}name=a`), size)}--b--`,
    'quotes in a disposition': (size) =>
      `${repeat(part(`Content-Disposition: form-data; name="${'"'.repeat(14_000)}`), size)}--b--`,
    'file names of slashes': (size) => `${repeat(part(`${DISPOSITION}; filename="${'/'.repeat(14_000)}"`), size)}--b--`,
    'file names of backslashes': (size) =>
      `${repeat(part(`${DISPOSITION}; filename="${'\\'.repeat(14_000)}"`), size)}--b--`,
    'parameters of a type': parts((size) => `Content-Type: text/plain${repeat(';a=b', size)}`),
    'small parts': (size) => `${repeat(part(DISPOSITION), size)}--b--`,
    'as many parts as allowed': () => `${part(DISPOSITION).repeat(999)}--b--`,
    'line breaks': (size) => `${part(DISPOSITION, repeat('\r\n-', size))}--b--`,
    'no boundary': (size) => repeat('\r\n--', size),
    'a long text behind the end': (size) => `${part(DISPOSITION)}--b--${repeat(' ', size)}`,
  }),
  {
    name: '/beside: parts and parameters',
    request: (size) => {
      const pairs = numbered(Math.min(size, 15_000), (index) => `a${index}=1`, ', ');
      const headers = { 'Content-Type': `${MULTIPART}; boundary=b`, 'X-Object': pairs };
      const body = `${part(DISPOSITION).repeat(Math.min(999, Math.ceil(size / part(DISPOSITION).length)))}--b--`;
      return { path: `/beside?${repeat('q=&', Math.min(size, 15_000))}q=`, headers, body };
    },
  },
  ...bodies('/files', `${MULTIPART}; boundary=b`, {
    'as many as allowed': () =>
      `${part(`${DISPOSITION}; filename=x\r\nContent-Type: image/png\r\nX-N: 5`).repeat(999)}--b--`,
  }),
  ...bodies('/described', `${MULTIPART}; boundary=b`, {
    'lists in headers': parts((size) => `X-List: ${repeat('a,', size)}`),
  }),
  ...bodies('/stream/lines', 'application/jsonl', {
    // Each item is validated alone, so that a stream of the smallest costs the most.
    'small items': (size) => repeat('1\n', size / 8),
    'blank lines': (size) => repeat('\n', size),
    'spaces and carriage returns': (size) => repeat(' \r', size),
    'an item without end': (size) => repeat('[', size),
    'texts of quotes': (size) => `"${repeat('\\"', size)}"`,
    'items with numbers of a thousand digits': (size) => repeat(`${'1'.repeat(1_000)}\n`, size),
    'as many values in each item as allowed': (size) => repeat(`[1${',1'.repeat(MOST_VALUES - 2)}]\n`, size),
  }),
  ...bodies('/stream/records', 'application/json-seq', {
    'small items': (size) => repeat('\x1e1\n', size / 8),
    separators: (size) => repeat('\x1e', size),
    'white space': (size) => `\x1e${repeat(' \n', size)}1\n`,
    'cut items': (size) => repeat('\x1e1', size),
  }),
  ...bodies('/stream/events', 'text/event-stream', {
    'small events': (size) => repeat('data\n\n', size / 8),
    'lines of data': (size) => `${repeat('data\n', size)}\n`,
    comments: (size) => repeat(':\n', size),
    'unknown fields': (size) => repeat('a:\n', size),
    'events without data': (size) => repeat('id:1\n\n', size),
    'carriage returns': (size) => repeat('\r', size),
    colons: (size) => `data${repeat(':', size)}\n\n`,
    digits: (size) => `retry:${repeat('1', size)}\ndata\n\n`,
  }),
  ...bodies('/stream/json-events', 'text/event-stream', {
    'small events': (size) => repeat('data:1\n\n', size / 8),
    'JSON in many lines': (size) => `data:[\n${repeat('data:\n', size)}data:]\n\n`,
    brackets: (size) => `data:${repeat('[', size)}\n\n`,
  }),
  {
    name: '/parts: beginnings of a long boundary',
    request: (size) => {
      const boundary = 'a'.repeat(70);
      const body = `--${boundary}\r\n${DISPOSITION}\r\n\r\n${repeat(`\r\n--${'a'.repeat(69)}`, size)}\r\n--${boundary}--`;
      return { path: '/parts', headers: { 'Content-Type': `${MULTIPART}; boundary=${boundary}` }, body };
    },
  },
  ...[
    ['/json', 'application/json'],
    ['/parts', `${MULTIPART}; boundary=b`],
    ['/bytes', 'application/octet-stream'],
  ].map(([path = '', type = '']) => ({
    name: `${path}: chunks of one byte`,
    request: (size: number): CostRequest => {
      const headers = { 'Content-Type': type };
      return { path, headers, body: `${repeat('1\r\n1\r\n', size)}0\r\n\r\n`, isChunked: true };
    },
  })),
  ...[
    ['no path', 'GET /none'],
    ['another method', 'TRACE /hold'],
    ['the methods of a path', 'OPTIONS /hold'],
    ['the methods of the server', 'OPTIONS *'],
    ['a malformed URL', 'GET /simple/%zz'],
  ].map(([name = '', line = '']) => ({
    name: `pipeline: requests of ${name}`,
    request: (size: number): CostRequest => {
      // Node.js begins few requests of this length at once; the smallest case exceeds the queue.
      const request = `${line} HTTP/1.1\r\nHost: h\r\nX-Padding: ${'x'.repeat(300)}\r\n\r\n`;
      const requests = repeat(request, Math.max(size, 64 * 1024));
      return { path: '/hold', body: requests, isPipelined: true };
    },
  })),
  ...KEYWORD_CASES,
];
