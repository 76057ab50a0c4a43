import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { contractCoverage, coverageTable } from './contract-coverage.ts';
import { runJest } from './jest.ts';

const COVERAGE = new URL('../coverage/contract.json', import.meta.url);

/** Longer than all tests ever take: a test that hangs fails the run, in milliseconds. */
const TIMEOUT = 1_200_000;

/**
 * Runs jest in sight, prints how often each operation was seen to answer with each status, and writes that to
 * coverage/contract.json.
 * @param complete whether these are all tests of the contract: then a status that was declared but never seen is a failure.
 * @returns how many tests passed and failed; a file that cannot be run counts as one that failed, and so does each gap.
 */
export async function runTests(
  args: readonly string[],
  complete: boolean,
): Promise<{ passed: number; failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-answers-'));
  try {
    // One more than there are cores, since some tests wait for processes and clocks most of their time.
    const isSaid = args.some((argument) => argument.startsWith('--maxWorkers'));
    const workers = isSaid ? [] : [`--maxWorkers=${availableParallelism() + 1}`];
    const { passed, failed } = await runJest([...workers, ...args], { ANSWERS_FOLDER: folder }, TIMEOUT);
    const coverage = await contractCoverage(folder);
    await mkdir(new URL('.', COVERAGE), { recursive: true });
    await writeFile(COVERAGE, `${JSON.stringify(coverage, null, 2)}\n`);
    console.log(coverageTable(coverage));
    const gaps = complete ? coverage.filter(({ declared, count }) => !declared || count === 0).length : 0;
    return { passed, failed: failed + gaps };
  } finally {
    await rm(folder, { recursive: true });
  }
}
