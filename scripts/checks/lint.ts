/**
 * Lints a contract by the rules of redocly.yaml, in a process of its own since it takes long:
 * `tsx scripts/checks/lint.ts FILE` writes a LintReport as JSON.
 */
import {
  getLineColLocation,
  getMergedConfig,
  lint,
  loadConfig,
  type Config,
  type NormalizedProblem,
} from '@redocly/openapi-core';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { displayName } from '../../packages/openapi-exact/src/document/sources.ts';
import { isMultiple, parseDecimal } from '../../packages/openapi-exact/src/numbers/decimal.ts';

/** What the linter says of a contract, a line each, with file, line and column. */
export interface LintReport {
  readonly errors: readonly string[];
  /** The first ones, and a line that counts the others. */
  readonly warnings: readonly string[];
}

const CONFIG = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));

/** How many warnings are described: to find the line of each takes the linter long. */
const SHOWN = 20;

const [path = ''] = process.argv.slice(2);
const problems = await lintContract(path);
const errors = problems.filter(({ severity }) => severity === 'error');
const warnings = problems.filter(({ severity }) => severity === 'warn');
const more = warnings.length > SHOWN ? [`and ${warnings.length - SHOWN} more warnings`] : [];
const report: LintReport = {
  errors: errors.map(describe),
  warnings: [...warnings.slice(0, SHOWN).map(describe), ...more],
};
process.stdout.write(JSON.stringify(report));

async function lintContract(path: string): Promise<NormalizedProblem[]> {
  const config = await configOf(path);
  try {
    const problems = await lint({ ref: path, config });
    return problems.filter((problem) => problem.ignored !== true && !isOfExactMultiple(problem));
  } catch {
    // It reads no contract that does not parse, of which the refusals tell.
    return [];
  }
}

/**
 * True for a refused example that is an exact multiple, such as 19.99 of 0.01: the linter divides
 * binary fractions.
 */
function isOfExactMultiple({ message, location: [first] }: NormalizedProblem): boolean {
  const unit = /must be multiple of (\d+(?:\.\d+)?)\.$/.exec(message)?.[1];
  if (unit === undefined || first === undefined) return false;
  const { source, start, end = start } = getLineColLocation(first);
  const value = source.body.split('\n')[start.line - 1]?.slice(start.col - 1, end.col - 1) ?? '';
  return /^-?\d+(\.\d+)?$/.test(value) && isMultiple(parseDecimal(value), parseDecimal(unit));
}

/** The rules for a contract: those of its entry under `apis`, or the common ones. */
async function configOf(path: string): Promise<Config> {
  const config = await loadConfig({ configPath: CONFIG });
  const [name] = Object.entries(config.apis).find(([, { root }]) => resolve(CONFIG, '..', root) === path) ?? [];
  return getMergedConfig(config, name);
}

function describe({ location: [first], severity, message, ruleId }: NormalizedProblem): string {
  if (first === undefined) return `${severity}: ${message} (${ruleId})`;
  const { source, start } = getLineColLocation(first);
  return `${displayName(source.absoluteRef)}:${start.line}:${start.col}: ${severity}: ${message} (${ruleId})`;
}
