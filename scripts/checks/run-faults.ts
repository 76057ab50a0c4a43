import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProject } from '../../test/support/build.ts';
import type { FaultRow } from '../../test/support/ledger.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { pathArguments, runJest } from './jest.ts';

/** The longest of one test, in milliseconds: many faults have to be waited for. */
const TEST_TIMEOUT = 300_000;

/**
 * The command line of a script that builds the project, runs tests that provoke faults, one after
 * the other, and prints what came of each. Sets the exit code: 1 after damage or a failed test, in
 * CI also after a skipped one.
 * @param files a pattern of the tests' files. @param timeout of all tests, in milliseconds.
 */
export async function runFaults(usage: string, description: string, files: string, timeout: number): Promise<void> {
  const paths = pathArguments(usage, description);
  const args = [`--testMatch=${files}`, '--runInBand', `--testTimeout=${TEST_TIMEOUT}`, ...paths];
  buildProject();
  await inTemporaryFolder('faults', async (folder) => {
    const file = join(folder, 'rows.jsonl');
    const { passed, failed } = await runJest(args, { FAULTS_FILE: file }, timeout);
    const rows = await reportedRows(file);
    let harmed = 0;
    for (const row of rows) {
      const { lost = 0, wronglyDeleted = 0, wronglyAcknowledged = 0 } = row;
      harmed += lost + wronglyDeleted + wronglyAcknowledged;
      const plants = `lost ${lost}, wrongly deleted ${wronglyDeleted}, wrongly acknowledged ${wronglyAcknowledged}`;
      const result = row.skipped === undefined ? `${row.happened}; ${plants}` : `skipped, ${row.skipped}`;
      console.log(`${row.fault}: ${result}`);
    }
    const skipped = rows.filter((row) => row.skipped !== undefined).length;
    const tests = `${passed} tests passed, ${failed} failed`;
    console.log(`${rows.length - skipped} faults, ${skipped} skipped, ${harmed} plants harmed; ${tests}`);
    // In CI everything is there that a fault needs: nothing may be skipped.
    const isComplete = skipped === 0 || process.env['CI'] === undefined;
    process.exitCode = failed === 0 && harmed === 0 && isComplete ? 0 : 1;
  });
}

/** What the tests have reported, in their order; none without any report. */
async function reportedRows(file: string): Promise<(Partial<FaultRow> & { fault: string; skipped?: string })[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  // Written by test/support/ledger.ts, one row a line.
  return lines.map((line) => JSON.parse(line) as FaultRow);
}
