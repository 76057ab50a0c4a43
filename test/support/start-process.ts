import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

/** What a process left behind. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process, with its output gathered as text. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Standard output so far. */
  readonly output: () => string;
  /** Standard error so far. */
  readonly errors: () => string;
  /**
   * Waits until standard output matches.
   * @throws Error with the output when the process ends before.
   */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it has ended and its output is complete. */
  readonly ended: Promise<Outcome>;
}

/**
 * Starts a process.
 * @param options its folder and its environment; by default those of this process.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): RunningProcess {
  const child = spawn(command, args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program that does not read its input to the end closes it.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr }));
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((found, fail) => {
      const search = (): void => {
        const match = pattern.exec(stdout);
        if (match === null) return;
        // A long output is not searched for each further line.
        child.stdout.off('data', search);
        found(match);
      };
      child.stdout.on('data', search);
      search();
      child.once('close', () => {
        fail(new Error(`The process ended without writing ${pattern.source}:\n${stdout}${stderr}`));
      });
    });
  return { child, output: () => stdout, errors: () => stderr, until, ended };
}

/** Runs a process to its end. @param input its standard input. */
export function runProcess(
  command: string,
  args: readonly string[],
  { input = '', ...options }: Pick<SpawnOptions, 'cwd' | 'env'> & { input?: string } = {},
): Promise<Outcome> {
  const { child, ended } = startProcess(command, args, options);
  child.stdin.end(input);
  return ended;
}
