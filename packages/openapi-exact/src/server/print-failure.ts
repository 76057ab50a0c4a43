import type { Failure } from './options.ts';

/** Prints failures, except overload: a line for each refused request would add to the load. */
export function printFailure({ error, refusal }: Failure): undefined {
  if (refusal.status >= 500 && refusal.reason !== 'overloaded') print(error);
}

/** Prints failures, also those that cannot be printed as they are. */
export function print(...failures: readonly unknown[]): void {
  try {
    console.error(...failures);
  } catch {
    console.error('A failure cannot be printed: its own inspection fails.');
  }
}
