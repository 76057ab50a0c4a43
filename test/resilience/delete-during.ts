import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import { plantsDuring, type Stock } from '../support/stock.ts';

/** The time from one delete of a client to the next, in milliseconds, so that the plants last. */
const INTERVAL = 10;

/**
 * Deletes plants while a fault lasts, as unrelated clients, and notes every answer.
 * @param ids plants that nothing else deletes; the next fault goes on behind those that were used.
 * @returns the longest that a delete took, in milliseconds.
 */
export async function deleteDuring(
  fault: Promise<unknown>,
  plants: Stock,
  server: Pick<ServerProcess, 'url'>,
  ids: Iterator<bigint>,
  clients = 8,
): Promise<number> {
  let longest = 0;
  const wanted = plantsDuring(fault, ids);
  const client = async (): Promise<void> => {
    let start = performance.now();
    for (const id of wanted) {
      await plants.delete(server, id);
      longest = Math.max(longest, performance.now() - start);
      await pause(Math.max(0, start + INTERVAL - performance.now()));
      start = performance.now();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await fault;
  return longest;
}
