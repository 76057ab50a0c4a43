import { afterAll, beforeAll, beforeEach, afterEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPackage, type InstalledPackage } from '../support/installed-package.ts';
import { readmeBlocks } from '../support/readme.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';

/** Compilers are started here, beside the other tests; in milliseconds. */
const TIMEOUT = 60_000;
const PYTHON_CLIENT = fileURLToPath(new URL('../fixtures/python-client', import.meta.url));
const NEIGHBOURS = [9007199254740992n, 9007199254740994n];

let installed: InstalledPackage;
let service: Service;
let env: Record<string, string>;
beforeAll(async () => {
  installed = await installPackage();
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

/** Whether Python is here, with what the generated client needs. */
async function hasPython(): Promise<boolean> {
  const run = promisify(execFile);
  return run('python3', ['-c', 'import certifi, dateutil, six, urllib3']).then(
    () => true,
    () => false,
  );
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

const python = await hasPython();
if (!python)
  process.stderr.write(
    'skipped: the example for Python, which needs python3 with certifi, dateutil, six and urllib3\n',
  );
(python ? test : test.skip)('the example for Python deletes the plant, and none beside it', async () => {
  await installed.write('example.py', await example('python'));
  const withClient = { ...env, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  expect(await installed.run('python3', ['example.py'], withClient)).toBe('deleted\n');
  expect(await plantsIn(service.stores)).toEqual(NEIGHBOURS);
  expect(await installed.run('python3', ['example.py'], withClient)).toBe('there was none\n');
});
