import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { drawChart } from '../../scripts/bench/chart.ts';
import { renderPage, renderReadme } from '../../scripts/bench/page.ts';
import type { Results } from '../../scripts/bench/results.ts';
import { readProjectFile } from '../support/readme.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const SCENARIOS = ['durable', 'contract', 'refusals', 'large-store', 'postgres', 'start'];
// The bench has written it.
const results = JSON.parse(await readProjectFile('docs/benchmarks/results.json')) as Results;

test('the published results are one complete run without failures', () => {
  expect(results.commit).toMatch(/^[0-9a-f]{7,}$/);
  expect(results.scenarios.map(({ id }) => id)).toEqual(SCENARIOS);
  for (const { rows } of results.scenarios) expect(rows.filter(({ failed }) => failed !== undefined)).toEqual([]);
});

// `npm run bench -- --render` writes them again when their form has changed.
test('docs/benchmarks.md, the chart and README.md quote the published results', async () => {
  expect(await readProjectFile('docs/benchmarks.md')).toBe(renderPage(results));
  expect(await readProjectFile('docs/benchmarks/chart.svg')).toBe(drawChart(results));
  const readme = await readProjectFile('README.md');
  expect(readme).toBe(renderReadme(readme, results));
});

test('README.md quotes at most five rows', async () => {
  const [table = ''] =
    /(?<=<!-- Written by `npm run bench`. -->\n)[^]*?(?=<!--)/.exec(await readProjectFile('README.md')) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(5);
});

/** Runs the bench with options that end it before anything is measured. */
function runBench(...args: string[]): { code: number | null; output: string } {
  const command = ['--import', 'tsx', 'scripts/bench/bench.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: PROJECT, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}

test('npm run bench exits 2 on an unknown scenario and names the known ones', () => {
  const { code, output } = runBench('--only', 'speed');
  expect(code).toBe(2);
  for (const scenario of SCENARIOS) expect(output).toContain(scenario);
});
