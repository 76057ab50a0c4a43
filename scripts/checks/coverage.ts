import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadContract } from 'openapi-exact';
import { declaredStatus } from '../../test/support/declared-status.ts';

/** How often the tests have seen each operation answer with each status. */
interface Coverage {
  /** A line for each operation and status, for people. */
  readonly table: string;
  /** How many statuses are declared and were never seen, or were seen and are not declared. */
  readonly gaps: number;
}

/**
 * Adds up what the tests have seen. A status counts as the contract declares it: itself, its range
 * or `default`.
 * @param folder holds a file for each test file, as test/support/conformance.ts writes them.
 */
export async function contractCoverage(folder: string): Promise<Coverage> {
  const { operations } = await loadContract(new URL('../../openapi.yaml', import.meta.url));
  const responsesOf = new Map(operations.map(({ id, responses }) => [id, responses]));
  const declared = operations.flatMap(({ id, responses }) => Object.keys(responses).map((status) => `${id} ${status}`));
  const counts = new Map(declared.map((answer) => [answer, 0]));
  // Without any request no test has made the folder.
  for (const file of await readdir(folder).catch(() => [])) {
    // Written by test/support/conformance.ts in this form.
    const seen = JSON.parse(await readFile(join(folder, file), 'utf8')) as [string, number][];
    for (const [answer, count] of seen) {
      const [id = '', status = ''] = answer.split(' ');
      const key = `${id} ${declaredStatus(responsesOf.get(id) ?? {}, Number(status)) ?? status}`;
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  const width = Math.max(9, ...operations.map(({ id }) => id.length));
  const rows = [...counts].map(([answer, count]) => {
    const [id = '', status = ''] = answer.split(' ');
    const problem = !declared.includes(answer) ? '  NOT DECLARED' : count === 0 ? '  NEVER SEEN' : '';
    return { line: `${id.padEnd(width)}  ${status.padEnd(7)}  ${String(count).padStart(7)}${problem}`, problem };
  });
  const lines = [`${'operation'.padEnd(width)}  status     count`, ...rows.map(({ line }) => line)];
  return { table: lines.join('\n'), gaps: rows.filter(({ problem }) => problem !== '').length };
}
