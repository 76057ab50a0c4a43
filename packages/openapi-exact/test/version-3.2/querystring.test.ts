import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { serveForClient, type ServedContract } from '../client/served-contract.ts';
import { refused, serveContract, type ContractServer } from '../support/contract-server.ts';
import { serveDocument } from '../support/inline-contract.ts';

const FEATURE = new URL('../fixtures/contracts/features/version-3.2-querystring.yaml', import.meta.url);
const BIG = 9007199254740993n;
const DONE = { responses: { 204: { description: 'Done.' } } };

describe('a query that is one value', () => {
  let server: ContractServer;
  let query: unknown;

  beforeAll(async () => {
    const handler = (request: never): { status: number } => {
      ({ query } = request);
      return { status: 204 };
    };
    server = await serveContract(FEATURE, handler, { key: (key) => (key === 'k' ? { name: 'me' } : undefined) });
  });
  afterAll(() => server.close());

  const ask = async (target: string): Promise<unknown> => {
    query = undefined;
    const { status, text } = await server.request('GET', target);
    return status === 204 ? query : { status, text };
  };

  test('a form is read by its schema and encoding, exactly, with defaults', async () => {
    expect(await ask(`/form?id=${BIG}&foo=a+%2B+b&list=1&list=${BIG}&piped=a|b&inner=%7B%22id%22%3A2%7D`)).toEqual({
      ...{ id: BIG, foo: 'a + b', bar: true, list: [1n, BIG], piped: ['a', 'b'], inner: { id: 2n } },
    });
  });

  test('what the schema of a form refuses is named by its property', async () => {
    for (const [target, fault] of [
      ['/form?id=1.5', "'id' must be"],
      ['/form?foo=a', "'id' must be given"],
      ['/form?id=1&other=2', "'other' is not"],
      ['/form', 'The query must be given'],
    ] as const) {
      expect(await ask(target)).toMatchObject(refused('invalidParameter'));
      expect(await ask(target)).toMatchObject({ text: expect.stringContaining(fault) });
    }
    expect(await ask('/form?id=%FF')).toMatchObject(refused('malformedUrl'));
  });

  test('JSON is the whole query, in which + is no space', async () => {
    const text = encodeURIComponent(`{"numbers":[1,${BIG}],"flag":null}`);
    expect(await ask(`/json?${text}`)).toEqual({ numbers: [1n, BIG], flag: null });
    expect(await ask('/json?%7B%22a%22%3A%22+%22%7D')).toEqual({ a: '+' });
    expect(await ask('/json')).toBeUndefined();
    for (const wrong of ['{"numbers":["1"]}', '[]', 'x']) {
      expect(await ask(`/json?${encodeURIComponent(wrong)}`)).toMatchObject(refused('invalidParameter'));
    }
  });

  test('any other media type is a text', async () => {
    expect(await ask('/path?%24.a.b%5B1%3A1%5D')).toBe('$.a.b[1:1]');
    expect(await ask('/path?a')).toMatchObject(refused('invalidParameter'));
  });

  test('an API key in the query is no part of a form', async () => {
    expect(await ask('/keyed?key=k&a=b')).toEqual({ a: 'b' });
    expect(await ask('/keyed?key=k')).toBeUndefined();
    expect(await ask('/keyed?a=b')).toMatchObject({ status: 401 });
  });
});

describe('the client writes a query that is one value', () => {
  let served: ServedContract;

  beforeAll(async () => {
    const { paths, components } = load(await readFile(FEATURE, 'utf8')) as { paths: object; components: object };
    const { '/keyed': _, ...others } = paths as Record<string, object>;
    served = await serveForClient(others, { openapi: '3.2.0', components: { ...components, securitySchemes: {} } });
  });
  afterAll(() => served.close());

  test.each<[path: string, query: unknown]>([
    ['/form', { id: BIG, foo: 'a + b & c=d', bar: false, list: [1n, BIG], piped: ['a', 'b'], inner: { id: BIG } }],
    ['/json', { numbers: [1n, BIG], flag: null }],
    ['/path', '$.a.b[1:1] + "&"'],
  ])('%s', async (path, query) => {
    await served.client().GET(path, { params: { query } });
    expect(served.request['query']).toEqual(query);
  });

  test('and refuses an integer that would be rounded', async () => {
    const call = served.client().GET('/form', { params: { query: { id: 1 } } });
    await expect(call).rejects.toThrow('params.query.id must be a bigint');
  });
});

test.each<[what: string, openapi: string, parameters: object[], right: string]>([
  ['an earlier version', '3.1.0', [{ in: 'querystring', name: 'a', content: { 'a/b': {} } }], 'must be in path'],
  ['a schema', '3.2.0', [{ in: 'querystring', name: 'a', schema: {} }], 'content'],
  ['two media types', '3.2.0', [{ in: 'querystring', name: 'a', content: { 'a/b': {}, 'a/c': {} } }], 'one media'],
  [
    'a second one',
    '3.2.0',
    [
      { in: 'querystring', name: 'a', content: { 'a/b': {} } },
      { in: 'querystring', name: 'b', content: { 'a/b': {} } },
    ],
    "leave 'b' out",
  ],
  [
    'a parameter of the query',
    '3.2.0',
    [
      { in: 'querystring', name: 'a', content: { 'a/b': {} } },
      { in: 'query', name: 'b', schema: {} },
    ],
    "leave 'b' out",
  ],
])('a parameter in querystring with %s is refused', async (_what, openapi, parameters, right) => {
  const document = { openapi, paths: { '/a': { parameters, get: DONE } } };
  await expect(serveDocument(document, () => ({ status: 204 }))).rejects.toThrow(right);
});
