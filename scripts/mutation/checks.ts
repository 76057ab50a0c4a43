import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startProcess } from 'test-support/process.ts';
import { compareContracts } from '../contract-diff/contract-diff.ts';

/**
 * The longest run of one program, or of each path of tests, in milliseconds: what hangs is ended,
 * and has failed.
 */
const TIMEOUT = 300_000;

const CONTRACT = new URL('../../openapi.yaml', import.meta.url);

/** Runs the programs of the project in a copy of it. An abort ends them. */
export class Checks {
  readonly folder: string;
  readonly #temporary: string;
  readonly #interruption: AbortSignal;

  /** @param temporary a folder for files of the programs, which is not inside the copy. */
  constructor(folder: string, temporary: string, interruption: AbortSignal) {
    this.folder = folder;
    this.#temporary = temporary;
    this.#interruption = interruption;
  }

  /** Runs the npm script of this name, or a test file. @returns its output when it fails. */
  async problem(check: string): Promise<string | undefined> {
    // The linter has passed when the generated files were written.
    if (check === 'lint') return undefined;
    if (check === 'types') return this.run('types', 'typescript-7/bin/tsc');
    if (check === 'contract:diff') return this.#contractDiff();
    // It fails too when a declared status was never seen.
    if (check === 'test:contract') return this.run('test:contract', 'tsx/dist/cli.mjs', 'scripts/test-contract.ts');
    return this.tests([check]);
  }

  /** The first test that fails. */
  async tests(paths: readonly string[]): Promise<string | undefined> {
    // Without a name, all would run.
    if (paths.length === 0) return undefined;
    const cache = `--cacheDirectory=${this.#temporary}/jest`;
    // A mutant may leave servers open, which jest would wait for.
    const options = [
      '--reporters=./scripts/mutation/first-failure.mjs',
      '--testTimeout=30000',
      '--forceExit',
      '--runInBand',
      cache,
    ];
    return this.#run('test', TIMEOUT * paths.length, 'jest/bin/jest.js', ...options, ...paths);
  }

  /** Lints the contract and writes what is generated from it. */
  async generate(...args: string[]): Promise<string | undefined> {
    return this.run('lint', 'tsx/dist/cli.mjs', 'scripts/generate.ts', ...args);
  }

  /** Writes the program that some tests start; types are not checked. */
  async build(): Promise<string | undefined> {
    return this.run('build', 'typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck');
  }

  /** Runs a program of the dependencies. @returns what it says when it fails. */
  async run(name: string, program: string, ...args: string[]): Promise<string | undefined> {
    return this.#run(name, TIMEOUT, program, ...args);
  }

  async #run(name: string, timeout: number, program: string, ...args: string[]): Promise<string | undefined> {
    const node = ['--experimental-vm-modules', '--no-warnings', join('node_modules', program), ...args];
    const env = { ...process.env, TMPDIR: this.#temporary };
    const ending = { timeout, killSignal: 'SIGKILL', signal: this.#interruption } as const;
    const options = { cwd: this.folder, env, detached: true, ...ending };
    const { child, ended } = startProcess(process.execPath, node, options);
    child.once('exit', () => {
      endGroup(child);
    });
    const { code, stdout, stderr } = await ended;
    if (code === 0) return undefined;
    if (code === null) return `${name}: took longer than ${timeout / 1000} s, or was ended by a signal`;
    const [, test] = /^FIRST FAILURE (.+)$/m.exec(stdout) ?? [];
    return test ?? `${name}: ${/^.*(?:NEVER SEEN|NOT DECLARED)$/m.exec(stdout)?.[0] ?? firstLine(stdout + stderr)}`;
  }

  async #contractDiff(): Promise<string | undefined> {
    const changed = pathToFileURL(join(this.folder, 'openapi.yaml'));
    const { report, passed } = await compareContracts(CONTRACT, changed, 'the project');
    return passed ? undefined : `contract:diff: ${firstLine(report.replace(/^.*These break clients:/s, ''))}`;
  }
}

/** Ends what a process has started and not ended. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** The first line that is not blank. */
function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'it failed without a message').trim();
}
