import type { Logger } from 'pino';

/** The interval between lines, in milliseconds. */
const LINE_INTERVAL = 1_000;

/** Counts refusals under overload and logs one line a second for all of them. */
export function refusedLog(log: Logger, level: 'warn' | 'error', message: string): () => void {
  let refused = 0;
  return () => {
    if (++refused > 1) return;
    setTimeout(() => {
      log[level]({ refused }, message);
      refused = 0;
    }, LINE_INTERVAL).unref();
  };
}
