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
import { ContractError } from '../../src/contract/document/refusal.ts';
import { displayName } from '../../src/contract/document/sources.ts';
import { isMultiple, parseDecimal } from '../../src/contract/numbers/decimal.ts';
import { checkContract } from '../../src/contract/prepare.ts';

const CONFIG = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));

/** What is wrong with a contract, a line each, with file, line and column. */
export interface ContractProblems {
  /** Everything for which the service would not start, then errors of the linter in other lines. */
  readonly errors: readonly string[];
  /** The first warnings of the linter. */
  readonly warnings: readonly string[];
  /** How many more there are. */
  readonly furtherWarnings: number;
}

/** How many warnings are described: to find the line of each takes the linter long. */
const SHOWN = 20;

/** Checks a contract as the start of the service does, and by the rules of redocly.yaml. */
export async function contractProblems(contract: URL): Promise<ContractProblems> {
  const refusals = await refusalsOf(contract);
  const refused = new Set(refusals.map(place));
  const problems = await lintContract(fileURLToPath(contract));
  const linesOf = (severity: string, limit?: number): string[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .slice(0, limit)
      .map(describe)
      .filter((line) => !refused.has(place(line)));
  const warnings = linesOf('warn', SHOWN);
  const total = problems.filter(({ severity }) => severity === 'warn').length;
  return {
    errors: [...refusals, ...linesOf('error')],
    warnings,
    furtherWarnings: Math.max(0, total - SHOWN),
  };
}

async function refusalsOf(contract: URL): Promise<readonly string[]> {
  try {
    await checkContract(contract);
    return [];
  } catch (error) {
    if (error instanceof ContractError) return error.lines;
    throw error;
  }
}

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

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}

function describe({ location: [first], severity, message, ruleId }: NormalizedProblem): string {
  if (first === undefined) return `${severity}: ${message} (${ruleId})`;
  const { source, start } = getLineColLocation(first);
  return `${displayName(source.absoluteRef)}:${start.line}:${start.col}: ${severity}: ${message} (${ruleId})`;
}
