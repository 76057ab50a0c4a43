import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** The pause between two deletes of a client, in milliseconds, so that the plants last. */
const PAUSE = 10;

/**
 * Deletes plants from several clients while a fault lasts, and notes every answer.
 * @param ids plants that no other client deletes.
 * @returns the result of the fault, and the longest that a delete took, in milliseconds.
 */
export async function deleteThroughout<T>(
  fault: Promise<T>,
  plants: Stock,
  server: Pick<ServerProcess, 'url'>,
  ids: Iterator<bigint>,
  clients = 8,
): Promise<{ result: T; longest: number }> {
  const state = { over: false };
  let longest = 0;
  const end = fault.finally(() => (state.over = true));
  const client = async (): Promise<void> => {
    while (!state.over) {
      const next = ids.next();
      if (next.done === true) throw new Error('The fault lasts longer than there are plants.');
      const start = performance.now();
      await plants.delete(server, next.value);
      longest = Math.max(longest, performance.now() - start);
      await pause(PAUSE);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { result: await end, longest };
}
