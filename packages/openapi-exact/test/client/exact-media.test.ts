import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../src/client.ts';
import { createClient } from '../../src/client.ts';
import { scriptedServer } from './scripted-server.ts';
import { serveForClient, type Call, type ServedContract } from './served-contract.ts';

const BIG = 9007199254740993n;
const json = (type: string, properties: object): object => ({
  [type]: { schema: { type: 'object', required: Object.keys(properties), properties } },
});
const NAMED = json('application/vnd.v1+json', { name: { type: 'string' } });
const NUMBERED = json('application/vnd.v2+json', { id: { type: 'integer', format: 'int64' } });
const CAPITALS = json('Application/JSON', { id: { type: 'integer', format: 'int64' } });
const RANGED = json('application/*+json', { id: { type: 'integer', format: 'int64' } });
const PARAMETERS = {
  ...json('application/json;v=1', { name: { type: 'string' } }),
  ...json('application/json;v=2', { id: { type: 'integer', format: 'int64' } }),
};

interface Versions {
  'application/vnd.v1+json': { name: string };
  'application/vnd.v2+json': { id: bigint };
}

/** The types that are generated for some paths. */
interface Paths {
  '/versions': {
    post: {
      requestBody: { content: Versions };
      responses: { 200: { content: Versions } };
    };
  };
  '/capitals': {
    post: {
      requestBody: { content: { 'Application/JSON': { id: bigint }; 'Text/CSV': string } };
      responses: { 200: { content: { 'Application/JSON': { id: bigint } } } };
    };
  };
  '/ranges': {
    post: {
      requestBody: { content: { 'application/*+json': { id: bigint }; 'text/plain': string } };
      responses: { 204: { content?: never } };
    };
  };
}

