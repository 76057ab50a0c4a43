import { expect, test } from '@jest/globals';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProcess, type Outcome } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const PROGRAM = `
  import { cacheCompiledCode } from ${JSON.stringify(new URL('../src/compile-cache.ts', import.meta.url).href)};
  cacheCompiledCode(new URL(process.argv[1]));
  await import('commander');
  console.log('it runs');
`;

/** Runs a program that caches in a folder. */
function runCached(folder: string): Promise<Outcome> {
  const { NODE_COMPILE_CACHE: _, NODE_DISABLE_COMPILE_CACHE: __, ...env } = process.env;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM, '--', pathToFileURL(folder).href];
  return startProcess(process.execPath, args, { env: { ...env, TSX_DISABLE_CACHE: '1' } }).ended;
}

test('what is compiled is kept for the next start, where Node.js can do so', async () => {
  await inTemporaryFolder('compile-cache', async (folder) => {
    expect(await runCached(folder)).toEqual({ code: 0, stdout: 'it runs\n', stderr: '' });
    const isKept = parseInt(process.versions.node) >= 22;
    expect((await readdir(folder)).length > 0).toBe(isKept);
  });
});

test('a program runs where nothing can be kept', async () => {
  await inTemporaryFolder('compile-cache', async (folder) => {
    await mkdir(join(folder, 'installation'));
    await writeFile(join(folder, 'installation/cache'), '');
    const outcome = await runCached(join(folder, 'installation/cache/below-a-file'));
    expect(outcome).toEqual({ code: 0, stdout: 'it runs\n', stderr: '' });
  });
});
