import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePlantAt } from './support/cli.ts';
import { installPackage, type InstalledPackage } from './support/installed-package.ts';

/** npm and compilers are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 120_000;

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
}, TIMEOUT);
afterAll(() => installed.remove());

test(
  '`npx plant-store serve` works in an empty folder of whoever installed the package, and deletes the right plant',
  async () => {
    const empty = join(installed.folder, 'empty');
    await mkdir(empty);
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PORT: '0', ADMIN_PORT: '0' };
    // A group of its own, to be stopped as a terminal stops it: npx does not pass a signal on.
    const server = spawn('npx', ['--no-install', 'plant-store', 'serve'], { cwd: empty, env, detached: true });
    let output = '';
    server.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const curl = /Bearer \$\(cat (\S+)\)" (\S+)\/plants\/9007199254740993/;
    while (!curl.test(output)) await once(server.stdout, 'data');
    const [, file = '', url = ''] = curl.exec(output) ?? [];
    const token = (await readFile(join(empty, file), 'utf8')).trim();
    for (const status of [204, 404]) {
      expect(await deletePlantAt(url, token, 9007199254740993n)).toMatchObject({ status });
    }
    process.kill(-Number(server.pid), 'SIGTERM');
    await once(server, 'close');
    expect(await readdir(join(empty, 'data'))).toEqual(['first-token', 'plants.db']);
    const plants = spawn('npx', ['--no-install', 'plant-store', 'plants', 'count'], { cwd: empty, env });
    const [count] = (await once(plants.stdout.setEncoding('utf8'), 'data')) as [string];
    // A dozen sample plants, and one was deleted.
    expect(count).toBe('11\n');
    await once(plants, 'close');
  },
  TIMEOUT,
);

test(
  'the package has the program, the client with its types and the contract, and nothing else',
  async () => {
    const files = await readdir(join(installed.folder, 'node_modules', 'plant-store'), { recursive: true });
    const kinds = new Set(
      files.map((file) => file.replaceAll('\\', '/')).filter((file) => !/^dist\/(?:[\w-]+\/)*[\w-]+\.js$/.test(file)),
    );
    expect([...kinds].filter((file) => /\.|LICENSE/.test(file)).sort()).toEqual(
      [
        ...['LICENSE', 'README.md', 'openapi.yaml', 'package.json'],
        'generated/openapi.d.ts',
        ...files.filter((file) => /^dist.client.*\.d\.ts$/.test(file)).map((file) => file.replaceAll('\\', '/')),
      ].sort(),
    );
    expect(kinds).toContain('dist/client/create-client.d.ts');
  },
  TIMEOUT,
);

test.each([
  ['nodenext', ['--module', 'nodenext']],
  ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
])(
  'the types of the client compile elsewhere, with module resolution %s and no types of Node: a bigint passes, a number does not',
  async (_name, options) => {
    const lines = [
      "import { createClient, ResponseError } from 'plant-store/client';",
      "const client = createClient({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'x' });",
      'const path = { id: 12n };',
      "client.DELETE('/plants/{id}', { params: { path } }).catch((error: unknown) => {",
      '  if (error instanceof ResponseError) console.log(error.status satisfies number);',
      '});',
      '// @ts-expect-error A number is no id.',
      "client.DELETE('/plants/{id}', { params: { path: { id: 12 } } });",
    ];
    await installed.write('consumer.ts', `${lines.join('\n')}\n`);
    // Of TypeScript 5, which clients still have; everything else here is compiled by 7.
    const tsc = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    expect(await installed.run(process.execPath, [tsc, ...strict, ...options, 'consumer.ts'])).toBe('');
  },
  TIMEOUT,
);

test('nothing but what the package exports can be imported', async () => {
  const script = "import('plant-store/dist/cli.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});
