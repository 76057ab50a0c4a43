import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** Between two deletes of a client, in milliseconds, so that there are plants enough for a fault that takes its time. */
const PAUSE = 10;

/**
 * Deletes plants from several clients, for as long as a fault lasts, whatever is answered; every answer is noted.
 * @param ids plants that nobody else deletes.
 */
export async function deleteThroughout<T>(
  fault: Promise<T>,
  plants: Stock,
  server: Pick<ServerProcess, 'url'>,
  ids: Iterator<bigint>,
  clients = 8,
): Promise<T> {
  const state = { over: false };
  const end = fault.finally(() => (state.over = true));
  const client = async (): Promise<void> => {
    while (!state.over) {
      const next = ids.next();
      if (next.done === true) throw new Error('The fault lasts longer than there are plants.');
      await plants.delete(server, next.value);
      await pause(PAUSE);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return end;
}
