import { fileURLToPath } from 'node:url';
import type { Contract } from '../../packages/openapi-exact/src/document/load.ts';
import { ContractError } from '../../packages/openapi-exact/src/document/refusal.ts';
import { OperatorError } from '../../src/errors.ts';
import { checkContract } from '../../packages/openapi-exact/src/prepare.ts';
import { startProcess } from '../../test/support/process.ts';
import type { LintReport } from './lint.ts';

const TSX = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
const LINTER = fileURLToPath(new URL('./lint.ts', import.meta.url));

/**
 * Checks a contract as the start of the service does, and by the rules of redocly.yaml, and prints
 * the first warnings. The linter is silent on a line for which the service would not start.
 * @param make makes something of the contract, while the linter runs.
 * @throws OperatorError with a line for each problem, or when the contract cannot be read.
 */
export async function checkAndLint<Result>(file: URL, make: (contract: Contract) => Promise<Result>): Promise<Result> {
  const made = checkContract(file)
    .then(make)
    .then((result) => ({ result, refusals: [] }), refusalsOf);
  const [lint, { result, refusals }] = await Promise.all([lintInOwnProcess(file), made]);
  const refused = new Set(refusals.map(place));
  const isNew = (line: string): boolean => !refused.has(place(line));
  for (const warning of lint.warnings.filter(isNew)) console.error(warning);
  const errors = [...refusals, ...lint.errors.filter(isNew)];
  if (result === undefined || errors.length > 0) throw new OperatorError(errors.join('\n'));
  return result;
}

function refusalsOf(error: unknown): { result?: undefined; refusals: readonly string[] } {
  if (error instanceof ContractError) return { refusals: error.lines };
  throw error;
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
