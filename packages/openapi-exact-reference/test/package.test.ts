import { afterAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installReference } from 'test-support/installed-package.ts';
import { startProcess } from 'test-support/process.ts';

const COMPILER = fileURLToPath(new URL('../../../node_modules/typescript-7/bin/tsc', import.meta.url));
const OPTIONS = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023', '--types', 'node'];
const README = await read('README.md');
const [SERVER = ''] = blocks('ts').filter((code) => code.includes('app.listen'));

const installed = await installReference();
afterAll(() => installed.remove());

function read(name: string): Promise<string> {
  return readFile(new URL(`../${name}`, import.meta.url), 'utf8');
}

function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);
}

test('the archive has what was built, the page and its documents, and no source or test', async () => {
  const folder = join(installed.folder, 'node_modules/openapi-exact-reference');
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const files = names.filter((name) => /\.\w+$|LICENSE/.test(name));
  const built = /^dist\/[\w-]+(?:\.d\.ts|\.js)$|^dist\/page\/[\w-]+\.(?:js|css|html|svg)$/;
  expect(files.filter((name) => !built.test(name)).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'package.json',
  ]);
});

test('only the entry point can be imported', async () => {
  const script = "import('openapi-exact-reference/dist/page-files.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});

test('the server of README.md compiles, and serves the page in an empty folder, complete', async () => {
  await installed.write('openapi.yaml', await read('test/fixtures/library.yaml'));
  await installed.write('server.ts', SERVER);
  await installed.run(process.execPath, [COMPILER, ...OPTIONS, 'server.ts']);
  const listening = 'const server = app.listen(0, () => console.log(server.address().port))';
  await installed.write('server.js', SERVER.replace('app.listen(3000)', listening));
  const server = startProcess(process.execPath, ['server.js'], { cwd: installed.folder });
  const [port = ''] = await server.until(/\d+/);
  const url = `http://127.0.0.1:${port}`;
  const html = await (await fetch(`${url}/docs`)).text();
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = '']) => new URL(part, `${url}/docs`));
  expect(parts.length).toBeGreaterThan(15);
  for (const part of [...parts, new URL(`${url}/docs/openapi.json`)]) {
    expect([part.pathname, (await fetch(part)).status]).toEqual([part.pathname, 200]);
  }
  server.child.kill();
  await server.ended;
});

test('README.md names every option', async () => {
  const source = await read('src/api-reference.ts');
  const [, options = ''] = /export interface ApiReferenceOptions \{(.*?)^\}/ms.exec(source) ?? [];
  const names = [...options.matchAll(/^  readonly (\w+)/gm)].map(([, name]) => name);
  const rows = [...README.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows).toEqual(names);
});
