/**
 * `npm test`: everything that must hold, in one command. Types, lint, generated files and the build are checked side by side;
 * then all tests run. The last line counts them.
 */
import { spawn } from 'node:child_process';
import { runTests } from './run-tests.ts';

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

const checks = await Promise.all([
  check('types', 'tsc', '--noEmit'),
  check('build', 'tsc', '-p', 'tsconfig.build.json'),
  check('lint', 'eslint', '.'),
  check('format', 'prettier', '--check', '--log-level', 'warn', '.'),
  check('generated files', 'tsx', 'scripts/generate.ts', '--check'),
  check('lock file', 'tsx', 'scripts/check-lock.ts'),
]);
const args = process.argv.slice(2);
const tests = await runTests(args, args.length === 0);
const failed = tests.failed + checks.filter((ok) => !ok).length;
console.log(`${tests.passed + checks.filter((ok) => ok).length} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