describe('of several media types of JSON', () => {
  let served: ServedContract;
  let client: Client<Paths>;
  beforeAll(async () => {
    const responseOf = (content: object): object => ({ responses: { 200: { description: 'One.', content } } });
    const bodyOf = (content: object): object => ({ requestBody: { required: true, content } });
    const versions = { ...NAMED, ...NUMBERED };
    const either = { ...json('application/problem+json', {}), ...NUMBERED };
    served = await serveForClient({
      '/versions': { post: { ...bodyOf(versions), ...responseOf(versions) } },
      '/capitals': { post: { ...bodyOf({ ...CAPITALS, 'Text/CSV': {} }), ...responseOf(CAPITALS) } },
      '/parameters': { post: { ...bodyOf(PARAMETERS), ...responseOf(PARAMETERS) } },
      '/default': { get: { responses: { default: { description: 'One.', content: either } } } },
      '/ranges': {
        post: { ...bodyOf({ ...RANGED, 'text/plain': {} }), responses: { 204: { description: 'Done.' } } },
      },
      '/failing': {
        get: {
          responses: { 204: { description: 'Done.' }, '4XX': { description: 'Failed.', content: either } },
        },
      },
    });
    client = createClient<Paths>({ shapes: served.shapes, baseUrl: served.url, retries: 0 });
  });
  afterAll(() => served.close());

  test('a response is read by the one that it has', async () => {
    served.answer = { status: 200, contentType: 'application/vnd.v2+json', body: { id: BIG } };
    const sent = { body: { name: 'a' }, contentType: 'application/vnd.v1+json' } as const;
    expect((await client.POST('/versions', sent)).data).toEqual({ id: BIG });
    expect((await served.client().GET('/default')).data).toEqual({ id: BIG });
    served.answer = { status: 200, contentType: 'application/vnd.v1+json', body: { name: 'a' } };
    expect((await client.POST('/versions', sent)).data).toEqual({ name: 'a' });
    served.answer = { status: 404, contentType: 'application/vnd.v2+json', body: { id: 5n } };
    await expect(served.client().GET('/failing')).rejects.toMatchObject({ status: 404, body: { id: 5n } });
  });

  test('a request has the one that contentType names, also by parameters and in a range', async () => {
    served.answer = { status: 200, contentType: 'application/vnd.v1+json', body: { name: 'a' } };
    await client.POST('/versions', { body: { id: BIG }, contentType: 'application/vnd.v2+json' });
    expect(served.request).toMatchObject({ body: { id: BIG }, contentType: 'application/vnd.v2+json' });
    served.answer = { status: 200, contentType: 'application/json;v=2', body: { id: BIG } };
    const numbered = { body: { id: BIG }, contentType: 'application/json; v=2' };
    expect((await served.client().POST('/parameters', numbered)).data).toEqual({ id: BIG });
    served.answer = { status: 204 };
    await client.POST('/ranges', { body: { id: BIG }, contentType: 'application/a+json' });
    expect(served.request).toMatchObject({ body: { id: BIG } });
    await client.POST('/ranges', { body: '7', contentType: 'text/plain' });
    expect(served.request).toMatchObject({ body: '7' });
  });

  test('the contract may write one in capitals', async () => {
    served.answer = { status: 200, contentType: 'application/json', body: { id: BIG } };
    const { data } = await client.POST('/capitals', { body: { id: 5n } });
    expect([served.request, data.id]).toMatchObject([{ body: { id: 5n }, contentType: 'Application/JSON' }, BIG]);
  });

  test('a request without contentType, or with another one, does not compile and is refused', async () => {
    // @ts-expect-error: two types are possible.
    await expect(client.POST('/versions', { body: { id: BIG } })).rejects.toThrow(
      /contentType.*application\/vnd\.v1\+json.*application\/vnd\.v2\+json/,
    );
    // @ts-expect-error: a range is not a media type.
    await expect(client.POST('/ranges', { body: { id: BIG } })).rejects.toThrow('needs the option contentType');
    // @ts-expect-error: the contract has no such type.
    await expect(client.POST('/versions', { body: { id: BIG }, contentType: 'text/csv' })).rejects.toThrow(
      "'text/csv'",
    );
    // @ts-expect-error: the body is one of another type.
    void (() => client.POST('/versions', { body: { id: BIG }, contentType: 'application/vnd.v1+json' }));
    const rounded = served.client().POST('/versions', { body: { id: 1 }, contentType: 'application/vnd.v2+json' });
    await expect(rounded).rejects.toThrow('body.id must be a bigint');
  });
});

interface Answers {
  'text/plain': string;
  'application/json': { id: bigint };
  'image/png': string;
}

/** The types that are generated for responses with and without a body. */
interface EmptyPaths {
  '/empty': {
    get: { responses: { 200: { content: Answers }; 204: { content: { 'application/json': { id: bigint } } } } };
    head: { responses: { 200: { content: Answers } } };
    post: { responses: { '2XX': { content: { 'application/json': { id: bigint } } } } };
  };
}

describe('the data of a response without bytes', () => {
  let served: ServedContract;
  let client: Client<EmptyPaths>;
  beforeAll(async () => {
    const json = {
      'application/json': { schema: { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } } },
    };
    const content = { 'text/plain': { schema: { type: 'string' } }, ...json, 'image/png': {} };
    const any = { 200: { description: 'Any.', content }, 204: { description: 'None.', content: json } };
    served = await serveForClient({
      '/empty': {
        get: { responses: any },
        head: { responses: { 200: any[200] } },
        post: { responses: { '2XX': { description: 'Perhaps one.', content: json } } },
      },
    });
    client = createClient<EmptyPaths>({ shapes: served.shapes, baseUrl: served.url, retries: 0 });
  });
  afterAll(() => served.close());

  test('is an empty text, an empty Blob, or undefined after 204, as its type says', async () => {
    served.answer = { status: 200, contentType: 'text/plain', body: '' };
    const { data } = await client.GET('/empty');
    data satisfies string | { id: bigint } | Blob | undefined;
    expect(data).toBe('');
    served.answer = { status: 200, contentType: 'image/png', body: new Uint8Array() };
    const { data: image } = await client.GET('/empty');
    expect(image instanceof Blob && [image.size, image.type]).toEqual([0, 'image/png']);
    served.answer = { status: 204 };
    expect((await client.GET('/empty')).data).toBeUndefined();
  });

  test('is undefined where a range allows 204, and to HEAD', async () => {
    served.answer = { status: 204 };
    const { data } = await client.POST('/empty');
    data satisfies { id: bigint } | undefined;
    // @ts-expect-error: there may be none.
    void (() => data.id);
    expect(data).toBeUndefined();
    served.answer = { status: 200, contentType: 'application/json', body: { id: 1n } };
    const { data: head, response } = await client.HEAD('/empty');
    expect([head satisfies undefined, response.status]).toEqual([undefined, 200]);
  });
});

