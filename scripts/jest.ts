import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const JEST = fileURLToPath(new URL('../node_modules/jest/bin/jest.js', import.meta.url));

/**
 * Runs jest in sight.
 * @param env variables beside those of this process.
 * @param timeout longer than all of them ever take, in milliseconds: a test that hangs fails the run.
 * @returns how many tests passed and failed; a file that cannot be run counts as one that failed.
 */
export async function runJest(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeout: number,
): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-jest-'));
  try {
    const report = join(folder, 'report.json');
    const node = ['--experimental-vm-modules', '--no-warnings', JEST, '--json', `--outputFile=${report}`, ...args];
    await new Promise((done) => {
      const options = { env: { ...process.env, ...env }, timeout };
      spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'inherit'], ...options }).on('close', done);
    });
    // jest's own format: https://jestjs.io/docs/configuration#testresultsprocessor-string
    const results = JSON.parse(await readFile(report, 'utf8')) as Record<string, number>;
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } finally {
    await rm(folder, { recursive: true });
  }
}
