import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs the bench with options that end it before anything is measured. */
function runBench(...args: string[]): { code: number | null; output: string } {
  const command = ['--import', 'tsx', 'scripts/bench/bench.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: PROJECT, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

test.each([
  ['an unknown option', ['--fast'], "Unknown option '--fast'"],
  ['an unknown scenario', ['--only', 'speed'], "There is no scenario 'speed'"],
  ['--only without a scenario', ['--only'], "Option '--only <value>' argument missing"],
  ['an argument that is no option', ['durable'], "Unexpected argument 'durable'"],
])('refuses %s with exit code 2, the reason and the options', (_, args, reason) => {
  const { code, output } = runBench(...args);
  expect(code).toBe(2);
  expect(output).toContain(reason);
  expect(output).toContain('Usage: npm run bench');
});

test('--help lists the options and the scenarios', () => {
  const { code, output } = runBench('--help');
  expect(code).toBe(0);
  expect(output).toMatch(/--quick[^]*--only <scenario>/);
  expect(output).toContain('Scenarios: durable, contract, refusals, large-store, postgres, start');
});
