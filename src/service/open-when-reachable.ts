import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnreachableError } from '../errors.ts';

/** Pause between two attempts, in milliseconds. */
const PAUSE = 1_000;

/**
 * Opens a database and retries each second while it is unreachable, so that the service may start
 * first. Logs the beginning and the end of the wait.
 * @param onWait receives the reason of each failed attempt.
 * @throws OperatorError for a failure that waiting does not resolve.
 */
export async function openWhenReachable<T>(
  open: () => Promise<T>,
  onWait: (reason: string) => void,
  log: Logger,
): Promise<T> {
  let waits = false;
  for (;;) {
    try {
      const opened = await open();
      if (waits) log.info('database reached');
      return opened;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachableError)) throw error;
      if (!waits) log.warn({ reason: error.message }, 'waiting for the database');
      waits = true;
      onWait(error.message);
    }
    await pause(PAUSE);
  }
}
