import { ConfigurationError, displayName, problemLine, type Problem } from 'openapi-exact/contract';
import { reviewContract } from '../lint/review.ts';
import { contractFile } from './contract-file.ts';

/** Options of {@link check}. */
export interface CheckOptions {
  /** Whether a contract with warnings fails too. */
  readonly strict: boolean;
  /** Whether the reports are written to standard output as JSON, and nothing else. */
  readonly json: boolean;
}

/** The report on one contract; `--json` writes an array of them. */
interface CheckReport {
  readonly contract: string;
  readonly isServed: boolean;
  /** Whether it is served with the option `errorBody` alone. */
  readonly needsErrorBody: boolean;
  /** How many operations can be served. */
  readonly operations: number;
  readonly problems: readonly Problem[];
}

/**
 * Writes everything that is wrong in contracts to standard error: first the errors of all, then the
 * warnings. A line on standard output names each contract that can be served.
 * @returns whether all can be served, and have no warnings if that is asked for.
 */
export async function check(contracts: readonly string[], { strict, json }: CheckOptions): Promise<boolean> {
  const reports = await Promise.all(contracts.map(reportOn));
  const problems = reports.flatMap((report) => report.problems);
  if (json) console.log(JSON.stringify(reports, undefined, 2));
  else {
    for (const severity of ['error', 'warning']) {
      for (const problem of problems) if (problem.severity === severity) console.error(problemLine(problem));
    }
    for (const report of reports) if (report.isServed) console.log(servedLine(report));
  }
  return reports.every(({ isServed }) => isServed) && (!strict || problems.length === 0);
}

function servedLine({ contract, operations, needsErrorBody }: CheckReport): string {
  const [count, need] = operations === 1 ? ['1 operation', 'needs'] : [`${operations} operations`, 'need'];
  return `${contract}: ${count} ${needsErrorBody ? `${need} the option errorBody to be served` : 'can be served'}`;
}

/** A contract that cannot be read is one error, beside those of the others. */
async function reportOn(name: string): Promise<CheckReport> {
  const file = displayName(name);
  try {
    const { contract, errors, warnings, needsErrorBody } = await reviewContract(contractFile(name));
    return {
      contract: file,
      isServed: contract !== undefined,
      needsErrorBody,
      operations: contract?.operations.length ?? 0,
      problems: [...errors, ...warnings],
    };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const place = { file, line: undefined, column: undefined, pointer: '' };
    const problem: Problem = { ...place, severity: 'error', message: error.message };
    return { contract: file, isServed: false, needsErrorBody: false, operations: 0, problems: [problem] };
  }
}
