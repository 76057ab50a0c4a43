import type { Logger } from 'pino';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseUnreachableError } from '../errors.ts';
import type { Stores } from '../stores/stores.ts';

/** Between two attempts, in milliseconds. */
const PAUSE = 1_000;

/**
 * Opens a database. One that cannot be reached is tried again each second, so that the service may start
 * before it; the log says so once, and once when it is reached.
 * @param onWait is told the reason of each attempt that failed.
 * @throws OperatorError for what waiting does not help.
 */
export async function openWhenReachable(
  open: () => Promise<Stores>,
  onWait: (reason: string) => void,
  log: Logger,
): Promise<Stores> {
  let waits = false;
  for (;;) {
    try {
      const stores = await open();
      if (waits) log.info('database reached');
      return stores;
    } catch (error) {
      if (!(error instanceof DatabaseUnreachableError)) throw error;
      if (!waits) log.warn({ reason: error.message }, 'waiting for the database');
      waits = true;
      onWait(error.message);
    }
    await pause(PAUSE);
  }
}
