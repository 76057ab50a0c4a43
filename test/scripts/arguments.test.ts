import { afterAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { startProcess } from '../support/process.ts';
import { scratchCopy } from '../support/scratch-copy.ts';

// npm has checked its form.
const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

const copy = await scratchCopy();
afterAll(() => rm(copy.folder, { recursive: true }));

/** Runs the script as npm does. */
async function run(command: string, argument: string): Promise<{ code: number | null; output: string }> {
  const PATH = [join(copy.folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd: copy.folder, env: { ...process.env, PATH } };
  const { code, stdout, stderr } = await startProcess('sh', ['-c', `${command} "$1"`, 'sh', argument], options).ended;
  return { code, output: stdout + stderr };
}

// The build has a command line of its own; all other scripts share test/support/command-line.ts.
test.each([
  ['build', '--chek', 2, "unknown option '--chek'"],
  ['contract:diff', '--chek', 2, "unknown option '--chek'"],
  ['test', '--chek', 2, "unknown option '--chek'"],
  ['bench', '--only=speed', 2, 'Allowed choices are durable, contract, refusals, large-store, postgres, start.'],
  ['scaling', 'other.yaml', 2, 'too many arguments'],
  ['scaling', '--help', 0, 'Usage: npm run scaling -- '],
])('npm run %s -- %s exits with %d, says why, and writes nothing', async (name, argument, code, told) => {
  expect(await run(scripts[name] ?? '', argument)).toEqual({ code, output: expect.stringContaining(told) });
  expect(await copy.changes()).toEqual([]);
});
