import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { installClient, type InstalledPackage } from '../support/installed-package.ts';
import { readmeBlocks } from '../support/readme.ts';
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

/** The one example of a language. */
async function example(language: string): Promise<string> {
  const [code = '', ...others] = await readmeBlocks('Call it', language);
  expect(others).toEqual([]);
  return code;
}

test('the example for curl deletes the plant, and none beside it', async () => {
  expect(await installed.run('sh', ['-c', await example('sh')], env)).toMatch(/^HTTP\/1\.1 204 No Content\r\n/);
  expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
  expect(await installed.run('sh', ['-c', await example('sh')], env)).toMatch(/"error":40401/);
});

test(
  'the example for TypeScript compiles, deletes the plant, and none beside it, and says so when there is none',
  async () => {
    await installed.write('example.ts', await example('ts'));
    const tsc = join(process.cwd(), 'node_modules', 'typescript', 'bin', 'tsc');
    const types = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules', '@types')];
    await installed.run(process.execPath, [
      tsc,
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      ...types,
      'example.ts',
    ]);
    expect(await installed.run(process.execPath, ['example.js'], env)).toBe('deleted\n');
    expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
    expect(await installed.run(process.execPath, ['example.js'], env)).toBe('there was none\n');
  },
  TIMEOUT,
);
