import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractCoverage, coverageTable } from './contract-coverage.ts';

const JEST = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));
const COVERAGE = new URL('../coverage/contract.json', import.meta.url);

/** Longer than all tests ever take: a test that hangs fails the run, in milliseconds. */
const TIMEOUT = 600_000;

/**
 * Runs jest in sight, prints how often each operation was seen to answer with each status, and writes that to
 * coverage/contract.json.
 * @param complete whether these are all tests of the contract: then a status that was declared but never seen is a failure.
 * @returns how many tests passed and failed; a file that cannot be run counts as one that failed, and so does each gap.
 */
export async function runTests(
  args: readonly string[],
  complete: boolean,
): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-jest-'));
  try {
    const report = join(folder, 'report.json');
    const answers = join(folder, 'answers');
    const node = ['--experimental-vm-modules', '--no-warnings', JEST, '--json', `--outputFile=${report}`, ...args];
    await new Promise((done) => {
      const env = { ...process.env, ANSWERS_FOLDER: answers };
      spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: TIMEOUT }).on(
        'close',
        done,
      );
    });
    // jest's own format: https://jestjs.io/docs/configuration#testresultsprocessor-string
    const results = JSON.parse(await readFile(report, 'utf8')) as Record<string, number>;
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
    const coverage = await contractCoverage(answers);
    await mkdir(new URL('.', COVERAGE), { recursive: true });
    await writeFile(COVERAGE, `${JSON.stringify(coverage, null, 2)}\n`);
    console.log(coverageTable(coverage));
    const gaps = complete ? coverage.filter(({ declared, count }) => !declared || count === 0).length : 0;
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites + gaps };
  } finally {
    await rm(folder, { recursive: true });
  }
}
