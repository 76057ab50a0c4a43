import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compareContracts } from '../contract-diff/contract-diff.ts';
import { PROJECT, temporary } from './copy.ts';
import type { Objection } from './fault.ts';

/** Longer than any check takes: what hangs is stopped, in milliseconds. */
const TIMEOUT = 120_000;

const TSX = 'node_modules/tsx/dist/cli.mjs';
const TSC = 'node_modules/typescript/bin/tsc';
const JEST = 'node_modules/jest/bin/jest.js';
const REPORTER = './scripts/mutants/first-failure.mjs';

/** What the compiler has against the project in a folder. */
export async function compiler(folder: string): Promise<Objection | undefined> {
  const { code, output } = await node(folder, TSC, '--noEmit');
  return code === 0 ? undefined : { by: 'compiler', what: firstLine(output) };
}

/** Regenerates what is made from the contract; the lint of the contract comes before it. */
export async function generate(folder: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return node(folder, TSX, 'scripts/generate.ts', ...args);
}

/** The first test of these files that fails; those behind it do not run. */
export async function tests(folder: string, paths: readonly string[]): Promise<Objection | undefined> {
  const { code, output } = await node(
    folder,
    ...['--experimental-vm-modules', '--no-warnings', JEST, '--runInBand', '--testTimeout=10000'],
    ...[`--reporters=${REPORTER}`, `--cacheDirectory=${join(temporary(folder), 'jest')}`, ...paths],
  );
  if (code === 0) return undefined;
  const [, file, what = ''] = /^FIRST FAILURE (.+?): (.+)$/m.exec(output) ?? [];
  return file === undefined ? { by: 'tests', what: firstLine(output) } : { by: relative(folder, file), what };
}

/** What the table of operation × status, which `npm run test:contract` prints, shows to be never seen or not declared. */
export async function coverage(folder: string): Promise<Objection | undefined> {
  const { code, output } = await node(folder, TSX, 'scripts/test-contract.ts');
  if (code === 0) return undefined;
  const gap = output.split('\n').find((line) => /NEVER SEEN|NOT DECLARED/.test(line));
  return { by: 'test:contract', what: gap?.trim().replaceAll(/ +/g, ' ') ?? firstLine(output) };
}

/** What the contract in a folder breaks for clients of the project's contract. */
export async function contractDiff(folder: string): Promise<Objection | undefined> {
  const [before, after] = [PROJECT, folder].map((one) => pathToFileURL(join(one, 'openapi.yaml')));
  if (before === undefined || after === undefined) throw new Error('unreachable: there are two');
  const { report, passed } = await compareContracts(before, after, 'the project');
  return passed ? undefined : { by: 'contract:diff', what: firstLine(report.replace(/^.*These break clients:/s, '')) };
}

async function node(folder: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    // The seed of what is drawn at random is the same each time; what tests leave behind when they are stopped goes with the copy.
    const env = { ...process.env, SEED: '1', TMPDIR: temporary(folder), NODE_OPTIONS: '' };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(() => {
      output = `no end within ${TIMEOUT / 1000} seconds`;
      child.kill('SIGKILL');
    }, TIMEOUT);
    child.on('error', fail);
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code, output });
    });
  });
}

/** The first line that says something. */
export function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').trim();
}
