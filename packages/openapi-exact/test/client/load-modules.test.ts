import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as client from '../../src/client.ts';

const CONTRACT = {
  operations: {
    'GET /plants': { parameters: {}, body: {}, responses: { 200: { 'application/json': {} } } },
    'GET /shelves': {
      ...{ parameters: {}, styles: { query: { size: { style: 'deepObject', explode: true } } }, body: {} },
      responses: { 200: { 'application/json': {} } },
    },
    'GET /keys': {
      ...{ parameters: {}, body: {}, security: [['apiKey']] },
      responses: { 200: { 'application/json': {} } },
    },
    'GET /events': { parameters: {}, body: {}, responses: { 200: { 'application/jsonl': { sequence: 'lines' } } } },
    'POST /events': { parameters: {}, body: { 'application/jsonl': { sequence: 'lines' } }, responses: { 204: {} } },
  },
  schemas: {},
  securitySchemes: { apiKey: { in: 'query', name: 'key' } },
} as const satisfies client.ContractShapes;

interface Json {
  readonly content: { readonly 'application/json': unknown };
}

interface Items {
  readonly content: { readonly 'application/jsonl': AsyncIterable<unknown> };
}

interface Paths {
  '/plants': { get: { parameters: { query?: { tag?: readonly string[] } }; responses: { 200: Json } } };
  '/shelves': { get: { parameters: { query: { size: object } }; responses: { 200: Json } } };
  '/keys': { get: { responses: { 200: Json } } };
  '/events': {
    get: { responses: { 200: Items } };
    post: { requestBody: Items; responses: { 204: { content?: never } } };
  };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-modules-'));
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/client.ts', import.meta.url))],
    ...{ bundle: true, minify: true, splitting: true, format: 'esm', platform: 'browser', target: 'es2022' },
    ...{ outdir: folder, outExtension: { '.js': '.mjs' } },
  });
});
afterAll(() => rm(folder, { recursive: true }));

/** A client of a page, and the requests that it has sent. */
async function bundledClient(): Promise<{
  plants: client.Client<Paths>;
  sent: string[];
  types: typeof client;
  options: client.ClientOptions;
}> {
  // Safe: the file is the bundle of this module.
  const types = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as typeof client;
  const sent: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return Promise.resolve(Response.json([]));
  };
  const options = {
    shapes: CONTRACT,
    baseUrl: 'http://plants.test',
    token: 'secret',
    credentials: { apiKey: 'key' },
    fetch,
  };
  return { plants: types.createClient<Paths>(options), sent, types, options };
}

test('without the files that are loaded on demand, JSON is called, and nothing is sent that needs them', async () => {
  const files = await readdir(folder);
  // Those with code that several modules need are named chunk.
  const others = files.filter((file) => !/^(?:client\.|chunk-)/.test(file));
  expect(others).not.toEqual([]);
  await Promise.all(others.map((file) => rm(join(folder, file))));

  const { plants, sent, types, options } = await bundledClient();
  expect((await plants.GET('/plants', { params: { query: { tag: ['red', 'tall'] } } })).data).toEqual([]);
  const calls = [
    plants.GET('/events'),
    plants.POST('/events', { body: [{ id: 1 }] }),
    plants.GET('/keys'),
    plants.GET('/shelves', { params: { query: { size: { depth: 2 } } } }),
  ];
  for (const call of calls) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(types.ConnectionError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^A module of the client was not loaded, and nothing was sent: .*(?:items|placed-credential|styled-parameter)-/,
      ),
      outcome: 'nothing done',
      cause: expect.anything(),
    });
  }
  for (const call of [
    plants.GET('/plants', { parseAs: 'stream' }),
    types.createClient<Paths>({ ...options, onRequest: () => undefined }).GET('/plants'),
  ]) {
    await expect(call).rejects.toMatchObject({ name: 'ConnectionError', outcome: 'nothing done' });
  }
  expect(sent).toEqual(['GET /plants']);
});

test('a module that takes too long ends the call in time, or at the signal', async () => {
  jest.unstable_mockModule('../../src/client/items.ts', () => new Promise(() => undefined));
  const { createClient, TimeoutError } = await import('../../src/client.ts');
  const { GET } = createClient<Paths>({ shapes: CONTRACT, baseUrl: 'http://plants.test' });

  const late: unknown = await GET('/events', { timeout: 0 }).catch((thrown: unknown) => thrown);
  expect(late).toBeInstanceOf(TimeoutError);
  expect(late).toMatchObject({
    message: 'A module of the client was not loaded within 0 ms.',
    outcome: 'nothing done',
  });

  const controller = new AbortController();
  const left = GET('/events', { signal: controller.signal });
  controller.abort(new Error('left the page'));
  await expect(left).rejects.toThrow('left the page');
});
