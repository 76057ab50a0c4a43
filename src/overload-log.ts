import type { Logger } from 'pino';

/** How often there is a line, in milliseconds. */
const INTERVAL = 1_000;

/**
 * Counts requests that were refused because there is too much to do, with one line a second for all of them: a line for each
 * would be more of what there is too much of.
 */
export function overloadLog(log: Logger): () => void {
  let refused = 0;
  return () => {
    if (++refused > 1) return;
    setTimeout(() => {
      log.error({ refused }, 'there was too much to do: requests were refused before anything was begun');
      refused = 0;
    }, INTERVAL).unref();
  };
}
