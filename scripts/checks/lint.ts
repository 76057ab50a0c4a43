import {
  getLineColLocation,
  getMergedConfig,
  lint,
  loadConfig,
  type Config,
  type NormalizedProblem,
} from '@redocly/openapi-core';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The linter's messages about a contract, a line each, with file, line and column. */
interface LintReport {
  readonly errors: readonly string[];
  /** The first ones, and a line that counts the others. */
  readonly warnings: readonly string[];
}

const CONFIG = fileURLToPath(new URL('../../redocly.yaml', import.meta.url));

/** How many warnings are described: to find the line of each takes the linter long. */
const SHOWN = 20;

/** Lints a contract by the rules of redocly.yaml. */
export async function lintContract(contract: string): Promise<LintReport> {
  const problems = await problemsOf(resolve(contract));
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warn');
  const more = warnings.length > SHOWN ? [`and ${warnings.length - SHOWN} more warnings`] : [];
  return { errors: errors.map(describe), warnings: [...warnings.slice(0, SHOWN).map(describe), ...more] };
}

async function problemsOf(path: string): Promise<NormalizedProblem[]> {
  const config = await configOf(path);
  try {
    const problems = await lint({ ref: path, config });
    return problems.filter(({ ignored }) => ignored !== true);
  } catch {
    // It reads no contract that does not parse: the diagnostics name that mistake.
    return [];
  }
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
  return `${relative(process.cwd(), source.absoluteRef)}:${start.line}:${start.col}: ${severity}: ${message} (${ruleId})`;
}
