import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { load } from 'js-yaml';
import { listen } from 'test-support/listen.ts';
import { serveForClient, type ServedContract } from '../client/served-contract.ts';
import { refused, serveContract, type ContractServer } from '../support/contract-server.ts';
import { serveDocument } from '../support/inline-contract.ts';

const FEATURE = new URL('../fixtures/contracts/features/version-3.2-parameters.yaml', import.meta.url);
const BIG = 9007199254740993n;

/** What a handler is given. */
interface Given {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly cookies: unknown;
}

describe('the server', () => {
  let server: ContractServer;
  let given: Given | undefined;

  beforeAll(async () => {
    server = await serveContract(FEATURE, (request: never) => {
      given = request;
      return { status: 204 };
    });
  });
  afterAll(() => server.close());

  const ask = async (target: string, headers = {}): Promise<Given | { status: number; text: string }> => {
    const { status, text } = await server.request('GET', target, { headers });
    return status === 204 && given !== undefined ? given : { status, text };
  };

  test('takes texts of the style cookie as they are, and decodes those of form', async () => {
    const pairs = ['greeting=Hello%2C world!', 'code=42', 'color=a&b', 'color=c', `ids=1,${BIG}`, 'quoted="a"'];
    expect(await ask('/cookies', { Cookie: [...pairs, 'encoded=Hello%2C%20world%21'].join('; ') })).toMatchObject({
      cookies: {
        object: { greeting: 'Hello%2C world!', code: 42 },
        ...{ color: ['a&b', 'c'], ids: [1n, BIG], quoted: '"a"', encoded: 'Hello, world!' },
      },
    });
    expect(await ask('/cookies', { Cookie: 'code=-1' })).toMatchObject(refused('invalidParameter'));
  });

  test('takes reserved characters as they are, in each location', async () => {
    const target = "/reserved/a:b@c$d,e;f=g?url=https://a.example/b?c=d&list=a:b,c'd";
    expect(await ask(target, { Cookie: 'mark=a/b?c' })).toMatchObject({
      params: { file: 'a:b@c$d,e;f=g' },
      query: { url: 'https://a.example/b?c=d', list: ['a:b', "c'd"] },
      cookies: { mark: 'a/b?c' },
    });
  });

  test('takes an empty value where it is allowed for an unused parameter', async () => {
    expect(await ask('/empty?page=&text=&list=')).toMatchObject({ query: { page: 1 } });
    expect(given?.query).not.toHaveProperty('text');
    expect(given?.query).not.toHaveProperty('list');
    expect(await ask('/empty?page=2&text=ab&list=3')).toMatchObject({ query: { page: 2, text: 'ab', list: [3] } });
    expect(await ask('/empty?text=a')).toMatchObject(refused('invalidParameter'));
  });
});

describe('the client writes', () => {
  let served: ServedContract;

  beforeAll(async () => {
    const { paths, components } = load(await readFile(FEATURE, 'utf8')) as { paths: object; components: object };
    served = await serveForClient(paths, { openapi: '3.2.0', components });
  });
  afterAll(() => served.close());

  test('each style so that the handler is given the same', async () => {
    const cookie = {
      ...{ object: { greeting: 'Hello%2C world!', code: 42 }, color: ['a&b', 'c'], ids: [1n, BIG] },
      ...{ quoted: '"a"', encoded: 'Hello, world!' },
    };
    await served.client().GET('/cookies', { params: { cookie } });
    expect(served.request).toMatchObject({ cookies: cookie });
    const path = { file: "a:b@c$d,e;f='g h" };
    const query = { url: 'https://a.example/b?c=d&e+f#g', list: ['a:b', 'c,d'] };
    const mark = 'a/b?c;d, é';
    await served.client().GET('/reserved/{file}', { params: { path, query, cookie: { mark } } });
    expect(served.request).toMatchObject({ params: path, query, cookies: { mark } });
    const at = { lat: 1.5, id: BIG };
    const params = { path: { at }, query: { near: at, word: 'a b' }, header: { 'X-Far': at }, cookie: { last: at } };
    await served.client().GET('/contents/{at}', { params });
    expect(served.request).toMatchObject({
      ...{ params: { at }, query: { near: at, word: 'a b' }, headers: { 'X-Far': at }, cookies: { last: at } },
    });
  });

  test('reserved and percent-encoded characters as they are, unless they would end the value', async () => {
    const seen: (string | undefined)[] = [];
    const { url: baseUrl, close } = await listen(
      createServer(({ url, headers }, response) => {
        seen.push(url, headers.cookie);
        response.writeHead(204).end();
      }),
    );
    const params = {
      path: { file: 'a:b@c/d%2Fe' },
      query: { url: 'http://a/?b=c&d+e', list: ['a:b', 'c,d'] },
      cookie: { mark: 'a/b=c;d' },
    };
    await served.client({ baseUrl }).GET('/reserved/{file}', { params });
    expect(seen).toEqual(['/reserved/a:b@c%2Fd%2Fe?url=http://a/?b=c%26d%2Be&list=a:b,c%2Cd', 'mark=a/b=c%3Bd']);
    await close();
  });

  test('no cookie that its style cannot hold', async () => {
    for (const cookie of [{ quoted: 'a;b' }, { quoted: ' a' }, { quoted: 'é' }, { color: ['a\n'] }]) {
      await expect(served.client().GET('/cookies', { params: { cookie } })).rejects.toThrow(TypeError);
    }
  });
});

test('the style cookie is refused in a contract of an earlier version', async () => {
  const parameters = [{ name: 'a', in: 'cookie', style: 'cookie', schema: {} }];
  const paths = { '/a': { get: { parameters, responses: { 204: { description: 'Done.' } } } } };
  await expect(serveDocument({ paths }, () => ({ status: 204 }))).rejects.toThrow('OpenAPI 3.2');
});