describe('a text of a response', () => {
  const scripted = scriptedServer();
  const read = async (type: string, bytes: Buffer | string): Promise<unknown> => {
    scripted.answer = (_request, response) => response.writeHead(200, { 'Content-Type': type }).end(bytes);
    return (await scripted.client().GET('/beds/{id}/photo', { params: { path: { id: 1n } } })).data;
  };

  test.each([
    ['text/plain; charset=iso-8859-1', Buffer.from('Blüte', 'latin1')],
    ['text/plain;charset="UTF-16LE"', Buffer.from('Blüte', 'utf16le')],
    ['text/plain; title="a;charset=klingon"; charset=iso-8859-1', Buffer.from('Blüte', 'latin1')],
    ['text/plain; Charset=UTF-8', 'Blüte'],
    ['text/plain', 'Blüte'],
  ])('is read in its charset: %s', async (type, bytes) => {
    expect(await read(type, bytes)).toBe('Blüte');
  });

  test('of an unknown charset is an error', async () => {
    await expect(read('text/plain; charset=klingon', 'x')).rejects.toMatchObject({
      ...{ name: 'ResponseError', status: 200, outcome: 'unknown' },
      message: expect.stringContaining("'klingon'"),
    });
  });
});

/** The types that are generated for a body under a range. */
interface AnyPaths {
  '/any': {
    post: { requestBody: { content: { '*/*': { id: bigint } } }; responses: { 204: { content?: never } } };
  };
}

describe('under a range such as */*', () => {
  const ANY = {
    '*/*': { schema: { type: ['object', 'string'], properties: { id: { type: 'integer', format: 'int64' } } } },
  };
  let served: ServedContract;
  let client: Client<AnyPaths>;
  beforeAll(async () => {
    const operation = { requestBody: { required: true, content: ANY }, responses: { 204: { description: 'Done.' } } };
    served = await serveForClient({ '/any': { post: operation } });
    client = createClient<AnyPaths>({ shapes: served.shapes, baseUrl: served.url, retries: 0 });
  });
  afterAll(() => served.close());

  test('a value is sent as JSON, with exact int64s', async () => {
    await client.POST('/any', { body: { id: BIG }, contentType: 'application/json' });
    expect(served.request).toMatchObject({ body: { id: BIG }, contentType: 'application/json' });
    const rounded = served.client().POST('/any', { body: { id: 2 ** 53 }, contentType: 'application/vnd.v1+json' });
    await expect(rounded).rejects.toThrow('body.id must be a bigint such as 12n');
    // @ts-expect-error: a value is JSON.
    void (() => client.POST('/any', { body: { id: BIG }, contentType: 'text/csv' }));
  });

  test.each([
    ['a text', `{"id":${BIG}}`],
    ['bytes', new TextEncoder().encode(`{"id":${BIG}}`)],
    ['an ArrayBuffer', new TextEncoder().encode(`{"id":${BIG}}`).buffer],
    ['a Blob', new Blob([`{"id":${BIG}}`])],
  ])('%s is sent as it is, also as JSON', async (_what, body) => {
    await client.POST('/any', { body, contentType: 'application/json' });
    expect(served.request).toMatchObject({ body: { id: BIG }, contentType: 'application/json' });
  });
});

