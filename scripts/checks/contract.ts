import { fileURLToPath } from 'node:url';
import { startProcess } from '../../test/support/process.ts';
import type { LintReport } from './lint.ts';

const TSX = new URL('../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;
const OPENAPI_EXACT = fileURLToPath(new URL('../../packages/openapi-exact/src/cli.ts', import.meta.url));
const LINTER = fileURLToPath(new URL('./lint.ts', import.meta.url));

/** What the checks of a contract say, a line each. */
export interface ContractReport {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The generated files that are stale. */
  readonly stale: readonly string[];
}

/**
 * Checks a contract as the start of the service does, and by the rules of redocly.yaml. The linter
 * is silent on a line for which the service would not start.
 * @param out the folder of what is generated from it.
 */
export async function checkContract(contract: string, out: string): Promise<ContractReport> {
  const generated = runScript(OPENAPI_EXACT, 'generate', contract, '--out', out, '--check');
  const [lint, { stderr }] = await Promise.all([lintContract(contract), generated]);
  const lines = stderr.split('\n').filter((line) => line !== '');
  const stale = lines.flatMap((line) => /^(\S+) is stale: /.exec(line)?.[1] ?? []);
  const warnings = lines.filter((line) => line.includes(': warning: '));
  const refusals = lines.filter((line) => !warnings.includes(line) && !/^\S+ is stale: /.test(line));
  const refused = new Set(refusals.map(place));
  const isNew = (line: string): boolean => !refused.has(place(line));
  return {
    errors: [...refusals, ...lint.errors.filter(isNew)],
    warnings: [...warnings, ...lint.warnings.filter(isNew)],
    stale,
  };
}

/** Writes what is generated from a contract. @returns the lines that name the files. */
export async function generateFrom(contract: string, out: string): Promise<string> {
  const { code, stdout, stderr } = await runScript(OPENAPI_EXACT, 'generate', contract, '--out', out);
  if (code !== 0) throw new Error(`openapi-exact failed: ${stderr}`);
  return stdout;
}

async function lintContract(contract: string): Promise<LintReport> {
  const { code, stdout, stderr } = await runScript(LINTER, contract);
  if (code !== 0) throw new Error(`The linter failed: ${stderr}`);
  // Safe: the linter writes one.
  return JSON.parse(stdout) as LintReport;
}

function runScript(script: string, ...args: string[]): ReturnType<typeof startProcess>['ended'] {
  return startProcess(process.execPath, ['--import', TSX, script, ...args]).ended;
}

/** The file and line of a problem. */
function place(problem: string): string {
  return /^.*?:\d+/.exec(problem)?.[0] ?? problem;
}
