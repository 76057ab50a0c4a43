import type { Logger } from 'pino';

/** How often there is a line, in milliseconds. */
const INTERVAL = 1_000;

/**
 * Counts what is refused because there is too much of it, with one line a second for all: a line for each would be more of
 * what there is too much of.
 */
export function refusedLog(log: Logger, level: 'warn' | 'error', message: string): () => void {
  let refused = 0;
  return () => {
    if (++refused > 1) return;
    setTimeout(() => {
      log[level]({ refused }, message);
      refused = 0;
    }, INTERVAL).unref();
  };
}
