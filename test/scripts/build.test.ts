import { expect, test } from '@jest/globals';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startProcess } from '../support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

test('a build that fails leaves the program that was there, and nothing beside it', async () => {
  const copy = await scratchCopy();
  const build = async (): Promise<number | null> => {
    const { code } = await startProcess('node', ['scripts/build.mjs', '--service'], { cwd: copy.folder }).ended;
    return code;
  };
  const built = async (): Promise<string[]> => (await readdir(join(copy.folder, 'dist'), { recursive: true })).sort();
  const top = (): Promise<string[]> => readdir(copy.folder);
  expect(await build()).toBe(0);
  const [before, beside] = [await built(), await top()];
  expect(before).toEqual(expect.arrayContaining(['cli.js', 'app.js', join('docs', 'page', 'code-samples.js')]));

  await copy.edit('src/cli.ts', "import { tokensCommand } from './commands/tokens.ts';", '');
  expect(await build()).not.toBe(0);
  expect({ built: await built(), top: await top() }).toEqual({ built: before, top: beside });
  expect(await copy.changes()).toEqual(['src/cli.ts']);
  await rm(copy.folder, { recursive: true });
});
