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
  return Object.values(typeof value === 'object' && value !== null ? value : {}).map(String);
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
  const content = { 'application/json': { schema: OBJECT } };
  rows.push(rowOf(location, 'json', { content }, [{ id: BIG, text: `${HARD}ä€` }]));
}
rows.push(
  rowOf('query', 'deep', { style: 'deepObject', explode: true, schema: OBJECT }, KINDS['object']?.values ?? []),
  rowOf('query', 'nested', { style: 'deepObject', explode: true, schema: NESTED_SCHEMA }, [NESTED]),
);

function rowOf(location: string, name: string, rest: object, values: readonly unknown[]): Row {
  const path = `/${location}-${name}${location === 'path' ? '/{value}' : ''}`;
  return { location, path, parameter: { name: 'value', in: location, required: location === 'path', ...rest }, values };
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

test('a parameter with the name of a property of every object is written in its own style', async () => {
  const names = { constructor: undefined, list: { style: 'form', explode: false } };
  const parameters = Object.entries(names).map(([name, style]) => ({ name, in: 'query', schema: TEXTS, ...style }));
  const served = await serveForClient({ '/': { get: { parameters, responses: { 204: { description: 'Seen.' } } } } });
  const query = { constructor: ['a', 'b'], list: ['c', 'd'] };
  await served.client().GET('/', { params: { query } });
  expect(served.request['query']).toEqual(query);
  await served.close();
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
