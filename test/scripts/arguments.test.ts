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
test.each(['build', 'contract:diff', 'test'])(
  'npm run %s exits 2 on an unknown option, and writes nothing',
  async (name) => {
    const refused = { code: 2, output: expect.stringContaining("unknown option '--chek'") };
    expect(await run(scripts[name] ?? '', '--chek')).toEqual(refused);
    expect(await copy.changes()).toEqual([]);
  },
);

test('npm run scaling exits 2 on a surplus argument, prints --help and writes nothing', async () => {
  const line = scripts['scaling'] ?? '';
  expect(await run(line, 'other.yaml')).toEqual({ code: 2, output: expect.stringContaining('too many arguments') });
  expect(await run(line, '--help')).toEqual({ code: 0, output: expect.stringMatching(/^Usage: npm run scaling -- /) });
  expect(await copy.changes()).toEqual([]);
});
