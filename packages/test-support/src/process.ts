import { spawn, type ChildProcessWithoutNullStreams, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';

/** The exit code and the output of a process. */
export interface Outcome {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process, with what it writes gathered. */
export interface RunningProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when it has ended and closed its output. */
  readonly ended: Promise<Outcome>;
  readonly output: () => string;
  readonly errors: () => string;
  /** Keeps no more of standard output. */
  readonly forget: () => void;
  /** Waits until standard output or error matches. @throws Error when the process ends before. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
}

/** Starts a process. The launcher of everything that tests and scripts start. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio = {},
): RunningProcess {
  const child = spawn(command, args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8');
  const gather = (text: string): void => {
    stdout += text;
  };
  child.stdout.on('data', gather);
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return {
    child,
    ended: once(child, 'close').then(() => ({ code: child.exitCode, stdout, stderr })),
    output: () => stdout,
    errors: () => stderr,
    forget: () => {
      child.stdout.off('data', gather).resume();
    },
    until: (pattern) =>
      new Promise((found, fail) => {
        const look = (): void => {
          const match = pattern.exec(stdout) ?? pattern.exec(stderr);
          if (match === null) return;
          // Searching all of it again with each line would slow down tests that measure.
          for (const stream of [child.stdout, child.stderr]) stream.off('data', look);
          found(match);
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        look();
        child.once('close', () => {
          fail(new Error(`The process ended without writing ${pattern.source}:\n${stdout}${stderr}`));
        });
      }),
  };
}
