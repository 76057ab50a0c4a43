import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from 'test-support/command-line.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { contractCoverage } from './coverage.ts';

const JEST = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));

/** Longer than all tests take beside any load, in milliseconds: a test that hangs fails the run. */
const TIMEOUT = 3_600_000;

/** How many tests passed and failed. A file that cannot be run, or no file at all, failed too. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Reads the command line of a script that runs jest. @returns the paths of test files. */
export function pathArguments(usage: string, description: string): string[] {
  return commandLine(usage, description).argument('[paths...]', 'only test files whose path matches').parse().args;
}

/** The counts in jest's report. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly numTotalTestSuites: number;
}

/** Runs jest with its output shown. @param env extra variables. @param timeout in milliseconds. */
export async function runJest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout = TIMEOUT,
): Promise<Counts> {
  return inTemporaryFolder('jest', async (folder) => {
    const report = join(folder, 'report.json');
    const node = ['--experimental-vm-modules', '--no-warnings', JEST, '--json', `--outputFile=${report}`, ...args];
    const options = { env: { ...process.env, ...env }, timeout };
    await once(spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'inherit'], ...options }), 'close');
    // jest's own format: https://jestjs.io/docs/configuration#testresultsprocessor-string
    const results = JSON.parse(await readFile(report, 'utf8')) as Report;
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numTotalTestSuites } = results;
    // A run without a test file shows nothing.
    if (numTotalTestSuites === 0) return { passed: 0, failed: 1 };
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  });
}

/**
 * Runs jest, and prints how often each operation was seen to answer with each status.
 * @param complete whether these are all tests of the contract: then a declared status that was
 * never seen counts as a failure.
 */
export async function runTests(args: readonly string[], complete: boolean): Promise<Counts> {
  return inTemporaryFolder('answers', async (folder) => {
    // One more than there are cores, since some tests wait for processes most of their time.
    const workers = `--maxWorkers=${availableParallelism() + 1}`;
    const { passed, failed } = await runJest([workers, ...args], { ANSWERS_FOLDER: folder });
    const { table, gaps } = await contractCoverage(folder);
    console.log(table);
    return { passed, failed: complete ? failed + gaps : failed };
  });
}
