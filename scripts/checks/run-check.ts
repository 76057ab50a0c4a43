import { startProcess } from '../../test/support/process.ts';

/** Runs a program to its end and prints its output when it fails. @returns whether it succeeded. */
export async function runCheck(name: string, command: string, ...args: string[]): Promise<boolean> {
  const { code, stdout, stderr } = await startProcess(command, args).ended;
  return report(name, code === 0 ? [] : [stderr + stdout]);
}

/** Prints the result of a check with its problems. @returns whether there are none. */
export function report(name: string, problems: readonly string[]): boolean {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}
