import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFile, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { startProcess } from '../support/process.ts';
import { scratchCopy, type ScratchCopy } from '../support/scratch-copy.ts';

/** Scripts that npm runs before and after others, without arguments. */
const HOOKS = ['prepack', 'prepare', 'prestart'];
/** `npm start` is the command line of the service, which test/commands shows. */
const SERVICE = 'start';
/** Programs of dependencies, which refuse unknown options themselves. */
const PROGRAMS = ['types', 'lint', 'format'];

// npm has checked its form.
const { scripts } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};
const SCRIPTS = Object.entries(scripts).filter(([name]) => ![...HOOKS, SERVICE, ...PROGRAMS].includes(name));

let copy: ScratchCopy;
beforeAll(async () => {
  copy = await scratchCopy();
});
afterAll(() => rm(copy.folder, { recursive: true }));

/** Runs the script as npm does. */
async function run(command: string, argument: string): Promise<{ code: number | null; output: string }> {
  const PATH = [join(copy.folder, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const options = { cwd: copy.folder, env: { ...process.env, PATH } };
  const { code, stdout, stderr } = await startProcess('sh', ['-c', `${command} "$1"`, 'sh', argument], options).ended;
  return { code, output: stdout + stderr };
}

test.each(SCRIPTS)('npm run %s exits 2 on an unknown option and writes nothing', async (_name, line) => {
  expect(await run(line, '--chek')).toEqual({ code: 2, output: expect.stringContaining("unknown option '--chek'") });
  expect(await copy.changes()).toEqual([]);
});

// All scripts share test/support/command-line.ts.
test('npm run generate exits 2 on a surplus argument, prints --help and writes nothing', async () => {
  const line = scripts['generate'] ?? '';
  const surplus = { code: 2, output: expect.stringContaining('too many arguments') };
  expect(await run(line, 'other.yaml')).toEqual(surplus);
  expect(await run(line, '--help')).toEqual({ code: 0, output: expect.stringMatching(/^Usage: npm run generate -- /) });
  expect(await copy.changes()).toEqual([]);
});
