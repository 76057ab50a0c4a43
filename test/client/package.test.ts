import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installClient, type InstalledPackage } from '../support/installed-package.ts';
import { plantsIn, startService } from '../support/service.ts';

/** npm and compilers are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 120_000;

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installClient();
}, TIMEOUT);
afterAll(() => installed.remove());

test('the client brings three packages, and none of the server', async () => {
  const packages = await readdir(join(installed.folder, 'node_modules'));
  expect(packages.filter((name) => !name.startsWith('.')).sort()).toEqual([
    'lossless-json',
    'openapi-fetch',
    'openapi-typescript-helpers',
    'plant-store-client',
  ]);
});

test('the package has modules with their types, and nothing else', async () => {
  const folder = join(installed.folder, 'node_modules', 'plant-store-client');
  const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
  const others = files.filter(
    (file) => /\.|LICENSE/.test(file) && !/^dist\/src\/client\/[\w-]+(?:\.d\.ts|\.js)$/.test(file),
  );
  const generated = ['openapi.d.ts', 'operations.d.ts', 'operations.js'].map((name) => `dist/generated/${name}`);
  expect(others.sort()).toEqual(['dist/LICENSE', ...generated, 'package.json']);
});

test('in Node it deletes the right plant and reports refusals', async () => {
  const service = await startService([9007199254740992n, 9007199254740993n, 9007199254740994n]);
  try {
    const lines = [
      "import { createClient } from 'plant-store-client';",
      'const { BASE_URL: baseUrl, TOKEN: token } = process.env;',
      "const call = createClient({ baseUrl, token }).DELETE('/plants/{id}', { params: { path: { id: 9007199254740993n } } });",
      'console.log(await call.then(({ response }) => response.status, ({ code }) => code));',
    ];
    await installed.write('call.js', `${lines.join('\n')}\n`);
    const env = { BASE_URL: service.url, TOKEN: service.token };
    expect(await installed.run(process.execPath, ['call.js'], env)).toBe('204\n');
    expect(await installed.run(process.execPath, ['call.js'], env)).toBe('40401\n');
    expect(await plantsIn(service.stores)).toEqual([9007199254740992n, 9007199254740994n]);
  } finally {
    await service.close();
  }
});

test.each([
  ['nodenext', ['--module', 'nodenext']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['node10', ['--module', 'commonjs', '--moduleResolution', 'node10']],
])(
  'its types compile elsewhere, with module resolution %s and no types of Node: a bigint passes, a number does not',
  async (_name, options) => {
    const lines = [
      "import { createClient, ResponseError } from 'plant-store-client';",
      "const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'x' });",
      'const path = { id: 12n };',
      "client.DELETE('/plants/{id}', { params: { path } }).catch((error: unknown) => {",
      '  if (error instanceof ResponseError) console.log(error.status satisfies number);',
      '});',
      '// @ts-expect-error A number is no id.',
      "client.DELETE('/plants/{id}', { params: { path: { id: 12 } } });",
    ];
    await installed.write('consumer.ts', `${lines.join('\n')}\n`);
    const tsc = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    expect(await installed.run(process.execPath, [tsc, ...strict, ...options, 'consumer.ts'])).toBe('');
  },
  TIMEOUT,
);

test('only the module and its package.json can be imported', async () => {
  const script = "import('plant-store-client/dist/src/client/send.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});
