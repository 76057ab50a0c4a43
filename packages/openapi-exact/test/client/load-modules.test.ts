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
    'GET /events': { parameters: {}, body: {}, responses: { 200: { 'application/jsonl': { isSequence: true } } } },
    'POST /events': { parameters: {}, body: { 'application/jsonl': { isSequence: true } }, responses: { 204: {} } },
  },
  schemas: {},
} as const satisfies client.ContractShapes;

interface Json {
  readonly content: { readonly 'application/json': unknown };
}

interface Items {
  readonly content: { readonly 'application/jsonl': AsyncIterable<unknown> };
}

interface Paths {
  '/plants': { get: { responses: { 200: Json } } };
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
async function bundledClient(): Promise<{ plants: client.Client<Paths>; sent: string[]; types: typeof client }> {
  // Safe: the file is the bundle of this module.
  const types = (await import(pathToFileURL(join(folder, 'client.mjs')).href)) as typeof client;
  const sent: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`);
    return Promise.resolve(Response.json([]));
  };
  const options = { shapes: CONTRACT, baseUrl: 'http://plants.test', fetch };
  return { plants: types.createClient<Paths>(options), sent, types };
}

test('without the files that are loaded on demand, JSON is called, and nothing is sent that needs them', async () => {
  const files = await readdir(folder);
  const others = files.filter((file) => file !== 'client.mjs');
  expect(others).not.toEqual([]);
  await Promise.all(others.map((file) => rm(join(folder, file))));

  const { plants, sent, types } = await bundledClient();
  expect((await plants.GET('/plants')).data).toEqual([]);
  for (const call of [plants.GET('/events'), plants.POST('/events', { body: [{ id: 1 }] })]) {
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(types.ConnectionError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^A module of the client was not loaded, and nothing was sent: .*items/),
      outcome: 'nothing done',
      cause: expect.anything(),
    });
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
