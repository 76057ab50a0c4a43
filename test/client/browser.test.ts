import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { launchBrowser } from '../support/browser.ts';
import { installClient, type InstalledPackage } from '../support/installed-package.ts';
import { listen, type Listening } from '../support/listen.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

/** A browser is started here, beside the other tests; in milliseconds. */
const TIMEOUT = 120_000;
const browser = await launchBrowser();

let installed: InstalledPackage;
let bundle: string;
beforeAll(async () => {
  installed = await installClient();
  await installed.write('page.js', "import * as client from 'plant-store-client';\nglobalThis.plantStore = client;\n");
  // With this platform esbuild refuses what only Node has.
  const options = ['--bundle', '--minify', '--platform=browser', '--target=es2022', '--log-level=warning'];
  const esbuild = join(process.cwd(), 'node_modules', 'esbuild', 'bin', 'esbuild');
  expect(await installed.run(esbuild, ['page.js', '--outfile=bundle.js', ...options])).toBe('');
  bundle = await readFile(join(installed.folder, 'bundle.js'), 'utf8');
}, TIMEOUT);
afterAll(async () => {
  await browser?.close();
  await installed.remove();
});

test('a bundle for browsers has nothing of Node or of the server in it, and is small', () => {
  expect(bundle).not.toMatch(/node:|better-sqlite3|express/);
  // 10 KB of it are openapi-fetch; in bytes.
  expect(bundle.length).toBeLessThan(40_000);
});

/**
 * Serves a page with the bundle, and the plant store under the same origin, as a proxy in front of
 * both would.
 */
async function serveBoth(service: Service): Promise<Listening> {
  const server = createServer((incoming, response) => {
    if (incoming.url === '/') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>Plants</title><link rel="icon" href="data:,"><script>${bundle}</script>`);
      return;
    }
    const { method, url, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port: service.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  return listen(server);
}

(browser === undefined ? test.skip : test)(
  'in a page of the same origin the client deletes the right plant, and tells what it is told',
  async () => {
    if (browser === undefined) throw new Error('unreachable: without a browser this test is skipped');
    const plants = [9007199254740992n, 9007199254740993n, 9007199254740994n, 2n ** 63n - 2n, 2n ** 63n - 1n];
    const service = await startService(plants);
    const server = await serveBoth(service);
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(server.url);
      const results = await page.evaluate(`(async () => {
        const { createClient } = plantStore;
        const deleteBy = (token) => async (id) => {
          const client = createClient({ baseUrl: location.origin, token });
          return client.DELETE('/plants/{id}', { params: { path: { id } } }).then(
            ({ response }) => response.status,
            ({ name, status, code, outcome }) => ({ name, status, code, outcome }),
          );
        };
        const [right, wrong] = [${JSON.stringify(service.token)}, 'wrong'].map(deleteBy);
        return [
          await right(9007199254740993n),
          await right(9223372036854775807n),
          await right(9007199254740993n),
          await right(9007199254740994),
          await wrong(9007199254740994n),
        ];
      })()`);
      expect(results).toEqual([
        204,
        204,
        { name: 'ResponseError', status: 404, code: 40401, outcome: 'nothing done' },
        { name: 'TypeError' },
        { name: 'ResponseError', status: 401, code: 40101, outcome: 'nothing done' },
      ]);
      expect(complaints).toEqual([]);
      expect(await plantsIn(service.stores)).toEqual([9007199254740992n, 9007199254740994n, 2n ** 63n - 2n]);
    } finally {
      await server.close();
      await service.close();
    }
  },
  TIMEOUT,
);
