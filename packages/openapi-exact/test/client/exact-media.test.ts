import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../src/client.ts';
import { createClient } from '../../src/client.ts';
import { scriptedServer } from './scripted-server.ts';
import { serveForClient, type ServedContract } from './served-contract.ts';

const BIG = 9007199254740993n;
const json = (type: string, properties: object): object => ({
  [type]: { schema: { type: 'object', required: Object.keys(properties), properties } },
});
const NAMED = json('application/vnd.v1+json', { name: { type: 'string' } });
const NUMBERED = json('application/vnd.v2+json', { id: { type: 'integer', format: 'int64' } });
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

  test('a request without contentType, or with another one, does not compile and is refused', async () => {
    // @ts-expect-error: two types are possible.
    await expect(client.POST('/versions', { body: { id: BIG } })).rejects.toThrow(
      'POST /versions needs the option contentType: its types are application/vnd.v1+json, application/vnd.v2+json.',
    );
    // @ts-expect-error: a range is no type.
    await expect(client.POST('/ranges', { body: { id: BIG } })).rejects.toThrow('needs the option contentType');
    // @ts-expect-error: the contract has no such type.
    await expect(client.POST('/versions', { body: { id: BIG }, contentType: 'text/csv' })).rejects.toThrow(
      "POST /versions has no body of the type 'text/csv'",
    );
    // @ts-expect-error: the body is one of another type.
    void (() => client.POST('/versions', { body: { id: BIG }, contentType: 'application/vnd.v1+json' }));
    const rounded = served.client().POST('/versions', { body: { id: 1 }, contentType: 'application/vnd.v2+json' });
    await expect(rounded).rejects.toThrow('body.id must be a bigint');
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
      message: `The response to GET /beds/{id} is not exact: it has the number ${start}, which the contract does not declare as an int64.`,
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
