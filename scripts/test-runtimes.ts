import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { commandLine } from 'test-support/command-line.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TESTS = 'packages/openapi-exact/examples/garden/garden.test.ts';
/** jest's globals, made of Deno's node:test. */
const GLOBALS = new URL('../packages/openapi-exact/test/support/node-test-globals.ts', import.meta.url).href;

commandLine(
  'npm run test:runtimes',
  'Runs the tests of the garden under Bun and Deno, whose programs npm has. The packages are built before.',
).parse();

await inTemporaryFolder('runtimes', async (folder) => {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, ...quiet, 'bun', 'deno']);
  const programs = join(folder, 'node_modules/.bin');
  await run(join(programs, 'bun'), ['test', `./${TESTS}`]);
  const importMap = join(folder, 'imports.json');
  await writeFile(importMap, JSON.stringify({ imports: { '@jest/globals': GLOBALS } }));
  // The compiler has checked the types, and npm has installed the packages.
  const options = ['--allow-all', '--no-check', '--node-modules-dir=manual', `--import-map=${importMap}`];
  await run(join(programs, 'deno'), ['test', ...options, TESTS]);
});

/** Runs a program in the project. @throws Error with its output when it fails. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const running = startProcess(program, [...args], { cwd: ROOT });
  running.child.stdout.pipe(process.stdout);
  running.child.stderr.pipe(process.stderr);
  const { code } = await running.ended;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed with ${code}.`);
}
