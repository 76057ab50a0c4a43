import { OperatorError } from './errors.ts';
import { NODE_RANGE } from './version.ts';

/** @throws OperatorError on a Node.js outside of `engines`: earlier patches have known faults. */
export function requireNode(): void {
  const { node } = process.versions;
  if (NODE_RANGE.split(' || ').some((range) => includes(range, node))) return;
  throw new OperatorError(`plant-store runs on Node.js ${NODE_RANGE}; this is ${node}.`);
}

/** @param range `^20.20.2`, which ends with the major version, or `>=26.0.0`. */
function includes(range: string, version: string): boolean {
  const [lowest, given] = [numbersIn(range), numbersIn(version)];
  if (range.startsWith('^') && lowest[0] !== given[0]) return false;
  const differentAt = lowest.findIndex((number, index) => number !== given[index]);
  return differentAt === -1 || (lowest[differentAt] ?? 0) < (given[differentAt] ?? 0);
}

function numbersIn(text: string): readonly number[] {
  return text.match(/\d+/g)?.map(Number) ?? [];
}
