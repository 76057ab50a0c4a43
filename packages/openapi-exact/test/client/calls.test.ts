import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { text as readText } from 'node:stream/consumers';
import { createClient, ResponseError } from '../../src/client.ts';
import { freePort } from 'test-support/listen.ts';
import { shapes, type paths } from './beds.ts';
import { scriptedServer } from './scripted-server.ts';

const scripted = scriptedServer();
const BIG = 9007199254740993n;
const params = { path: { id: BIG } };

interface Received {
  readonly target: string;
  readonly type: string | undefined;
  readonly body: string;
}

/** Answers each request and collects what arrived. */
function answerWith(status: number, headers: Record<string, string>, text = ''): Received[] {
  const received: Received[] = [];
  scripted.answer = (request, response) => {
    const { method = '', url = '', headers: fields } = request;
    void readText(request).then((body) => {
      received.push({ target: `${method} ${url}`, type: fields['content-type'], body });
      response.writeHead(status, headers).end(text);
    });
  };
  return received;
}

describe('a response is read by its declared media type:', () => {
  test('JSON, with a bigint for each int64 and a number for every other number', async () => {
    answerWith(200, { 'Content-Type': 'application/json' }, '{"id":9007199254740993,"width":2.5}');
    const { data, response } = await scripted.client().GET('/beds/{id}', { params });
    const bed: { id: bigint; width?: number } = data;
    expect([bed, response.status]).toEqual([{ id: BIG, width: 2.5 }, 200]);
  });

  test('text as a string, and others as a Blob', async () => {
    answerWith(200, { 'Content-Type': 'text/plain; charset=utf-8' }, 'Blüte');
    const { data: text } = await scripted.client().GET('/beds/{id}/photo', { params });
    expect(text).toBe('Blüte');
    answerWith(200, { 'Content-Type': 'image/png' }, 'PNG');
    const { data: photo } = await scripted.client().GET('/beds/{id}/photo', { params });
    expect(photo).toBeInstanceOf(Blob);
    expect(typeof photo === 'string' ? photo : [photo.type, await photo.text()]).toEqual(['image/png', 'PNG']);
  });

  test('no body where none is declared', async () => {
    answerWith(200, {}, 'surplus');
    const { data } = await scripted.client().PUT('/beds/{id}/photo', { params, body: new Uint8Array([1]) });
    expect(data satisfies undefined).toBeUndefined();
  });

  test('any other media type, and broken JSON, is an error', async () => {
    answerWith(200, { 'Content-Type': 'application/pdf' }, 'PDF');
    await expect(scripted.client().GET('/beds/{id}/photo', { params })).rejects.toMatchObject({
      name: 'ResponseError',
      message: expect.stringMatching(/GET \/beds\/\{id\}\/photo .*'application\/pdf'.*image\/\*.*text\/plain/),
    });
    answerWith(200, { 'Content-Type': 'text/html' }, '<p>Welcome');
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({
      status: 200,
      outcome: 'unknown',
      message: expect.stringMatching(/GET \/beds\/\{id\} .*JSON/),
    });
  });

  test('default means success only where no 2xx is declared', async () => {
    answerWith(201, { 'Content-Type': 'application/json' }, '{"id":9007199254740993}');
    const { data } = await scripted.client().PATCH('/beds/{id}', { params });
    expect(data).toEqual({ id: BIG });
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({ status: 201 });
  });
});

