import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { scratchCopy } from '../../test/support/scratch-copy.ts';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { Checks } from './checks.ts';
import { applied, readMutants, type Mutant } from './mutant.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Tests that start the built program. */
const STARTS_PROGRAM = /^test\/(admin|commands|service)\//;

/** Copies of the project that are mutated at the same time. */
const COPIES = 2;

const program = commandLine(
  'npm run test:mutation --',
  'Breaks one promise of the project after the other, in a copy, and shows what notices. Exits 1 when nothing does.',
)
  .option('--only <name>', 'only promises whose text contains this')
  .option('--operations', 'adds six operations to the copy, and breaks their promises instead')
  .parse();
const { only = '', operations = false } = program.opts<{ only?: string; operations?: boolean }>();
const all = await readMutants(...(operations ? ['operation-faults.txt'] : ['service.txt', 'contract.txt']));
const mutants = all.filter(({ promise }) => promise.toLowerCase().includes(only.toLowerCase()));
if (mutants.length === 0) {
  console.error(`error: no promise contains '${only}'`);
  process.exit(2);
}

const interruption = new AbortController();
// A terminal sends it to this process, and tsx passes it on once more.
process.on('SIGINT', () => {
  interruption.abort(new Error('Interrupted.'));
});
const waiting = [...mutants];
let survivors = 0;
try {
  await inCopy(requireGreen);
  const results = await Promise.allSettled(Array.from({ length: COPIES }, () => inCopy(work)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  console.log(`${mutants.length - survivors} caught, ${survivors} survived`);
} catch (error) {
  console.error(messageOf(error));
  process.exit(1);
}
process.exitCode = survivors === 0 ? 0 : 1;

/** Runs with a built copy of the project, which is removed afterwards. */
async function inCopy(use: (checks: Checks) => Promise<void>): Promise<void> {
  const { folder } = await scratchCopy();
  // Beside the copy: messages shorten the names of files inside the working folder.
  const temporary = await temporaryFolder();
  try {
    // PostgreSQL does not run as root, and its data is in there.
    await Promise.all([folder, temporary].map((path) => chmod(path, 0o711)));
    await cp(join(PROJECT, 'dist'), join(folder, 'dist'), { recursive: true });
    const checks = new Checks(folder, temporary, interruption.signal);
    if (operations) await addOperations(checks);
    await use(checks);
  } finally {
    await Promise.all([folder, temporary].map((path) => rm(path, { recursive: true, maxRetries: 3 })));
  }
}

/** Adds operations to a copy, as docs/contract.md describes it. */
async function addOperations(checks: Checks): Promise<void> {
  for (const edit of await readMutants('operations.txt')) {
    const path = join(checks.folder, edit.file);
    await writeFile(path, edit.before === '' ? `${edit.after}\n` : applied(edit, await readFile(path, 'utf8')));
  }
  const problem = await checks.generate();
  if (problem !== undefined) throw new Error(problem);
}

/** Requires every check to pass without a mutant: otherwise a failure later proves nothing. */
async function requireGreen(checks: Checks): Promise<void> {
  const names = [...new Set(mutants.flatMap(({ noticedBy }) => noticedBy))];
  const problem =
    (await checks.generate('--check')) ??
    (await checks.problem('types')) ??
    (await checks.tests(names.filter((name) => name.endsWith('.test.ts'))));
  if (problem !== undefined) throw new Error(`Without a mutant: ${problem}`);
}

async function work(checks: Checks): Promise<void> {
  try {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const start = performance.now();
      const notice = await trial(checks, mutant);
      const seconds = Math.round((performance.now() - start) / 1000);
      console.log(`${mutant.promise} (${seconds} s): ${(notice ?? 'SURVIVED').slice(0, 160)}`);
      if (notice === undefined) survivors++;
    }
  } finally {
    // When one copy fails, the other ends too.
    waiting.length = 0;
  }
}

/** Applies a mutant, and takes it back. @returns what noticed it; undefined: nothing. */
async function trial(checks: Checks, mutant: Mutant): Promise<string | undefined> {
  const { file, noticedBy } = mutant;
  const path = join(checks.folder, file);
  const original = await readFile(path, 'utf8');
  await writeFile(path, applied(mutant, original));
  try {
    // Generated files do not count: they are regenerated with the contract.
    let notice = file === 'openapi.yaml' ? await checks.generate() : undefined;
    if (noticedBy.some((name) => STARTS_PROGRAM.test(name))) notice ??= await checks.build();
    for (const name of noticedBy) notice ??= await checks.problem(name);
    return notice;
  } finally {
    await writeFile(path, original);
    // requireGreen has shown what is generated to be up to date.
    for (const name of file === 'openapi.yaml' ? ['generated', 'docs'] : [])
      await cp(join(PROJECT, name), join(checks.folder, name), { recursive: true });
  }
}
