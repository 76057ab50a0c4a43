import { readFile } from 'node:fs/promises';
import type { Mutant } from './mutant.ts';

/**
 * Reads `equivalent.txt`: the keys of mutants that no test can notice, each below a line
 * `# reason`.
 * @returns the reasons by key. @throws Error for a mutant that is no longer made.
 */
export async function readEquivalent(made: readonly Mutant[]): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(new URL('equivalent.txt', import.meta.url), 'utf8');
  const keys = new Set(made.map(({ key }) => key));
  const reasons = new Map<string, string>();
  let reason = '';
  for (const line of text.split('\n').filter((entry) => entry.trim() !== '')) {
    if (line.startsWith('# ')) reason = line.slice(2);
    else if (keys.has(line)) reasons.set(line, reason);
    else throw new Error(`equivalent.txt has a mutant that is no longer made: remove '${line}'.`);
  }
  return reasons;
}
