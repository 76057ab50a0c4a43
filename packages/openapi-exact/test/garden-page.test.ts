import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from 'test-support/browser.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { createApp } from '../examples/garden/app.ts';

/** What a page does with the garden; its token is an old one at first. */
const SCRIPT = `
import { createClient } from 'openapi-exact/client';
import { Decimal } from './decimal.ts';
import { formats } from './formats.ts';
import { shapes } from './generated/shapes.ts';

let [token, sent] = ['expired', 0];
const client = createClient({
  shapes,
  formats,
  baseUrl: location.origin,
  token: () => token,
  onResponse: ({ request, response, fetch }) => {
    sent += 1;
    if (response.status !== 401) return response;
    token = 'secret-token';
    request.headers.set('Authorization', 'Bearer ' + token);
    return fetch(request);
  },
});
globalThis.plantRose = async () => {
  const price = Decimal.parse('12345678.90');
  const { data: rose } = await client.POST('/plants', { body: { name: 'Rose', price } });
  const { data: found } = await client.GET('/plants', { params: { query: { since: rose.plantedAt } } });
  return {
    isExact: rose.id > 2n ** 53n && rose.price instanceof Decimal && rose.plantedAt instanceof Date,
    found: found.map(({ id, price }) => [id === rose.id, String(price)]),
    sent,
  };
};
`;

const browser = await launchBrowser();
let photos: string;
let server: Server;
let origin: string;
/** The files of the page by their paths. */
let files: ReadonlyMap<string, string>;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: SCRIPT,
      resolveDir: fileURLToPath(new URL('../examples/garden', import.meta.url)),
      loader: 'ts',
    },
    alias: { 'openapi-exact/client': fileURLToPath(new URL('../src/client.ts', import.meta.url)) },
    ...{ bundle: true, splitting: true, write: false, format: 'esm', platform: 'browser', outdir: 'page' },
  });
  files = new Map(outputFiles.map(({ path, text }) => [`/page/${basename(path)}`, text]));
  photos = await temporaryFolder('garden');
  server = createServer(await createApp(photos)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await browser?.close();
  await rm(photos, { recursive: true });
});

(browser === undefined ? test.skip : test)(
  'a page renews its token and calls the garden, with a decimal, a Date and an id beyond 2^53',
  async () => {
    if (browser === undefined) throw new Error('unreachable: without a browser this test is skipped');
    const page = await browser.newPage();
    const loaded: string[] = [];
    await page.route(`${origin}/page/**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      loaded.push(path);
      const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page/stdin.js"></script>';
      return path === '/page/'
        ? route.fulfill({ contentType: 'text/html', body: html })
        : route.fulfill({ contentType: 'text/javascript', body: files.get(path) ?? '' });
    });
    await page.goto(`${origin}/page/`);
    const before = loaded.length;
    expect(await page.evaluate('plantRose()')).toEqual({ isExact: true, found: [[true, '12345678.90']], sent: 2 });
    // What runs hooks is a file of its own, which the first call loads.
    expect(loaded.length).toBeGreaterThan(before);
  },
);
