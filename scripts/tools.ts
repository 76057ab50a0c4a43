import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../test/support/command-line.ts';

const ROOT = new URL('../', import.meta.url);

/** The npm scripts that run programs of the project's dependencies. They take no arguments. */
const TOOLS: Readonly<Record<string, readonly [description: string, run: () => boolean]>> = {
  build: ['Compiles src/ into dist/.', build],
  types: ['Checks the types of all files.', () => program('tsc', '--noEmit')],
  lint: ['Checks all files with the linter and the formatter.', () => program('oxlint') && program('oxfmt', '--check')],
  format: ['Formats all files.', () => program('oxfmt')],
};

const [name = ''] = process.argv.splice(2, 1);
const [description, run] = TOOLS[name] ?? [`One of ${Object.keys(TOOLS).join(', ')}.`, (): boolean => false];
commandLine(`npm run ${name} --`, description).parse();
process.exitCode = run() ? 0 : 1;

function build(): boolean {
  rmSync(new URL('dist', ROOT), { recursive: true, force: true });
  if (!program('tsc', '-p', 'tsconfig.build.json') || !program('tsc', '-p', 'src/client')) return false;
  cpSync(new URL('src/docs/page.js', ROOT), new URL('dist/docs/page.js', ROOT));
  chmodSync(new URL('dist/cli.js', ROOT), 0o755);
  return true;
}

/** Runs a program to its end, in sight. npm has put the dependencies' programs on the PATH. */
function program(command: string, ...args: string[]): boolean {
  const { status, error } = spawnSync(command, args, { cwd: fileURLToPath(ROOT), stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status === 0;
}