describe('a request body is sent', () => {
  test('as JSON of the declared type, with exact int64s', async () => {
    const received = answerWith(201, { 'Content-Type': 'application/json' }, '{"id":1}');
    await scripted.client().POST('/beds', { body: { id: BIG, width: 0.5 } });
    const body = '{"id":9007199254740993,"width":0.5}';
    expect(received).toEqual([{ target: 'POST /beds', type: 'application/merge-patch+json', body }]);
  });

  test('as bytes or a Blob with its type, as a form with its boundary, or not at all', async () => {
    const received = answerWith(200, { 'Content-Type': 'application/json' }, '{"id":1}');
    const client = scripted.client();
    await client.PUT('/beds/{id}/photo', { params, body: new Uint8Array([65]) });
    await client.PUT('/beds/{id}/photo', { params, body: new Blob(['B'], { type: 'image/png;v=2' }) });
    const form = new FormData();
    form.set('photo', 'C');
    await client.PATCH('/beds/{id}', { params, body: form });
    await client.PATCH('/beds/{id}', { params });
    expect(received).toEqual([
      { target: `PUT /beds/${BIG}/photo`, type: 'image/png', body: 'A' },
      { target: `PUT /beds/${BIG}/photo`, type: 'image/png;v=2', body: 'B' },
      {
        target: `PATCH /beds/${BIG}`,
        type: expect.stringMatching(/^multipart\/form-data; boundary=/),
        body: expect.stringContaining('\r\n\r\nC\r\n'),
      },
      { target: `PATCH /beds/${BIG}`, type: undefined, body: '' },
    ]);
  });
});

test('a path with a query of its own goes on with the parameters', async () => {
  const received = answerWith(204, {});
  const { GET } = scripted.client();
  await GET('/beds/{id}?beta=true', { params: { path: { id: 1n } } });
  await GET('/beds/{id}?beta=true', { params: { path: { id: 2n }, query: { limit: 3, tags: ['a b', 'c'] } } });
  const targets = ['GET /beds/1?beta=true', 'GET /beds/2?beta=true&limit=3&tags=a%20b&tags=c'];
  expect(received.map(({ target }) => target)).toEqual(targets);
});

test('query parameters are written in the styles that the contract declares', async () => {
  const received = answerWith(204, {});
  const query = {
    ...{ tags: ['a', 'b'], piped: ['a', 'b'], listed: [1n, BIG] },
    ...{ size: { width: 1, depth: 2 }, deep: { width: 1 }, json: { id: BIG } },
  };
  await scripted.client().GET('/beds/{id}?beta=true', { params: { path: { id: 1n }, query } });
  const json = encodeURIComponent(`{"id":${BIG}}`);
  expect(received.map(({ target }) => target)).toEqual([
    `GET /beds/1?beta=true&tags=a&tags=b&piped=a|b&listed=1,${BIG}&width=1&depth=2&deep[width]=1&json=${json}`,
  ]);
});

test('credentials are a token, headers such as an API key, or none', async () => {
  const seen: unknown[] = [];
  scripted.answer = ({ headers }, response) => {
    seen.push([headers.authorization, headers['x-api-key']]);
    response.writeHead(204).end();
  };
  await scripted.deleteBed({ token: 'secret' });
  await scripted.deleteBed({ token: 'secret', headers: { 'X-Api-Key': 'key' } });
  await createClient<paths>({ shapes, baseUrl: scripted.url }).DELETE('/beds/{id}', { params });
  expect(seen).toEqual([
    ['Bearer secret', undefined],
    ['Bearer secret', 'key'],
    [undefined, undefined],
  ]);
});

