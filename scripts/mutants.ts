/**
 * `npm run test:mutation [-- <words>]`: proof that the tests bite. Puts one fault after the other into a copy of the project and shows
 * what noticed it, in a table. Exits 1 when a fault survives, or is out of date. With words, only faults that have them in
 * their name or their file's.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../src/errors.ts';
import { commandLine } from '../test/support/command-line.ts';
import { compiler, generate, tests } from './mutants/checks.ts';
import { CONTRACT_FAULTS } from './mutants/contract-faults.ts';
import { PROJECT, withCopy } from './mutants/copy.ts';
import { staleness, type Fault } from './mutants/fault.ts';
import { SERVER_FAULTS } from './mutants/server-faults.ts';
import { contractTrial, serverTrial, type Trial, type Verdict } from './mutants/trials.ts';

/** Copies of the project that work at the same time. */
const COPIES = 2;

interface Row {
  readonly fault: Fault;
  readonly trial: Trial;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const program = commandLine(
  'npm run test:mutation --',
  'Breaks the project, one fault at a time, and shows which test notices.',
)
  .argument('[words...]', 'only faults with these words in their name, or in that of their file')
  .parse();
const words = program.args.join(' ');
const rows: readonly Row[] = [
  ...SERVER_FAULTS.map((fault) => ({ fault, trial: serverTrial })),
  ...CONTRACT_FAULTS.map((fault) => ({ fault, trial: contractTrial })),
].filter(({ fault: { name, file } }) => name.includes(words) || file.includes(words));
if (rows.length === 0) program.error(`No fault has '${words}' in its name or its file's.`);
const texts = await Promise.all(rows.map(({ fault }) => readFile(join(PROJECT, fault.file), 'utf8')));
const stale = rows.flatMap(({ fault }, index) => staleness(texts[index] ?? '', fault) ?? []);
if (stale.length > 0) fail(stale.join('\n'));

/** Without a fault everything must be green: else what is red later proves nothing. */
async function requireGreen(folder: string): Promise<void> {
  const paths = [...new Set(rows.flatMap(({ fault }) => fault.tests))];
  const { code, output } = await generate(folder, '--check');
  if (code !== 0) throw new Error(`Without any fault, generate --check fails: ${output}`);
  const objection = (await compiler(folder)) ?? (paths.length === 0 ? undefined : await tests(folder, paths));
  if (objection) throw new Error(`Without any fault, ${objection.by} fails: ${objection.what}`);
}

const width = Math.max(...rows.map(({ fault }) => fault.name.length));

function show(name: string, { check, objection }: Verdict): void {
  const caught = objection === undefined ? 'SURVIVED' : `${objection.by}: ${objection.what}`;
  console.log(`${name.padEnd(width)}  ${(check ?? '').padEnd(5)}  ${caught.slice(0, 200)}`);
}

let survivors = 0;
const interruption = new AbortController();
const waiting = [...rows];

async function work(folder: string): Promise<void> {
  try {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const verdict = await row.trial(folder, row.fault);
      if (interruption.signal.aborted) return;
      show(row.fault.name, verdict);
      if (verdict.objection === undefined) survivors++;
    }
  } finally {
    // After a failure the other copy ends too.
    waiting.length = 0;
  }
}

// The programs that run are interrupted too; what is left to do is to remove the copies. It may come twice: tsx passes it on.
process.on('SIGINT', () => {
  interruption.abort();
  waiting.length = 0;
});
try {
  await withCopy(requireGreen);
  console.log(`${'fault'.padEnd(width)}  check  caught by`);
  const results = await Promise.allSettled(Array.from({ length: COPIES }, () => withCopy(work)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
} catch (error) {
  fail(interruption.signal.aborted ? 'Interrupted.' : messageOf(error));
}
if (interruption.signal.aborted) fail('Interrupted.');
console.log(`${rows.length} faults, ${rows.length - survivors} caught, ${survivors} survived`);
process.exitCode = survivors === 0 ? 0 : 1;
