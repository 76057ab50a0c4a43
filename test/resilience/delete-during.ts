import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import { plantsDuring, type Stock } from '../support/stock.ts';

/** The time from one delete of a client to the next, in milliseconds, so that the plants last. */
const INTERVAL = 10;

/** What came of a fault, and how long the deletes took, in milliseconds. */
interface During<T> {
  readonly result: T;
  readonly longest: number;
  /** The latencies in words. */
  readonly summary: string;
}

/**
 * Deletes plants while a fault lasts, as unrelated clients, and notes every answer.
 * @param ids plants that nothing else deletes; the next fault goes on behind those that were used.
 */
export async function deleteDuring<T>(
  fault: Promise<T>,
  plants: Stock,
  server: Pick<ServerProcess, 'url'>,
  ids: Iterator<bigint>,
  clients = 8,
): Promise<During<T>> {
  const times: number[] = [];
  const wanted = plantsDuring(fault, ids);
  const client = async (): Promise<void> => {
    let start = performance.now();
    for (const id of wanted) {
      await plants.delete(server, id);
      times.push(performance.now() - start);
      await pause(Math.max(0, start + INTERVAL - performance.now()));
      start = performance.now();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  times.sort((a, b) => a - b);
  const [p99 = Infinity, longest = Infinity] = [times[Math.floor(times.length * 0.99)], times.at(-1)];
  const summary = `${times.length} deletes of others: p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
  return { result: await fault, longest, summary };
}
