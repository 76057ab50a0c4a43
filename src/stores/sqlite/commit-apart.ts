import { ConstraintError } from '../database.ts';

/**
 * Commits items together. Where a deferred constraint refuses the commit, which does not say whose
 * it is, commits each half apart, down to the items that are refused.
 * @param commit runs one transaction, and gives the result of each item.
 * @returns each item's result or error. Rejects without effect if the first commit fails otherwise.
 */
export async function commitApart<Item, Result>(
  items: readonly Item[],
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly (Result | Error)[]> {
  try {
    return await commit(items);
  } catch (error) {
    if (!(error instanceof ConstraintError)) throw error;
    if (items.length === 1) return [error];
    const middle = Math.ceil(items.length / 2);
    const results: (Result | Error)[] = [];
    for (const half of [items.slice(0, middle), items.slice(middle)]) {
      // The other half may be durable already.
      const failed = (failure: Error): Error[] => half.map(() => failure);
      results.push(...(await commitApart(half, commit).catch(failed)));
    }
    return results;
  }
}
