import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientShapes } from 'openapi-exact-cli';
import { createClient, type ClientOptions } from '../../src/client.ts';
import type { ContractShapes } from '../../src/client/shape.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import type { Call } from '../client/served-contract.ts';
import {
  refused,
  serveContract,
  type Answer,
  type ContractServer,
  type Handlers,
  type Verifiers,
} from '../support/contract-server.ts';

const BIG = 9007199254740993n;
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** A client without the types of its contract. */
type Untyped = Record<
  'GET' | 'POST' | 'PUT',
  (path: string, call?: Call) => Promise<{ data: unknown; response: Response }>
>;

interface Served extends ContractServer {
  readonly client: Untyped;
  /** What the client gets: status, media type and data. */
  call(method: keyof Untyped, path: string, call?: Call): Promise<unknown>;
}

/** Serves a feature contract, and calls it with the table that is generated for it. */
async function serve(
  name: string,
  handlers: Handlers,
  verifiers: Verifiers = {},
  credentials?: ClientOptions['credentials'],
): Promise<Served> {
  const file = new URL(`../fixtures/contracts/features/version-3.2-${name}.yaml`, import.meta.url);
  const server = await serveContract(file, handlers, verifiers);
  // The module is the table as JSON.
  const [, table = ''] = /ContractShapes = ([^]*);/.exec(clientShapes(await loadContract(file))) ?? [];
  const shapes = JSON.parse(table) as ContractShapes;
  const [basePath = ''] = (await loadContract(file)).basePaths;
  const options = {
    shapes,
    baseUrl: server.url + basePath,
    retries: 0,
    credentials,
    timeout: 100_000,
    attemptTimeout: 100_000,
  };
  // Safe: it has a function for each method.
  const client = createClient(options) as unknown as Untyped;
  return {
    ...server,
    client,
    call: async (method, path, call) => {
      const { data, response } = await client[method](path, call);
      return { status: response.status, type: response.headers.get('content-type'), data };
    },
  };
}

/** An answer as it was sent, without what every one has. */
function whole({ status, headers, text }: Answer): unknown {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...others } = headers;
  return { status, headers: others, text };
}

/** What Express and the library send with every answer. */
const COMMON = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-powered-by': 'Express',
};

const json = (status: number, text: string): unknown => ({
  status,
  headers: {
    ...COMMON,
    'content-length': String(Buffer.byteLength(text)),
    'content-type': 'application/json; charset=utf-8',
  },
  text,
});

const empty = (status: number): unknown => ({ status, headers: COMMON, text: '' });

/** What a handler was given of the request. */
interface Request {
  readonly params: Readonly<Record<string, bigint>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly user?: unknown;
}

const echo = ({ body }: Request): { status: number; body: unknown } => ({ status: 200, body });

describe('references of OpenAPI 3.2', () => {
  let server: Served;
  let request: Request;
  beforeAll(async () => {
    server = await serve('references', {
      listPlants: (given: Request) => {
        request = given;
        return { status: 200, body: [{ id: BIG, bed: 'roses' }] };
      },
      replacePlant: (given: Request) => echo((request = given)),
      exportPlants: () => ({ status: 200, body: [{ id: BIG }, { id: 2n, bed: 'herbs' }] }),
    });
  });
  afterAll(() => server.close());

  test('lead from a file of 3.2 to one of 3.1 and back, by the URI that $self names', async () => {
    expect(whole(await server.request('GET', `/plants?near=1&near=${BIG}`))).toEqual(
      json(200, `[{"id":${BIG},"bed":"roses"}]`),
    );
    expect(request.query).toEqual({ near: [1n, BIG] });
    expect(await server.call('GET', '/plants', { params: { query: { near: [BIG] } } })).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      data: [{ id: BIG, bed: 'roses' }],
    });
    expect(await server.request('GET', '/plants?near=x')).toMatchObject(refused('invalidParameter'));
  });

  test('lead to media types, which bodies, responses, parameters and streams share', async () => {
    const put = (body: string, headers: object = JSON_TYPE): ReturnType<Served['request']> =>
      server.request('PUT', `/plants/${BIG}?near=2`, { headers: { ...headers }, body });
    expect(whole(await put(`{"id":${BIG},"bed":"roses"}`))).toEqual(json(200, `{"id":${BIG},"bed":"roses"}`));
    expect(request).toMatchObject({ params: { id: BIG }, query: { near: [2n] } });
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(whole(await put(`id=${BIG}&bed=roses`, form))).toEqual(json(200, `{"id":${BIG},"bed":"roses"}`));
    for (const [body, headers] of [['{"id":1,"bed":"R2"}', JSON_TYPE] as const, ['id=1&bed=R2', form] as const]) {
      expect(await put(body, headers)).toMatchObject(refused('invalidBody'));
    }
    const call = { params: { path: { id: BIG }, query: {} }, body: { id: 1n }, contentType: 'application/json' };
    expect(await server.call('PUT', '/plants/{id}', call)).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      data: { id: 1n },
    });
    expect(await server.request('GET', '/plants/export')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/jsonl' },
      text: `{"id":${BIG}}\n{"id":2,"bed":"herbs"}\n`,
    });
    const { data } = await server.client.GET('/plants/export');
    const items: unknown[] = [];
    for await (const item of data as AsyncIterable<unknown>) items.push(item);
    expect(items).toEqual([{ id: BIG }, { id: 2n, bed: 'herbs' }]);
  });
});

