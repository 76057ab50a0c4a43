import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/contract/document/load.ts';
import { ContractError } from '../../src/contract/document/refusal.ts';
import { checkContract } from '../../src/contract/prepare.ts';
import { startProcess } from '../../test/support/process.ts';
import type { LintReport } from './lint.ts';

const TSX = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
const LINTER = fileURLToPath(new URL('./lint.ts', import.meta.url));

/** What is wrong with a contract, and what was made of it. */
export interface CheckedContract<Result> extends LintReport {
  /** Undefined when the service would not start. */
  readonly result: Result | undefined;
}

/**
 * Checks a contract as the start of the service does, and by the rules of redocly.yaml. The linter
 * is silent on a line for which the service would not start.
 * @param use makes something of the contract, while the linter runs.
 * @throws OperatorError when the contract cannot be read.
 */
export async function checkAndLint<Result>(
  file: URL,
  use: (contract: Contract) => Result | Promise<Result>,
): Promise<CheckedContract<Result>> {
  const linting = lintInOwnProcess(file);
  const using = check(file).then(async ({ contract, refusals }) => ({
    refusals,
    result: contract && (await use(contract)),
  }));
  const [lint, { refusals, result }] = await Promise.all([linting, using]);
  const refused = new Set(refusals.map(place));
  const isNew = (line: string): boolean => !refused.has(place(line));
  return {
    result,
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
  const { code, stdout, stderr } = await startProcess(process.execPath, ['--import', TSX, LINTER, fileURLToPath(file)])
    .ended;
  if (code !== 0) throw new Error(`The linter failed: ${stderr}`);
  // Safe: the linter writes one.
  return JSON.parse(stdout) as LintReport;
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}
