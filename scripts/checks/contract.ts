import { ConfigurationError } from 'openapi-exact';
import { generateFiles, type Generated } from 'openapi-exact-cli';
import { lintContract } from './lint.ts';

/** What the checks of a contract say, a line each. */
interface ContractReport {
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
  const check = !isWriting || lint.errors.length > 0;
  const { errors, warnings, stale } = await generateFiles({ contract, out, check }).catch(refusal);
  const refused = new Set(errors.map(place));
  // A component is unused too where the only reference to it leads nowhere.
  const isNew = (line: string): boolean =>
    !refused.has(place(line)) && !(errors.length > 0 && line.endsWith('(no-unused-components)'));
  return {
    errors: [...errors, ...lint.errors.filter(isNew)],
    warnings: [...warnings, ...lint.warnings.filter(isNew)],
    stale,
  };
}

/** What is said of a contract that cannot be read. */
function refusal(error: unknown): Omit<Generated, 'files'> {
  if (!(error instanceof ConfigurationError)) throw error;
  return { errors: [error.message], warnings: [], stale: [] };
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}