describe('discriminators of OpenAPI 3.2', () => {
  let server: Served;
  beforeAll(async () => {
    server = await serve('discriminators', echo);
  });
  afterAll(() => server.close());

  test.each([
    ['/pets', `{"petType":"Cat","id":${BIG}}`, { petType: 'Cat', id: BIG }],
    ['/pets', '{"petType":"dog","bark":"soft"}', { petType: 'dog', bark: 'soft' }],
    ['/pets', '{"petType":"Lizard","lovesRocks":true}', { petType: 'Lizard', lovesRocks: true }],
    ['/pets', '{"name":"Misty"}', { name: 'Misty' }],
    ['/pets', '{"petType":"fish","name":"Nemo"}', { petType: 'fish', name: 'Nemo' }],
    ['/notices', '{"by":"Mail","address":"a@example.com"}', { by: 'Mail', address: 'a@example.com' }],
    ['/notices', '{"by":"Text","text":"Hello"}', { by: 'Text', text: 'Hello' }],
    ['/notices', '{"text":"Hello"}', { text: 'Hello' }],
  ])('choose or fall back: %s takes and returns %s', async (path, text, data) => {
    expect(whole(await server.request('POST', path, { headers: JSON_TYPE, body: text }))).toEqual(json(200, text));
    expect(await server.call('POST', path, { body: data })).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      data,
    });
  });

  test.each([
    ['/pets', '{"petType":"Cat","name":"Misty"}', '/id must be given'],
    ['/pets', '{"petType":"dog","bark":"none"}', '/bark must be'],
    ['/pets', '{"petType":"fish"}', '/name must be given'],
    ['/pets', '{}', '/name must be given'],
    ['/notices', '{"by":"Mail","text":"Hello"}', '/address must be given'],
    ['/notices', '{}', '/text must be given'],
  ])('name the alternative that must hold: %s refuses %s', async (path, body, fault) => {
    const answer = await server.request('POST', path, { headers: JSON_TYPE, body });
    expect(answer).toMatchObject(refused('invalidBody'));
    expect(answer.text).toContain(`The request body's ${fault}`);
  });
});

