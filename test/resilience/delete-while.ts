import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** The time from one delete to the next, in milliseconds: 100 a second are a light load. */
const INTERVAL = 10;

/** How long the deletes of a client took, in milliseconds from when they were due. */
export interface Latencies {
  readonly longest: number;
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
  const [p99 = Infinity, longest = Infinity] = [times[Math.floor(times.length * 0.99)], times.at(-1)];
  const summary = `${times.length} deletes of others: p99 ${p99.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
  return { longest, summary };
}
