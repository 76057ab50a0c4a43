import { afterAll, expect, test } from '@jest/globals';
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

// npm has checked its form.
const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

async function run(command: string, argument: string): Promise<{ code: number | null; output: string }> {
  const PATH = [join(copy.folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd: copy.folder, env: { ...process.env, PATH } };
  const { code, stdout, stderr } = await startProcess('sh', ['-c', `${command} "$1"`, 'sh', argument], options).ended;
  return { code, output: stdout + stderr };
}

// The other scripts share packages/test-support/src/command-line.ts.
test.each([['build', '--chek', 2, "unknown option '--chek'"]])(
  'npm run %s -- %s exits with %d, says why, and writes nothing',
  async (name, argument, code, told) => {
    expect(await run(scripts[name] ?? '', argument)).toEqual({ code, output: expect.stringContaining(told) });
    expect(await copy.changes()).toEqual([]);
  },
);

test('npm start builds when a source has changed, says so, and builds nothing otherwise', async () => {
  const start = async (): Promise<{ code: number | null; said: string }> => {
    const { code, output } = await run(`${scripts['prestart'] ?? ''} --service`, '--no-types');
    return { code, said: output };
  };
  const builds = { code: 0, said: expect.stringMatching(/^Building the plant store, .+\n$/) };
  const isBuilt = async (): Promise<boolean> => (await readdir(join(copy.folder, 'dist'))).includes('cli.js');
  expect(await start()).toEqual(builds);
  expect(await isBuilt()).toBe(true);
  expect(await start()).toEqual({ code: 0, said: '' });
  await rm(join(copy.folder, 'packages/openapi-exact/dist'), { recursive: true });
  expect(await start()).toEqual(builds);
  await copy.write('src/wrong.ts', 'export const number: = 1;\n');
  expect(await start()).toEqual({ code: 1, said: expect.stringMatching(/Building the plant store, .+\n$/) });
  await rm(join(copy.folder, 'src/wrong.ts'));
  expect(await start()).toEqual({ code: 0, said: '' });
  for (const folder of ['dist', 'packages/openapi-exact/dist'])
    await rm(join(copy.folder, folder), { recursive: true });
});

// Last, since it changes the copy.
test('a build that fails leaves the program that was there, and nothing beside it', async () => {
  // Built before the tests.
  await cp(fileURLToPath(new URL('../../dist', import.meta.url)), join(copy.folder, 'dist'), { recursive: true });
  const files = async (): Promise<string[][]> => [
    (await readdir(join(copy.folder, 'dist'), { recursive: true })).sort(),
    await readdir(copy.folder),
  ];
  const before = await files();
  expect(before[0]).toEqual(expect.arrayContaining(['cli.js', 'app.js', join('admin', 'metrics.js')]));

  // One wrong file, which is written all the same, since the compiler takes long for all of them.
  await copy.write('src/wrong.ts', 'export const number: string = 1;\n');
  await copy.edit('tsconfig.build.json', '"include": ["src"]', '"include": ["src/wrong.ts"]');
  const { code, stdout } = await startProcess('node', ['scripts/build.mjs', '--service'], { cwd: copy.folder }).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('error TS2322') });
  expect(await files()).toEqual(before);
  expect(await copy.changes()).toEqual(['src/wrong.ts', 'tsconfig.build.json']);
});
