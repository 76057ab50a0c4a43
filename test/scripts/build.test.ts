import { expect, test } from '@jest/globals';
import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

test('a build that fails leaves the program that was there, and nothing beside it', async () => {
  const copy = await scratchCopy();
  // Built before the tests.
  await cp(fileURLToPath(new URL('../../dist', import.meta.url)), join(copy.folder, 'dist'), { recursive: true });
  const files = async (): Promise<string[][]> => [
    (await readdir(join(copy.folder, 'dist'), { recursive: true })).sort(),
    await readdir(copy.folder),
  ];
  const before = await files();
  expect(before[0]).toEqual(expect.arrayContaining(['cli.js', 'app.js', join('docs', 'page', 'code-samples.js')]));

  // One wrong file, which is written all the same, since the compiler takes long for all of them.
  await copy.write('src/wrong.ts', 'export const number: string = 1;\n');
  await copy.edit('tsconfig.build.json', '"include": ["src"]', '"include": ["src/wrong.ts"]');
  const { code, stdout } = await startProcess('node', ['scripts/build.mjs', '--service'], { cwd: copy.folder }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('error TS2322') });
  expect(await files()).toEqual(before);
  expect(await copy.changes()).toEqual(['src/wrong.ts', 'tsconfig.build.json']);
  await rm(copy.folder, { recursive: true });
});
