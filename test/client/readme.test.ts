import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { installClient, type InstalledPackage } from '../support/installed-package.ts';
import { codeBlock } from '../support/readme.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

/** Compilers are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 60_000;
const NEIGHBOURS = [9007199254740992n, 9007199254740994n];

let installed: InstalledPackage;
let service: Service;
let env: Record<string, string>;
beforeAll(async () => {
  installed = await installClient();
}, TIMEOUT);
afterAll(() => installed.remove());
beforeEach(async () => {
  service = await startService([...NEIGHBOURS, 9007199254740993n]);
  env = { BASE_URL: service.url, TOKEN: service.token };
});
afterEach(() => service.close());

/** Options of TypeScript's compiler. */
const STRICT = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];

/** Compiles an example of TypeScript as its reader would. */
async function compile(code: string): Promise<void> {
  await installed.write('example.ts', code);
  const [tsc, types] = ['typescript/bin/tsc', '@types'].map((path) => join(process.cwd(), 'node_modules', path));
  await installed.run(process.execPath, [String(tsc), ...STRICT, '--typeRoots', String(types), 'example.ts']);
}

test('the example for curl deletes the plant and no other', async () => {
  const example = await codeBlock('README.md', 'sh', '$TOKEN');
  expect(await installed.run('sh', ['-c', example], env)).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
  expect(await installed.run('sh', ['-c', example], env)).toMatch(/"error":40401/);
});

test(
  'the example for TypeScript in README.md compiles and deletes the plant and no other',
  async () => {
    await compile(await codeBlock('README.md', 'ts'));
    await installed.run(process.execPath, ['example.js'], env);
    expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
    await expect(installed.run(process.execPath, ['example.js'], env)).rejects.toThrow(/40401/);
  },
  TIMEOUT,
);

test(
  'the example for TypeScript in docs/client.md compiles, deletes the plant and no other, and reports a missing plant',
  async () => {
    await compile(await codeBlock('docs/client.md', 'ts'));
    expect(await installed.run(process.execPath, ['example.js'], env)).toBe('deleted\n');
    expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
    expect(await installed.run(process.execPath, ['example.js'], env)).toBe('there was none\n');
  },
  TIMEOUT,
);