describe('a body that its media type cannot have is refused before anything is sent:', () => {
  const form = new FormData();
  form.set('name', 'a');
  const query = new URLSearchParams({ name: 'a' });
  let served: ServedContract;
  beforeAll(async () => {
    const contents = {
      '/json': NAMED,
      '/form': { 'application/x-www-form-urlencoded': {} },
      '/text': { 'text/plain': {} },
    };
    const paths = Object.entries(contents).map(([path, content]): [string, object] => {
      return [path, { post: { requestBody: { content }, responses: { 204: { description: 'Done.' } } } }];
    });
    served = await serveForClient(Object.fromEntries(paths));
  });
  afterAll(() => served.close());

  test.each<[path: string, call: Call, ...named: string[]]>([
    ['/json', { body: form }, 'POST /json', 'multipart/form-data', 'application/vnd.v1+json'],
    ['/json', { body: query }, 'POST /json', 'application/x-www-form-urlencoded', 'application/vnd.v1+json'],
    ['/json', { body: form, contentType: 'application/vnd.v1+json' }, 'POST /json', 'not multipart/form-data'],
    ['/json', { body: new Blob(['a'], { type: 'image/png' }) }, 'POST /json', 'image/png', 'application/vnd.v1+json'],
    ['/form', { body: { name: 'a' } }, 'POST /form', 'a URLSearchParams'],
    ['/text', { body: 7 }, 'POST /text', 'a string, bytes or a Blob'],
    ['/text', { body: 'a\ud800' }, 'body ', 'surrogate'],
    ['/text', { body: 'ä', contentType: 'text/plain; charset=iso-8859-1' }, 'body ', 'iso-8859-1'],
  ])('%s %j', async (path, call, ...named) => {
    const result = served.client().POST(path, call);
    await expect(result).rejects.toBeInstanceOf(TypeError);
    for (const part of named) await expect(result).rejects.toThrow(part);
  });
  test('a form of the declared type is sent', async () => {
    await served.client().POST('/form', { body: query });
    expect(served.request).toMatchObject({ body: { name: 'a' } });
  });
});

describe('a number of a response that is no int64 of the contract', () => {
  const scripted = scriptedServer();
  const params = { path: { id: 1n } };
  const answerWith = (status: number, text: string): void => {
    scripted.answer = (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(text);
    };
  };

  test.each(['0.1', '-2.50', '1e300', '9007199254740991', '9007199254740992', '0.1234567890123456789', '-0'])(
    'is a number where that is what was sent, or the nearest fraction: %s',
    async (text) => {
      answerWith(200, `{"id":1,"width":${text}}`);
      const { data } = await scripted.client().GET('/beds/{id}', { params });
      expect(data).toEqual({ id: 1n, width: Number(text) });
    },
  );

  test.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.5',
    '1e400',
    '1e-400',
    `1${'0'.repeat(2_000)}`,
  ])('is an error where a number would be rounded to another integer: %s', async (text) => {
    answerWith(200, `{"id":1,"width":${text}}`);
    const start = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({
      name: 'ResponseError',
      status: 200,
      body: undefined,
      message: expect.stringContaining(` ${start}, `),
    });
  });

  test('is missed where the body is empty', async () => {
    answerWith(200, '');
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({
      name: 'ResponseError',
      message: expect.stringMatching(/GET \/beds\/\{id\} .*empty/),
    });
  });

  test('stays exact in the body of an error, which has no type', async () => {
    answerWith(404, '{"message":"None.","trace":9007199254740993,"at":9007199254740993.5}');
    await expect(scripted.client().GET('/beds/{id}', { params })).rejects.toMatchObject({
      message: 'None.',
      body: { message: 'None.', trace: BIG, at: '9007199254740993.5' },
    });
  });
});
