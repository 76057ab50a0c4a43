import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from 'test-support/browser.ts';
import { installClient } from 'test-support/installed-package.ts';
import { listen } from 'test-support/listen.ts';
import { codeBlock } from 'test-support/readme.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

const [BEFORE, PLANT, AFTER] = [9007199254740992n, 9007199254740993n, 9007199254740994n];
const MODULES = join(process.cwd(), 'node_modules');
const TSC = 'typescript-7/bin/tsc';
/** TypeScript 5, which npm installs for the generator alone. */
const TSC5 = 'typescript/bin/tsc';
const browser = await launchBrowser();

let service: Service;
let env: Record<string, string>;
const installed = await installClient();
beforeEach(async () => {
  service = await startService([BEFORE, PLANT, AFTER, 2n ** 63n - 1n]);
  env = { BASE_URL: service.url, TOKEN: service.token };
});
afterEach(() => service.close());
afterAll(async () => {
  await browser?.close();
  await installed.remove();
});

/** Runs a program of the project's dependencies on files of the package's user. */
function runModule(path: string, ...args: string[]): Promise<string> {
  return installed.run(process.execPath, [join(MODULES, path), ...args]);
}

async function expectOnlyThatPlantGone(): Promise<void> {
  expect(await plantsIn(service.stores)).toEqual([BEFORE, AFTER, 2n ** 63n - 1n]);
}

test('the client brings three packages, none of the server, and itself has modules with their types alone', async () => {
  const modules = join(installed.folder, 'node_modules');
  const packages = (await readdir(modules)).filter((name) => !name.startsWith('.')).sort();
  expect(packages).toEqual(['lossless-json', 'plant-store-client']);
  const folder = join(modules, 'plant-store-client');
  const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const others = files.filter(
    (file) => /\.|LICENSE/.test(file) && !/^dist\/packages\/openapi-exact\/src\/[\w/-]+(?:\.d\.ts|\.js)$/.test(file),
  );
  const generated = ['openapi.d.ts', 'shapes.d.ts', 'shapes.js'].map((name) => `dist/generated/${name}`);
  const own = ['index.d.ts', 'index.js'].map((name) => `dist/packages/plant-store-client/src/${name}`);
  expect(others.sort()).toEqual(['dist/LICENSE', ...generated, ...own, 'package.json']);
});