describe('the error of an unsuccessful response', () => {
  const PAGE = '<p>Welcome';

  test('has the body, with exact int64s, and the message of problem details', async () => {
    const text = '{"title":"Gone","detail":"The bed is gone.","bed":9007199254740993}';
    answerWith(410, { 'Content-Type': 'application/problem+json' }, text);
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({
      ...{ name: 'ResponseError', kind: 'response', status: 410, code: undefined, outcome: 'nothing done' },
      ...{ message: 'The bed is gone.', body: { title: 'Gone', detail: 'The bed is gone.', bed: BIG } },
    });
  });

  test('is described by describeError, which may know that nothing was done', async () => {
    answerWith(503, {}, '{"fault":7}');
    const describeError = (body: unknown, status: number): object => ({
      message: `fault ${String(Reflect.get(Object(body), 'fault'))} with ${status}`,
      code: 'seven',
      isNothingDone: true,
    });
    await expect(scripted.deleteBed({ describeError })).rejects.toMatchObject({
      ...{ message: 'fault 7 with 503', code: 'seven', outcome: 'nothing done' },
    });
  });

  test.each([
    ['a line is the message', 'text/plain', 'There is no bed 2.\n', 'There is no bed 2.'],
    ['a number is no JSON', 'text/plain; charset=utf-16le', '7', '7'],
    ['a page is no message', 'text/html', PAGE, expect.stringContaining('without a description of the error')],
    ['nothing', 'text/plain', '', expect.stringContaining('without a description of the error')],
  ])('has the text of a response without JSON: %s', async (_what, type, body, message) => {
    const encoding = type.endsWith('utf-16le') ? 'utf16le' : 'utf8';
    scripted.answer = (_request, response) => {
      response.writeHead(404, { 'Content-Type': type }).end(Buffer.from(body, encoding));
    };
    await expect(scripted.deleteBed()).rejects.toMatchObject({ status: 404, body, message, outcome: 'nothing done' });
  });

  test('has JSON parsed that claims to be a text', async () => {
    answerWith(404, { 'Content-Type': 'text/html' }, '{"message":"None.","code":7}');
    const body = { message: 'None.', code: 7 };
    await expect(scripted.deleteBed()).rejects.toMatchObject({ status: 404, body, message: 'None.', code: 7 });
  });

  test('has a message of up to 1,000 characters', async () => {
    const body = { message: 'm'.repeat(1_001) };
    answerWith(404, { 'Content-Type': 'application/json' }, JSON.stringify(body));
    await expect(scripted.deleteBed()).rejects.toMatchObject({ body, message: `${'m'.repeat(1_000)}…` });
  });

  const CHALLENGE = 'Bearer realm="beds", error="insufficient_scope", scope="beds:delete"';
  const NO_SUCCESS = ', which the contract does not declare as a success: is there';
  test.each<[what: string, status: number, headers: Record<string, string>, text: string, message: string]>([
    ['200 where the contract says 204', 200, {}, PAGE, NO_SUCCESS],
    ['304, which may be declared', 304, { ETag: '"a"' }, '', NO_SUCCESS],
    ['503 without JSON, as proxies answer', 503, {}, PAGE, ', without a description of the error: is there'],
    ['403, whose headers name the scopes', 403, { 'WWW-Authenticate': CHALLENGE }, '{"message":"No."}', 'No.'],
    ['a redirection, which is not followed', 303, { Location: '/elsewhere' }, PAGE, NO_SUCCESS],
  ])('tells of %s', async (_what, status, headers, text, message) => {
    const received = answerWith(status, headers, text);
    const call = scripted.deleteBed({ baseUrl: `${scripted.url}/v2/` });
    const error: unknown = await call.catch((reason: unknown) => reason);
    const outcome = status === 403 ? 'nothing done' : 'unknown';
    expect(error).toMatchObject({ kind: 'response', status, message: expect.stringContaining(message), outcome });
    for (const [name, value] of Object.entries(headers)) {
      expect(error instanceof ResponseError && error.headers.get(name)).toBe(value);
    }
    expect(received.map(({ target }) => target)).toEqual(['DELETE /v2/beds/2']);
  });
});

describe('in a page of another origin', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'location');
    jest.restoreAllMocks();
  });

  test('a failed fetch hints at CORS on the console at the first attempt, and in the error', async () => {
    Object.assign(globalThis, { location: { origin: 'https://shop.example' } });
    const warned: unknown[] = [];
    jest.spyOn(console, 'warn').mockImplementation((text) => void warned.push(text));
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const error: unknown = await scripted.deleteBed({ baseUrl, retries: 1 }).catch((reason: unknown) => reason);
    const hint = / If it is running, it may not allow pages of https:\/\/shop\.example \(CORS\): allow this origin /;
    expect(error).toMatchObject({ kind: 'connection', message: expect.stringMatching(hint) });
    expect(warned).toEqual([expect.stringMatching(hint)]);
  });

  test('there is no hint for a page of the same origin', async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    Object.assign(globalThis, { location: { origin: baseUrl } });
    await expect(scripted.deleteBed({ baseUrl })).rejects.toMatchObject({
      kind: 'connection',
      message: expect.not.stringContaining('CORS'),
    });
  });
});

test('a client without the table of shapes is refused, with the line that imports it', () => {
  const options = { baseUrl: 'http://127.0.0.1:3000' };
  // As JavaScript writes it.
  expect(() => createClient(options as never)).toThrow("import { shapes } from './generated/shapes.ts'");
});
