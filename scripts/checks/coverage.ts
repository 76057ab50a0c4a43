import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadContract } from '../../src/contract/document/load.ts';

/** How often an operation was seen to answer with a status. */
export interface Answered {
  readonly operation: string;
  readonly status: string;
  readonly count: number;
  /** False for a status that the contract does not declare for the operation. */
  readonly declared: boolean;
}

/**
 * Adds up what the tests have seen.
 * @param folder holds a file for each test file, as test/support/answers.ts writes them.
 */
export async function contractCoverage(folder: string): Promise<Answered[]> {
  const { operations } = await loadContract(new URL('../../openapi.yaml', import.meta.url));
  const counts = new Map<string, number>();
  // Without any request no test has made the folder.
  for (const file of await readdir(folder).catch(() => [])) {
    // Written by test/support/answers.ts in this form.
    const seen = JSON.parse(await readFile(join(folder, file), 'utf8')) as [string, number][];
    for (const [key, count] of seen) counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const rows = operations.flatMap(({ id, definition }) =>
    Object.keys(definition.responses).map((status): Answered => {
      const keys = [...counts.keys()].filter((key) => matches(key, id, status, Object.keys(definition.responses)));
      const count = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
      keys.forEach((key) => counts.delete(key));
      return { operation: id, status, count, declared: true };
    }),
  );
  const others = [...counts].map(([key, count]): Answered => {
    const [operation = '', status = ''] = key.split(' ');
    return { operation, status, count, declared: false };
  });
  return [...rows, ...others];
}

/** Whether a seen status is the declared one or falls into the declared range or default. */
function matches(key: string, id: string, declared: string, all: readonly string[]): boolean {
  const [operation, status = ''] = key.split(' ');
  if (operation !== id) return false;
  const exact = all.includes(status);
  if (declared === status) return true;
  const range = `${status.slice(0, 1)}XX`;
  return !exact && (declared === range || (declared === 'default' && !all.includes(range)));
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
