import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import { plantsDuring, type Stock } from '../support/stock.ts';

/** The pause between two deletes of a client, in milliseconds, so that the plants last. */
const PAUSE = 10;
/** The time from one delete to the next, in milliseconds: 100 a second are a light load. */
const INTERVAL = 10;

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
  let longest = 0;
  const wanted = plantsDuring(fault, ids);
  const client = async (): Promise<void> => {
    for (const id of wanted) {
      const start = performance.now();
      await plants.delete(server, id);
      longest = Math.max(longest, performance.now() - start);
      await pause(PAUSE);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { result: await fault, longest };
}

/** How long the deletes of a client took, in milliseconds from when they were due. */
interface Latencies {
  readonly longest: number;
  readonly p99: number;
  /** The same in words. */
  readonly summary: string;
}

/**
 * Deletes plants one by one while a fault lasts, as an unrelated client. Each must be answered 204.
 * @param ids plants that nothing else deletes; the next fault goes on behind those that were used.
 */
export async function deleteWhile(
  fault: Promise<unknown>,
  plants: Stock,
  server: ServerProcess,
  ids: Iterator<bigint>,
): Promise<Latencies> {
  const times: number[] = [];
  let due = performance.now();
  for (const id of plantsDuring(fault, ids)) {
    const early = due - performance.now();
    if (early > 0) await pause(early);
    expect(await plants.delete(server, id)).toBe(204);
    times.push(performance.now() - due);
    due += INTERVAL;
  }
  await fault;
  times.sort((a, b) => a - b);
  const [p99 = Infinity, longest = Infinity] = [times[Math.floor(times.length * 0.99)], times.at(-1)];
  const summary = `${times.length} deletes of others: p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
  return { longest, p99, summary };
}
