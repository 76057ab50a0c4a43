/**
 * `npm run bench`: measures the plant store beside its competitors on the newest LTS of Node.js and
 * writes docs/benchmarks.md, its chart, its JSON and the rows of both READMEs. `--help` lists the
 * options.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Option } from 'commander';
import { buildProject } from '../../test/support/build.ts';
import { commandLine } from 'test-support/command-line.ts';
import { fetchNewestLts } from '../checks/node-package.ts';
import { setUp } from '../checks/set-up.ts';
import { drawChart } from './chart.ts';
import { Databases } from './databases.ts';
import { GENERATOR } from './load.ts';
import { describeMachine, processorTimes } from './machine.ts';
import type { Plan } from './measure.ts';
import { renderLibraryReadme, renderPage, renderReadme, renderTable } from './page.ts';
import type { Results, ScenarioResult } from './results.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

const ROOT = new URL('../../', import.meta.url);
const RESULTS = new URL('docs/benchmarks/results.json', ROOT);
const QUICK: Plan = { quick: true, sets: 1, passes: 1, warmUp: 2, seconds: 1 };
const FULL: Plan = { quick: false, sets: 2, passes: 3, warmUp: 10, seconds: 2 };

const ids = SCENARIOS.map(({ id }) => id);
const { quick, render, only, thisNode } = commandLine(
  'npm run bench --',
  'Measures the plant store beside its competitors on the newest LTS of Node.js, which it fetches, at most twenty minutes long, and writes docs/benchmarks.md, docs/benchmarks/ and the rows of both READMEs.',
)
  .option('--quick', 'two minutes for all scenarios; prints only', false)
  .addOption(new Option('--only <scenario...>', 'these scenarios; prints only').choices(ids))
  .option('--render', 'measure nothing; write the documents again from docs/benchmarks/results.json', false)
  .option('--this-node', 'measure on the Node.js that runs this', false)
  .parse()
  .opts<{ quick: boolean; only?: string[]; render: boolean; thisNode: boolean }>();
if (render) {
  // The bench has written it.
  await writeDocuments(JSON.parse(await readFile(RESULTS, 'utf8')) as Results);
} else if (!thisNode) {
  process.exitCode = await benchOnNewestLts();
} else {
  buildProject();
  const scenarios = SCENARIOS.filter(({ id }) => only?.includes(id) ?? true);
  await bench(quick ? QUICK : FULL, scenarios, !quick && only === undefined);
}

/** Runs this program with the same options on the newest LTS. @returns its exit code. */
async function benchOnNewestLts(): Promise<number> {
  const { node, env } = await fetchNewestLts();
  const program = ['--import', 'tsx', fileURLToPath(import.meta.url), '--this-node', ...process.argv.slice(2)];
  const child = spawn(node, program, { env, stdio: 'inherit' });
  await once(child, 'close');
  return child.exitCode ?? 1;
}

/** @param isComplete whether everything is measured as long as it has to be: a result to keep. */
async function bench(plan: Plan, scenarios: readonly Scenario[], isComplete: boolean): Promise<void> {
  await installCompetitors();
  const commit = await describeCommit();
  const [allBefore, stolenBefore] = processorTimes();
  const databases = new Databases();
  const measured: ScenarioResult[] = [];
  try {
    const machine = await describeMachine(databases.folder, GENERATOR);
    const node = `${process.version}${process.release.lts === undefined ? '' : ` (LTS ${process.release.lts})`}`;
    console.log(`Node ${node}, commit ${commit}; ${machine}`);
    for (const scenario of scenarios) measured.push(await runScenario(scenario, databases, plan));
    const [all, stolen] = processorTimes();
    const results: Results = {
      date: new Date().toISOString(),
      commit,
      node,
      machine,
      stolen: (stolen - stolenBefore) / Math.max(1, all - allBefore),
      scenarios: measured,
    };
    if (isComplete) await writeDocuments(results);
    else console.log('\nNo document is written: only a complete run does so.');
  } finally {
    await databases.close();
  }
}

async function runScenario(scenario: Scenario, databases: Databases, plan: Plan): Promise<ScenarioResult> {
  const { id, title, text } = scenario;
  const start = performance.now();
  const rows = await scenario.run(databases, plan);
  const result: ScenarioResult = { id, title, text, rows };
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`\n${title} (${seconds} s)\n${renderTable(result)}`);
  return result;
}

/** Installs the competitors on the first run and whenever their lock file has changed. */
async function installCompetitors(): Promise<void> {
  const installed = new URL('node_modules/.package-lock.json', import.meta.url);
  const locked = new URL('package-lock.json', import.meta.url);
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return;
  console.error('Installing the competitors into scripts/bench/node_modules');
  await setUp(fileURLToPath(new URL('.', import.meta.url)), 'npm', ['ci', '--no-audit', '--no-fund']);
}

/** The commit that is measured, with a note when files differ from it. */
async function describeCommit(): Promise<string> {
  const args = ['describe', '--always', '--exclude=*', '--dirty= with changes'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: ROOT }).catch(() => ({ stdout: 'unknown' }));
  return stdout.trim();
}

/** Writes everything that quotes the results, from the results alone. */
async function writeDocuments(results: Results): Promise<void> {
  const [page, readme] = [new URL('docs/benchmarks.md', ROOT), new URL('README.md', ROOT)];
  const libraryReadme = new URL('packages/openapi-exact/README.md', ROOT);
  await writeFile(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  await writeFile(new URL('docs/benchmarks/chart.svg', ROOT), drawChart(results));
  await writeFile(page, renderPage(await readFile(page, 'utf8'), results));
  await writeFile(readme, renderReadme(await readFile(readme, 'utf8'), results));
  await writeFile(libraryReadme, renderLibraryReadme(await readFile(libraryReadme, 'utf8'), results));
}