describe('security of OpenAPI 3.2', () => {
  let server: Served;
  beforeAll(async () => {
    const verifiers: Verifiers = {
      garden: (token, scopes) => (token === 'secret' ? { name: `a holder of ${scopes.join()}` } : undefined),
      key: (key) => (key === 'k' ? { name: 'key' } : undefined),
    };
    server = await serve('security', () => ({ status: 204 }), verifiers, { garden: 'secret', key: 'k' });
  });
  afterAll(() => server.close());

  const token = { Authorization: 'Bearer secret' };
  const key = { 'X-Key': 'k' };
  test.each<[path: string, without: number, token: number, key: number, both: number]>([
    ['/shared', 401, 204, 401, 204],
    ['/own', 401, 401, 204, 204],
    ['/named', 401, 401, 204, 204],
    ['/both', 401, 401, 401, 204],
    ['/optional', 204, 204, 204, 204],
    ['/anyone', 204, 204, 204, 204],
  ])('is what a requirement names by name or URI: %s', async (path, ...statuses) => {
    const answers = await Promise.all(
      [{}, token, key, { ...token, ...key }].map((headers) => server.request('GET', path, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    for (const answer of answers.filter(({ status }) => status === 204)) expect(whole(answer)).toEqual(empty(204));
    expect(await server.call('GET', path)).toEqual({ status: 204, type: null, data: undefined });
  });
});

describe('documents of OpenAPI 3.2', () => {
  let server: Served;
  const book = { author: 'A. Writer', title: 'An Older Book', rating: 4.5 };
  const text = JSON.stringify(book);
  beforeAll(async () => {
    server = await serve('documents', {
      findBooks: ({ query }: Request) => ({ status: 200, body: query['rated'] === true ? [book] : [] }),
      addBook: ({ body }: Request) => (body['title'] === 'Twice' ? { status: 409 } : { status: 201, body }),
      putXml: ({ body }: { body: string }) => ({ status: 200, body }),
    });
  });
  afterAll(() => server.close());

  test('have servers with names, responses without a description, and examples as data and as text', async () => {
    for (const base of ['/v1', '/next']) {
      expect(whole(await server.request('GET', `${base}/books?rated=true`))).toEqual(json(200, `[${text}]`));
    }
    expect(whole(await server.request('GET', '/v1/books?rated=false'))).toEqual(json(200, '[]'));
    expect(await server.request('GET', '/books?rated=true')).toMatchObject({ status: 404 });
    expect(whole(await server.request('POST', '/v1/books', { headers: JSON_TYPE, body: text }))).toEqual(
      json(201, text),
    );
    const twice = { headers: JSON_TYPE, body: '{"author":"A","title":"Twice"}' };
    expect(whole(await server.request('POST', '/v1/books', twice))).toMatchObject({ status: 409, text: '' });
    expect(await server.request('POST', '/v1/books', { headers: JSON_TYPE, body: '{"title":"A"}' })).toMatchObject(
      refused('invalidBody'),
    );
    const type = 'application/json; charset=utf-8';
    expect(await server.call('POST', '/books', { body: book })).toEqual({ status: 201, type, data: book });
    expect(await server.call('GET', '/books', { params: { query: { rated: true } } })).toEqual({
      ...{ status: 200, type, data: [book] },
    });
  });

  test('have XML as text, whatever its nodes are', async () => {
    const xml = '<book author="A"><![CDATA[T]]></book>';
    const headers = { 'Content-Type': 'application/xml' };
    expect(await server.request('PUT', '/v1/books/xml', { headers, body: xml })).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringMatching(/^application\/xml/) },
      text: xml,
    });
  });
});

describe('what OpenAPI 3.2 forbids or changes', () => {
  let server: Served;
  let request: Request;
  beforeAll(async () => {
    const handle = (given: Request): { status: number } => {
      request = given;
      return { status: 204 };
    };
    const verifiers: Verifiers = { token: (token) => (token === 'secret' ? { name: 'me' } : undefined) };
    server = await serve('changes', handle, verifiers, { token: 'secret' });
  });
  afterAll(() => server.close());

  test('a path has literals of a URL, and parameters of any name', async () => {
    expect(whole(await server.request('GET', `/caf%C3%A9/${BIG}/end/`))).toEqual(empty(204));
    expect(request.params).toEqual({ 'a/b ü': BIG });
    expect(await server.request('GET', '/caf%C3%A9/x/end/')).toMatchObject(refused('invalidParameter'));
    expect(whole(await server.request('GET', "/a:b@c!$&'()*+,;=-._~:"))).toEqual(empty(204));
    const params = { path: { 'a/b ü': 7n } };
    const done = { status: 204, type: null, data: undefined };
    expect(await server.call('GET', '/caf%C3%A9/{a/b ü}/end/', { params })).toEqual(done);
    expect(request.params).toEqual({ 'a/b ü': 7n });
    expect(await server.call('GET', "/a:b@c!$&'()*+,;=-._~:")).toEqual(done);
  });

  test('an empty requirement lets anonymous requests in, and no other does', async () => {
    expect(whole(await server.request('GET', '/optional'))).toEqual(empty(204));
    expect(await server.request('GET', '/secret')).toMatchObject({ status: 401 });
    const headers = { Authorization: 'Bearer secret' };
    expect(whole(await server.request('GET', '/secret', { headers }))).toEqual(empty(204));
    expect(await server.call('GET', '/secret')).toEqual({ status: 204, type: null, data: undefined });
  });

  test('an empty value counts as none where allowEmptyValue allows it', async () => {
    expect(whole(await server.request('GET', '/empty?page=&text='))).toEqual(empty(204));
    expect(request.query).toEqual({ page: 1n });
    expect(whole(await server.request('GET', `/empty?page=${BIG}&text=ab`))).toEqual(empty(204));
    expect(request.query).toEqual({ page: BIG, text: 'ab' });
    expect(await server.request('GET', '/empty?text=a')).toMatchObject(refused('invalidParameter'));
    expect(await server.call('GET', '/empty', { params: { query: { page: BIG } } })).toMatchObject({ status: 204 });
    expect(request.query).toEqual({ page: BIG });
  });
});
