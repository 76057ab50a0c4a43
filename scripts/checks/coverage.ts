import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadContract } from '../../src/contract/document/load.ts';
import { declaredStatus } from '../../src/contract/document/operations.ts';

/** How often an operation was seen to answer with a status. */
export interface Answered {
  readonly operation: string;
  /** As the contract declares it: a status, its range or `default`. */
  readonly status: string;
  count: number;
  /** False for a status that the contract does not declare for the operation. */
  readonly declared: boolean;
}

/**
 * Adds up what the tests have seen.
 * @param folder holds a file for each test file, as test/support/answers.ts writes them.
 */
export async function contractCoverage(folder: string): Promise<Answered[]> {
  const { operations } = await loadContract(new URL('../../openapi.yaml', import.meta.url));
  const responsesOf = new Map(operations.map(({ id, responses }) => [id, responses]));
  const rows = operations.flatMap(({ id, responses }) =>
    Object.keys(responses).map((status): Answered => ({ operation: id, status, count: 0, declared: true })),
  );
  // Without any request no test has made the folder.
  for (const file of await readdir(folder).catch(() => [])) {
    // Written by test/support/answers.ts in this form.
    const seen = JSON.parse(await readFile(join(folder, file), 'utf8')) as [string, number][];
    for (const [answer, count] of seen) {
      const [operation = '', given = ''] = answer.split(' ');
      const status = declaredStatus(responsesOf.get(operation) ?? {}, Number(given)) ?? given;
      const row = rows.find((one) => one.operation === operation && one.status === status);
      if (row === undefined) rows.push({ operation, status, count, declared: false });
      else row.count += count;
    }
  }
  return rows;
}

/** A table of operation × status for people. */
export function coverageTable(rows: readonly Answered[]): string {
  const width = Math.max(9, ...rows.map(({ operation }) => operation.length));
  const lines = rows.map(({ operation, status, count, declared }) => {
    const problem = !declared ? '  NOT DECLARED' : count === 0 ? '  NEVER SEEN' : '';
    return `${operation.padEnd(width)}  ${status.padEnd(7)}  ${String(count).padStart(7)}${problem}`;
  });
  return [`${'operation'.padEnd(width)}  status     count`, ...lines].join('\n');
}
