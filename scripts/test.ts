/**
 * `npm test`: everything that must hold, in one command. Types, lint, generated files and the build are checked side by side;
 * then all tests run. The last line counts them.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a program of this project; its output is shown in one piece, when it fails. */
function check(name: string, program: string, ...args: string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn('npx', ['--no-install', program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('close', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}`);
      if (code !== 0) console.error(output);
      done(code === 0);
    });
  });
}

/** Runs jest in sight. @returns how many tests passed and failed; a file that cannot be run counts as one that failed. */
async function runTests(args: readonly string[]): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-jest-'));
  const report = join(folder, 'report.json');
  const jest = new URL('../node_modules/jest/bin/jest.js', import.meta.url).pathname;
  await new Promise((done) => {
    const node = ['--experimental-vm-modules', '--no-warnings', jest, '--json', `--outputFile=${report}`, ...args];
    spawn(process.execPath, node, { stdio: ['ignore', 'ignore', 'inherit'] }).on('close', done);
  });
  try {
    // jest's own format: https://jestjs.io/docs/configuration#testresultsprocessor-string
    const results = JSON.parse(await readFile(report, 'utf8')) as Record<string, number>;
    const { numPassedTests = 0, numFailedTests = 0, numRuntimeErrorTestSuites = 0 } = results;
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } finally {
    await rm(folder, { recursive: true });
  }
}

const checks = await Promise.all([
  check('types', 'tsc', '--noEmit'),
  check('build', 'tsc', '-p', 'tsconfig.build.json'),
  check('lint', 'eslint', '.'),
  check('format', 'prettier', '--check', '--log-level', 'warn', '.'),
  check('generated files', 'tsx', 'scripts/generate.ts', '--check'),
]);
const tests = await runTests(process.argv.slice(2));
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`${tests.passed + checks.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
