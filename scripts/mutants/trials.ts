import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compiler, contractDiff, coverage, firstLine, generate, tests } from './checks.ts';
import { applyFault, type Fault, type Objection } from './fault.ts';

const GENERATED = ['generated/openapi.d.ts', 'generated/operations.ts'];

/** What became of a fault; without objection it survived. */
export interface Verdict {
  /** For a fault of the contract, what `generate --check` says before anything is regenerated. */
  readonly check?: 'lint' | 'stale' | 'fresh';
  readonly objection: Objection | undefined;
}

/** Puts one fault into a copy of the project and runs what should notice it. */
export type Trial = (folder: string, fault: Fault) => Promise<Verdict>;

/** A fault of the server: its tests should fail, or the compiler object. */
export const serverTrial: Trial = async (folder, fault) => {
  const restore = await applyFault(folder, fault);
  try {
    return { objection: fault.tests.length === 0 ? await compiler(folder) : await tests(folder, fault.tests) };
  } finally {
    await restore();
  }
};

/**
 * A fault of the contract: the lint should object, or, once everything is regenerated, the compiler, a test, the comparison
 * with the contract as it was, or the table of what was seen. That a generated file is stale counts for nothing: whoever
 * made the fault regenerates them.
 */
export const contractTrial: Trial = async (folder, fault) => {
  const generated = await Promise.all(GENERATED.map((file) => readFile(join(folder, file), 'utf8')));
  const restore = await applyFault(folder, fault);
  try {
    const { code, output } = await generate(folder, '--check');
    const check =
      code === 0 ? 'fresh' : GENERATED.some((file) => output.includes(`${file} is stale`)) ? 'stale' : 'lint';
    if (check === 'lint') return { check, objection: { by: 'lint', what: firstLine(output) } };
    if (check === 'stale') await generate(folder);
    const objection =
      (await compiler(folder)) ??
      (await tests(folder, fault.tests)) ??
      (await contractDiff(folder)) ??
      // Tests that all pass may never have seen what the contract declares.
      (await coverage(folder));
    return { check, objection };
  } finally {
    await restore();
    await Promise.all(GENERATED.map((file, index) => writeFile(join(folder, file), generated[index] ?? '')));
  }
};
