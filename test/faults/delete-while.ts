import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** Between two deletes of the client, in milliseconds: at most 200 a second, which no server notices. */
const PAUSE = 5;

/** How long the deletes of a client took, in milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p99: number;
  readonly longest: number;
}

/**
 * Deletes plants one by one, as a client with nothing to do with a fault would, while that lasts. Each must be answered 204.
 * @param ids plants that nobody else deletes; the next fault goes on behind those that were used.
 */
export async function deleteWhile(
  fault: Promise<unknown>,
  plants: Stock,
  server: ServerProcess,
  ids: Iterator<bigint>,
): Promise<Latencies> {
  const times: number[] = [];
  const state = { over: false };
  const end = fault.finally(() => (state.over = true));
  while (!state.over) {
    const next = ids.next();
    if (next.done === true) throw new Error('The fault lasts longer than there are plants.');
    const start = performance.now();
    expect(await plants.delete(server, next.value)).toBe(204);
    times.push(performance.now() - start);
    await pause(PAUSE);
  }
  await end;
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? Infinity,
    longest: times.at(-1) ?? Infinity,
  };
}
