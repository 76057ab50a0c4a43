import { chmod, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from 'test-support/temporary-folder.ts';
import { scratchCopy } from '../../test/support/scratch-copy.ts';
import { Checks } from './checks.ts';
import { applied, type Mutant } from './mutant.ts';
import { addOperations } from './operations.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Tests that start the built program. */
const STARTS_PROGRAM = /^test\/(admin|commands|service)\//;

/** How mutants are tried. */
export interface TrialOptions {
  /** Copies of the project that are mutated at the same time. */
  readonly copies: number;
  /** Whether the copies have the six operations. */
  readonly operations: boolean;
  /** Ends the programs that run. */
  readonly interruption: AbortSignal;
}

/** The outcome of a mutant. */
export interface Outcome {
  readonly mutant: Mutant;
  /** The check that noticed it; undefined for none. */
  readonly notice: string | undefined;
  readonly seconds: number;
}

/**
 * Tries mutants in copies of the project, after all checks have passed without one.
 * @param report gets each outcome at once.
 */
export async function tryMutants(
  mutants: readonly Mutant[],
  report: (outcome: Outcome) => void,
  options: TrialOptions,
): Promise<void> {
  await inCopy(options, (checks) => requireGreen(checks, mutants));
  const waiting = [...mutants];
  const work = async (checks: Checks): Promise<void> => {
    try {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const start = performance.now();
        const notice = await trial(checks, mutant);
        report({ mutant, notice, seconds: Math.round((performance.now() - start) / 1000) });
      }
    } finally {
      // When one copy fails, the others end too.
      waiting.length = 0;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: options.copies }, () => inCopy(options, work)));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Runs with a built copy of the project, which is removed afterwards. */
async function inCopy(
  { operations, interruption }: TrialOptions,
  use: (checks: Checks) => Promise<void>,
): Promise<void> {
  const { folder } = await scratchCopy();
  // Beside the copy: messages shorten the names of files inside the working folder.
  const temporary = await temporaryFolder();
  try {
    // PostgreSQL does not run as root, and its data is in there.
    await Promise.all([folder, temporary].map((path) => chmod(path, 0o711)));
    await cp(join(PROJECT, 'dist'), join(folder, 'dist'), { recursive: true });
    const checks = new Checks(folder, temporary, interruption);
    if (operations) {
      await addOperations(folder);
      const problem = await checks.generate();
      if (problem !== undefined) throw new Error(problem);
    }
    await use(checks);
  } finally {
    await Promise.all([folder, temporary].map((path) => rm(path, { recursive: true, maxRetries: 3 })));
  }
}

/** Requires every check to pass without a mutant: otherwise a failure later proves nothing. */
async function requireGreen(checks: Checks, mutants: readonly Mutant[]): Promise<void> {
  const names = [...new Set(mutants.flatMap(({ noticedBy }) => noticedBy))];
  const tests = names.filter((name) => name.includes('/'));
  let problem = names.includes('lint') ? await checks.generate('--check') : undefined;
  if (names.includes('types')) problem ??= await checks.problem('types');
  problem ??= await checks.tests(tests);
  if (problem !== undefined) throw new Error(`Without a mutant: ${problem}`);
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
