import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/contract/document/load.ts';
import { ContractError } from '../../src/contract/document/refusal.ts';
import { checkContract } from '../../src/contract/prepare.ts';
import { startProcess } from '../../test/support/process.ts';
import type { LintReport } from './lint.ts';

const TSX = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url));
const LINTER = fileURLToPath(new URL('./lint.ts', import.meta.url));

/** What is wrong with a contract, a line each, with file, line and column. */
export interface ContractProblems extends LintReport {
  /** Undefined when the service would not start. */
  readonly contract: Contract | undefined;
}

/**
 * Checks a contract as the start of the service does, and by the rules of redocly.yaml. The linter
 * is silent on a line for which the service would not start.
 * @throws OperatorError when the contract cannot be read.
 */
export async function contractProblems(file: URL): Promise<ContractProblems> {
  const [{ contract, refusals }, lint] = await Promise.all([check(file), lintInOwnProcess(file)]);
  const refused = new Set(refusals.map(place));
  const isNew = (line: string): boolean => !refused.has(place(line));
  return {
    contract,
    errors: [...refusals, ...lint.errors.filter(isNew)],
    warnings: lint.warnings.filter(isNew),
    furtherWarnings: lint.furtherWarnings,
  };
}

async function check(file: URL): Promise<{ contract: Contract | undefined; refusals: readonly string[] }> {
  try {
    return { contract: await checkContract(file), refusals: [] };
  } catch (error) {
    if (error instanceof ContractError) return { contract: undefined, refusals: error.lines };
    throw error;
  }
}

async function lintInOwnProcess(file: URL): Promise<LintReport> {
  const { code, stdout, stderr } = await startProcess(process.execPath, [TSX, LINTER, fileURLToPath(file)]).ended;
  if (code !== 0) throw new Error(`The linter failed: ${stderr}`);
  // Safe: the linter writes one.
  return JSON.parse(stdout) as LintReport;
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}
