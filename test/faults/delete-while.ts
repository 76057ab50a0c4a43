import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** When the next delete is due, in milliseconds after the one before it: 100 a second, which no server notices. */
const INTERVAL = 10;

/** How long the deletes of a client took, in milliseconds from when they were due: what waits for a server that stops counts as well. */
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
  for (let due = performance.now(); !state.over; due += INTERVAL) {
    const next = ids.next();
    if (next.done === true) throw new Error('The fault lasts longer than there are plants.');
    const early = due - performance.now();
    if (early > 0) await pause(early);
    expect(await plants.delete(server, next.value)).toBe(204);
    times.push(performance.now() - due);
  }
  await end;
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? Infinity,
    longest: times.at(-1) ?? Infinity,
  };
}
