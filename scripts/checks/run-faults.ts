import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProject } from '../../test/support/build.ts';
import { damageOf, faultsTable, type Row } from './faults-table.ts';
import { runJest } from './jest.ts';

/** The longest of one test, in milliseconds: many faults have to be waited for. */
const TEST_TIMEOUT = 300_000;

/**
 * Builds the project, runs tests that provoke faults, one after the other, and prints their table.
 * Sets the exit code: 1 after damage or a failed test, in CI also after a skipped one.
 * @param files a pattern of the tests' files. @param timeout of all tests, in milliseconds.
 */
export async function runFaults(files: string, chosen: readonly string[], timeout: number): Promise<void> {
  buildProject();
  const folder = await mkdtemp(join(tmpdir(), 'plant-store-faults-'));
  try {
    const file = join(folder, 'rows.jsonl');
    const args = [`--testMatch=${files}`, '--runInBand', `--testTimeout=${TEST_TIMEOUT}`, ...chosen];
    const { passed, failed } = await runJest(args, { FAULTS_FILE: file }, timeout);
    const rows = await reportedRows(file);
    const skipped = rows.filter((row) => 'skipped' in row).length;
    const damage = damageOf(rows);
    console.log(faultsTable(rows));
    console.log(
      `${rows.length - skipped} faults, ${skipped} skipped, ${damage} plants harmed; ${passed} tests passed, ${failed} failed`,
    );
    // In CI everything is there that a fault needs: nothing may be skipped.
    const isComplete = skipped === 0 || process.env['CI'] === undefined;
    process.exitCode = failed === 0 && damage === 0 && isComplete ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows that the tests have reported, in their order; none without any report. */
async function reportedRows(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  // Written by test/support/faults.ts, one row a line.
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}