test('only the module and its package.json can be imported', async () => {
  const script =
    "import('plant-store-client/dist/packages/openapi-exact/src/client/send.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});

const CONSUMER = `import { createClient, ResponseError } from 'plant-store-client';
const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'x' });
const path = { id: 12n };
client.DELETE('/plants/{id}', { params: { path } }).catch((error: unknown) => {
  if (error instanceof ResponseError) console.log(error.status satisfies number);
});
// @ts-expect-error An id must be a bigint: a number may be another's.
client.DELETE('/plants/{id}', { params: { path: { id: 12 } } });
// @ts-expect-error The id is required.
client.DELETE('/plants/{id}', { params: { path: {} } });
// @ts-expect-error The contract has no such path.
client.DELETE('/seeds/{id}', { params: { path } });
// @ts-expect-error The operation takes no query.
client.DELETE('/plants/{id}', { params: { path, query: { force: true } } });
// @ts-expect-error A client needs a token.
createClient({ baseUrl: 'http://127.0.0.1:3000' });
`;

test('its types compile with TypeScript 5, module resolution node10 and no types of Node: a bigint passes, a number does not', async () => {
  await installed.write('old.ts', CONSUMER);
  const options = ['--module', 'commonjs', '--moduleResolution', 'node10', '--target', 'es2022'];
  // Not the libraries of the compiler, which take long.
  const strict = ['--noEmit', '--strict', '--skipDefaultLibCheck', '--lib', 'es2022,dom,dom.iterable'];
  expect(await runModule(TSC5, ...strict, ...options, 'old.ts')).toBe('');
});

test('the example for curl deletes the plant and no other', async () => {
  const example = await codeBlock('README.md', 'sh', '$TOKEN');
  expect(await installed.run('sh', ['-c', example], env)).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  await expectOnlyThatPlantGone();
  expect(await installed.run('sh', ['-c', example], env)).toMatch(/"error":40401/);
});

describe('the examples for TypeScript, compiled with TypeScript 7 and module resolution nodenext,', () => {
  beforeAll(async () => {
    await installed.write('readme.ts', await codeBlock('README.md', 'ts'));
    await installed.write('guide.ts', await codeBlock('docs/client.md', 'ts'));
    await installed.write('consumer.ts', CONSUMER);
    const strict = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    await runModule(TSC, ...strict, '--typeRoots', join(MODULES, '@types'), 'readme.ts', 'guide.ts', 'consumer.ts');
  });
  const run = (name: string): Promise<string> => installed.run(process.execPath, [name], env);

  test('in README.md deletes the plant and no other', async () => {
    await run('readme.js');
    await expectOnlyThatPlantGone();
    await expect(run('readme.js')).rejects.toThrow(/40401/);
  });

  test('in docs/client.md deletes the plant and no other, and reports a missing plant', async () => {
    expect(await run('guide.js')).toBe('deleted\n');
    await expectOnlyThatPlantGone();
    expect(await run('guide.js')).toBe('there was none\n');
  });
});

describe('a bundle for browsers', () => {
  let bundle: string;
  beforeAll(async () => {
    await installed.write(
      'page.js',
      "import * as client from 'plant-store-client';\nglobalThis.plantStore = client;\n",
    );
    // With this platform esbuild refuses what only Node has.
    const options = ['--bundle', '--minify', '--platform=browser', '--target=es2022', '--log-level=warning'];
    expect(await runModule('esbuild/bin/esbuild', 'page.js', '--outfile=bundle.js', ...options)).toBe('');
    bundle = await readFile(join(installed.folder, 'bundle.js'), 'utf8');
  });

  test('has nothing of Node or of the server in it, and is small', () => {
    expect(bundle).not.toMatch(/node:|better-sqlite3|express/);
    expect(gzipSync(bundle).length).toBeLessThanOrEqual(22_100);
  });

  test('split into files, is loaded with at most 15.4 kB', async () => {
    const options = ['--bundle', '--minify', '--splitting', '--format=esm', '--platform=browser', '--target=es2022'];
    await runModule('esbuild/bin/esbuild', 'page.js', '--outdir=split', ...options, '--log-level=warning');
    const folder = join(installed.folder, 'split');
    const page = await readFile(join(folder, 'page.js'), 'utf8');
    const shared = [...page.matchAll(/from"\.\/(.+?)"/g)].map(([, name = '']) => readFile(join(folder, name)));
    const files = [page, ...(await Promise.all(shared))];
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(15_400);
  });

  (browser === undefined ? test.skip : test)(
    'in a page of the same origin deletes the right plant, and tells what it is told',
    async () => {
      if (browser === undefined) throw new Error('unreachable: without a browser this test is skipped');
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      // The page is served under the origin of the service, as a proxy would.
      const html = `<!doctype html><title>Plants</title><link rel="icon" href="data:,"><script>${bundle}</script>`;
      await page.route(`${service.url}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
      await page.goto(`${service.url}/`);
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
          const tokens = ['expired', ${JSON.stringify(service.token)}];
          const renewed = deleteBy(async () => tokens.shift());
          return [
            await right(9007199254740993n),
            await right(9223372036854775807n),
            await right(9007199254740993n),
            await right(9007199254740994),
            await wrong(9007199254740994n),
            await renewed(9007199254740993n),
          ];
        })()`);
      expect(results).toEqual([
        204,
        204,
        { name: 'ResponseError', status: 404, code: 40401, outcome: 'nothing done' },
        { name: 'TypeError' },
        { name: 'ResponseError', status: 401, code: 40101, outcome: 'nothing done' },
        { name: 'ResponseError', status: 404, code: 40401, outcome: 'nothing done' },
      ]);
      expect(complaints).toEqual([]);
      expect(await plantsIn(service.stores)).toEqual([BEFORE, AFTER]);
    },
  );
});

(browser === undefined ? test.skip : test)(
  'a page of another origin deletes plants in a browser if it is allowed',
  async () => {
    const pageServer = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A page</title>');
    });
    const { url, close } = await listen(pageServer);
    const page = await browser?.newPage();
    await page?.goto(url);
    const outcomesWith = async (corsOrigins: readonly string[]): Promise<unknown[]> => {
      const allowing = await startService([1n, 2n, 3n], undefined, { corsOrigins });
      const fetches = [1, 2, 9].map((id) => {
        const headers = id === 2 ? {} : { Authorization: `Bearer ${allowing.token}` };
        return `fetch('${allowing.url}/plants/${id}', { method: 'DELETE', headers: ${JSON.stringify(headers)} })`;
      });
      const outcomes = await page?.evaluate<unknown>(`Promise.all([${fetches.join()}].map((sent) => sent.then(
        ({ status, headers }) => [status, headers.get('x-request-id') !== null, headers.get('www-authenticate')],
        ({ name }) => name,
      )))`);
      const plants = await plantsIn(allowing.stores);
      await allowing.close();
      return [outcomes, plants];
    };
    const answers = [
      [204, true, null],
      [401, true, 'Bearer realm="plant-store"'],
      [404, true, null],
    ];
    expect(await outcomesWith(['https://other.example', url])).toEqual([answers, [2n, 3n]]);
    expect(await outcomesWith(['https://other.example'])).toEqual([Array(3).fill('TypeError'), [1n, 2n, 3n]]);
    await page?.close();
    await close();
  },
);
