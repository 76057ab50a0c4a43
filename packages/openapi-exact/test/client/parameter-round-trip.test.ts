import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serveForClient, type ServedContract } from './served-contract.ts';

const BIG = 9007199254740993n;
const INT64 = { type: 'integer', format: 'int64' };
const TEXTS = { type: 'array', items: { type: 'string' } };
const OBJECT = {
  type: 'object',
  properties: { id: INT64, text: { type: 'string' } },
  additionalProperties: false,
};
const HARD = "a/b?c#d&e=f;g,h+i%20j.k:l@m'n(o)[p]{q}|r s";
const OUTER_SPACE = ' a ';

/** Values of parameters by the name of their kind, with the schema of each. */
const KINDS: Readonly<Record<string, { readonly schema: object; readonly values: readonly unknown[] }>> = {
  text: { schema: { type: 'string' }, values: ['a', HARD, 'ä', '€', OUTER_SPACE, '.', '..', '%2e', ';x'] },
  integer: { schema: INT64, values: [BIG, -1n] },
  number: { schema: { type: 'number' }, values: [1.5, -0.25] },
  integers: { schema: { type: 'array', items: INT64 }, values: [[1n, BIG], [7n]] },
  numbers: { schema: { type: 'array', items: { type: 'number' } }, values: [[1.5, 2]] },
  texts: {
    schema: TEXTS,
    values: [['a', 'b'], [HARD], ['a,b', 'c'], ['a b', 'c'], ['a|b', 'c'], ['a.b', 'c'], ['.', '.'], ['a', ''], ['ä']],
  },
  object: { schema: OBJECT, values: [{ id: BIG, text: 'a' }, { text: HARD }, { id: 1n, text: 'a=b' }] },
  listsInside: {
    schema: { type: 'object', properties: { ids: { type: 'array', items: INT64 }, texts: TEXTS, object: OBJECT } },
    values: [
      { ids: [BIG, 1n], texts: ['a'] },
      { ids: [7n], texts: ['a', 'b'], object: { id: BIG } },
    ],
  },
};
const NESTED = { list: ['a', 'b'], one: ['c'], inner: { id: BIG } };
const NESTED_SCHEMA = {
  type: 'object',
  properties: { list: TEXTS, one: TEXTS, inner: OBJECT },
  additionalProperties: false,
};

const STYLES: Readonly<Record<string, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
  header: ['simple'],
  cookie: ['form'],
};
const GROUPS: Readonly<Record<string, string>> = {
  path: 'params',
  query: 'query',
  header: 'headers',
  cookie: 'cookies',
};

/** The values that the styles of some paths cannot write. */
const UNWRITABLE: readonly (readonly [paths: RegExp, cannotWrite: (value: unknown) => boolean])[] = [
  [/^\/path-simple-\w+-text/, (value) => value === '.' || value === '..'],
  [/^\/path-label-\w+-text/, (value) => value === '.'],
  [/^\/header-\w+-\w+-text$/, (value) => value === '€' || value === OUTER_SPACE],
  [/^\/header-simple/, (value) => textsIn(value).some((text) => text === '' || text.includes(','))],
  [/^\/query-spaceDelimited-false/, (value) => textsIn(value).some((text) => text.includes(' '))],
  [/^\/query-pipeDelimited-false/, (value) => textsIn(value).some((text) => text.includes('|'))],
];

function textsIn(value: unknown): string[] {
  return Object.values(typeof value === 'object' && value !== null ? value : {})
    .flat()
    .map(String);
}

interface Row {
  readonly location: string;
  readonly path: string;
  readonly parameter: object;
  readonly values: readonly unknown[];
}

const rows: Row[] = Object.entries(STYLES).flatMap(([location, styles]) =>
  styles.flatMap((style) =>
    [false, true].flatMap((explode) =>
      Object.entries(KINDS)
        .filter(([kind]) => !style.endsWith('Delimited') || kind === 'texts' || kind === 'integers')
        .map(([kind, { schema, values }]) =>
          rowOf(location, `${style}-${String(explode)}-${kind}`, { style, explode, schema }, values),
        ),
    ),
  ),
);
for (const location of Object.keys(STYLES)) {
  const content = { 'application/json': { schema: { ...OBJECT, type: ['object', 'null'] } } };
  rows.push(rowOf(location, 'json', { content }, [{ id: BIG, text: `${HARD}ä€` }, {}, null]));
  rows.push(rowOf(location, 'range', { content: { '*/*': { schema: OBJECT } } }, [{ id: BIG, text: HARD }]));
}
rows.push(
  rowOf('query', 'deep', { style: 'deepObject', explode: true, schema: OBJECT }, KINDS['object']?.values ?? []),
  rowOf('query', 'nested', { style: 'deepObject', explode: true, schema: NESTED_SCHEMA }, [NESTED]),
  rowOf('query', 'untyped', { style: 'deepObject', explode: true, schema: { type: 'object' } }, [
    { texts: ['a', 'b'], one: ['c'], object: { list: ['d'] } },
  ]),
  rowOf('header', 'empty', { schema: TEXTS }, [[]]),
);

