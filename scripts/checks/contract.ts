import { fileURLToPath } from 'node:url';
import { lintContract } from './lint.ts';
import { WarmScript } from './warm-script.ts';

const OPENAPI_EXACT = fileURLToPath(new URL('../../packages/openapi-exact/src/cli.ts', import.meta.url));

/** The command openapi-exact, which starts while the linter loads and runs. */
const command = new WarmScript(OPENAPI_EXACT, ['openapi-exact', 'openapi-typescript']);

/** What the checks of a contract say, a line each. */
export interface ContractReport {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The generated files that are stale; they are written now unless something is wrong. */
  readonly stale: readonly string[];
}

/**
 * Checks a contract as the start of the service does, and by the rules of redocly.yaml. Unless an
 * error shows, it writes what is generated. The linter is silent on a line for which the service
 * would not start.
 * @param out the folder of what is generated. @param isWriting false to write nothing.
 */
export async function generateFrom(contract: string, out: string, isWriting: boolean): Promise<ContractReport> {
  const lint = await lintContract(contract);
  const mode = isWriting && lint.errors.length === 0 ? [] : ['--check'];
  const { stdout, stderr } = await command.run(['generate', contract, '--out', out, ...mode]);
  const lines = stderr.split('\n').filter((line) => line !== '');
  const written = stdout.split('\n').flatMap((line) => /^Wrote (.*)/.exec(line)?.[1] ?? []);
  const stale = lines.flatMap((line) => /^(\S+) is stale: /.exec(line)?.[1] ?? []);
  const warnings = lines.filter((line) => line.includes(': warning: '));
  const refusals = lines.filter((line) => !warnings.includes(line) && !/^\S+ is stale: /.test(line));
  const refused = new Set(refusals.map(place));
  // A component is unused too where the only reference to it leads nowhere.
  const isNew = (line: string): boolean =>
    !refused.has(place(line)) && !(refusals.length > 0 && line.endsWith('(no-unused-components)'));
  return {
    errors: [...refusals, ...lint.errors.filter(isNew)],
    warnings: [...warnings, ...lint.warnings.filter(isNew)],
    stale: [...written, ...stale],
  };
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}