function rowOf(location: string, name: string, rest: object, values: readonly unknown[]): Row {
  const path = `/${location}-${name}${location === 'path' ? '/{value}' : ''}`;
  return { location, path, parameter: { name: 'value', in: location, required: location === 'path', ...rest }, values };
}

/** Expects a call to fail before it is sent, with a message that names these. */
async function expectRefused(call: Promise<unknown>, ...named: readonly string[]): Promise<void> {
  await expect(call).rejects.toBeInstanceOf(TypeError);
  for (const part of named) await expect(call).rejects.toThrow(part);
}

describe('a parameter arrives as it was given, or is refused before anything is sent:', () => {
  let served: ServedContract;
  beforeAll(async () => {
    const responses = { 204: { description: 'Seen.' } };
    served = await serveForClient(
      Object.fromEntries(rows.map(({ path, parameter }) => [path, { get: { parameters: [parameter], responses } }])),
    );
  });
  afterAll(() => served.close());

  test.each(rows)('$path', async ({ location, path, values }) => {
    const results: unknown[] = [];
    // In turn, since the server remembers one request.
    for (const value of values) results.push(await outcomeOf(location, path, value));
    const cannotWrite = UNWRITABLE.find(([paths]) => paths.test(path))?.[1] ?? ((): boolean => false);
    expect(results).toEqual(values.map((value) => (cannotWrite(value) ? 'TypeError' : value)));
  });

  async function outcomeOf(location: string, path: string, value: unknown): Promise<unknown> {
    try {
      await served.client().GET(path, { params: { [location]: { value } } });
    } catch (error) {
      return error instanceof TypeError ? 'TypeError' : String(error);
    }
    const group: unknown = served.request[GROUPS[location] ?? ''];
    return Reflect.get(Object(group), 'value');
  }
});

describe('a value that has no text in its style is refused, with the place and what would be right:', () => {
  const ANY = { type: ['string', 'array', 'object', 'null'] };
  const refused: readonly (readonly [location: string, rest: object, value: unknown, named: string])[] = [
    ['query', {}, null, 'null'],
    ['query', {}, ['a', null], 'null'],
    ['query', {}, [], 'empty list'],
    ['query', { explode: false }, { a: 'b', c: [] }, 'empty list'],
    ['query', { style: 'deepObject' }, { a: { b: [] } }, 'empty list'],
    ['query', {}, NaN, 'NaN'],
    ['header', {}, Infinity, 'Infinity'],
    ['query', {}, 'a\ud800', 'surrogate'],
    ['query', {}, { '\udc00': 'a' }, 'surrogate'],
    ['header', {}, {}, 'empty list'],
    ['header', { explode: true }, { 'a=b': 'c' }, "'a=b'"],
    ['cookie', {}, [], 'empty list'],
    ['cookie', {}, { 'a b': 'c' }, "'a b'"],
  ];
  let served: ServedContract;
  beforeAll(async () => {
    const responses = { 204: { description: 'Seen.' } };
    const paths = refused.map(([location, rest], index): [string, object] => {
      const parameter = { name: 'value', in: location, schema: ANY, ...rest };
      return [`/${index}`, { get: { parameters: [parameter], responses } }];
    });
    served = await serveForClient(Object.fromEntries(paths));
  });
  afterAll(() => served.close());

  test.each(refused.map(([location, , value, named], index) => ({ index, location, value, named })))(
    '$location $value',
    async ({ index, location, value, named }) => {
      const call = served.client().GET(`/${index}`, { params: { [location]: { value } } });
      await expectRefused(call, `params.${location}.value `, named);
    },
  );
});

describe('a path parameter leads to its own operation, or is refused:', () => {
  const PATHS = ['/users/{name}', '/users/me', '/files/{name}', '/files/{name}.json', '/parts/{a}-{b}', '/{x}/last'];
  let served: ServedContract;
  beforeAll(async () => {
    const responses = { 204: { description: 'Seen.' } };
    const paths = PATHS.map((path): [string, object] => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
      return [path, { get: { parameters, responses } }];
    });
    served = await serveForClient(Object.fromEntries(paths));
  });
  afterAll(() => served.close());

  test.each([
    ['/users/{name}', { name: 'you' }],
    ['/users/{name}', { name: 'me/' }],
    ['/users/{name}', { name: 'Me' }],
    ['/users/{name}', { name: 'last' }],
    ['/files/{name}', { name: '.json' }],
    ['/files/{name}.json', { name: 'a.json' }],
    ['/parts/{a}-{b}', { a: 'a-b', b: 'c' }],
    ['/parts/{a}-{b}', { a: 'a', b: '-' }],
    ['/{x}/last', { x: 'x' }],
  ])('%s %j arrives', async (path, values) => {
    await served.client().GET(path, { params: { path: values } });
    expect(served.request['params']).toEqual(values);
  });

  test.each<[path: string, values: object, ...named: string[]]>([
    ['/users/{name}', { name: 'me' }, 'params.path.name', '/users/me'],
    ['/files/{name}', { name: 'a.json' }, 'params.path.name', '/files/{name}.json'],
    ['/{x}/last', { x: 'users' }, 'params.path.x', '/users/{name}'],
    ['/parts/{a}-{b}', { a: 'a', b: 'b-c' }, 'params.path.a and params.path.b', "'a-b-c'"],
  ])('%s %j is refused, with the place and the other operation', async (path, values, ...named) => {
    await expectRefused(served.client().GET(path, { params: { path: values } }), ...named);
  });
});

/** Serves a GET of / with some parameters, for the time of a function. */
async function withParameters(
  parameters: readonly object[],
  use: (served: ServedContract) => Promise<void>,
): Promise<void> {
  const served = await serveForClient({ '/': { get: { parameters, responses: { 204: { description: 'Seen.' } } } } });
  try {
    await use(served);
  } finally {
    await served.close();
  }
}

test.each(['query', 'cookie'])('an exploded object cannot set another parameter: %s', async (location) => {
  const any = { type: 'object', additionalProperties: { type: 'string' } };
  const schemas = { filter: any, limit: { type: 'integer' } };
  const parameters = Object.entries(schemas).map(([name, schema]) => ({ name, in: location, schema }));
  await withParameters(parameters, async (served) => {
    const call = (filter: object): Promise<unknown> => served.client().GET('/', { params: { [location]: { filter } } });
    await call({ filter: 'a', constructor: 'b' });
    expect(served.request[GROUPS[location] ?? '']).toEqual({ filter: { filter: 'a', constructor: 'b' } });
    await expectRefused(call({ a: 'b', limit: '5' }), `params.${location}.filter `, "'limit'");
  });
});

test('a cookie is found by its name and its keys, whatever signs of RFC 6265 they have', async () => {
  const names = ['a%20b', 'ids[]', 'session:id', "!#$'*+-.^_`|~"];
  const parameters = names.map((name) => ({ name, in: 'cookie', schema: { type: 'string' } }));
  const schema = { type: 'object', properties: { 'k[]:%41': { type: 'string' } } };
  await withParameters([...parameters, { name: 'keys', in: 'cookie', schema }], async (served) => {
    const cookie = { ...Object.fromEntries(names.map((name) => [name, `;,= ${name}`])), keys: { 'k[]:%41': 'v' } };
    await served.client().GET('/', { params: { cookie } });
    expect(served.request['cookies']).toEqual(cookie);
  });
});

test('a parameter with the name of a property of every object is written in its own style', async () => {
  const names = { constructor: undefined, list: { style: 'form', explode: false } };
  const parameters = Object.entries(names).map(([name, style]) => ({ name, in: 'query', schema: TEXTS, ...style }));
  await withParameters(parameters, async (served) => {
    const query = { constructor: ['a', 'b'], list: ['c', 'd'] };
    await served.client().GET('/', { params: { query } });
    expect(served.request['query']).toEqual(query);
  });
});

test('a cookie joins those of the option headers, and is refused where fetch drops it, as in a page', async () => {
  const parameters = ['sid', 'theme'].map((name) => ({ name, in: 'cookie', schema: { type: 'string' } }));
  const served = await serveForClient({ '/': { get: { parameters, responses: { 204: { description: 'Seen.' } } } } });
  const { Request: RequestOfNode } = globalThis;
  try {
    const call = async (): Promise<unknown> =>
      served.client({ headers: { Cookie: 'theme=dark' } }).GET('/', { params: { cookie: { sid: 'a b' } } });
    await call();
    expect(served.request['cookies']).toEqual({ theme: 'dark', sid: 'a b' });
    globalThis.Request = class extends RequestOfNode {
      constructor(...given: ConstructorParameters<typeof Request>) {
        super(...given);
        this.headers.delete('Cookie');
      }
    };
    await expect(call()).rejects.toThrow('A page cannot set cookies of a request');
  } finally {
    globalThis.Request = RequestOfNode;
    await served.close();
  }
});
