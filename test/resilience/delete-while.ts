import { expect } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../../scripts/bench/median.ts';
import type { ServerProcess } from '../support/cli.ts';
import type { Stock } from '../support/stock.ts';

/** When the next delete is due, in milliseconds after the one before it: 100 a second, which no server notices. */
const INTERVAL = 10;

/**
 * A window of measuring, in milliseconds: a shared machine pauses in some, without any fault in one of twelve. So more of them must be good than are not,
 * and where the fault goes on for as long as it is measured at least so many, of this many at most.
 */
const WINDOW = 2_000;
const GOOD = 3;
const MOST = 15;
/** What a delete of another client takes at most in a good window, in milliseconds, for 99 of 100. */
const P99 = 100;

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

/** How others were served during a fault. */
export interface Service {
  /** Whether they were, as they should be. */
  readonly areServed: boolean;
  /** The same in words. */
  readonly summary: string;
  readonly windows: number;
}

/**
 * Deletes plants as `deleteWhile` does, and looks at them in windows.
 * @param fault what lasts until it is over; without it, until the windows are enough.
 */
export async function serveOthers(
  plants: Stock,
  server: ServerProcess,
  ids: Iterator<bigint>,
  fault?: Promise<unknown>,
): Promise<Service> {
  const windows: Latencies[] = [];
  const state = { over: false };
  const end = fault?.finally(() => (state.over = true));
  const good = (): number => windows.filter((window) => window.p99 < P99).length;
  const areServed = (): boolean => 2 * good() > windows.length;
  const isEnough = (): boolean =>
    fault === undefined ? (areServed() && good() >= GOOD) || windows.length === MOST : state.over;
  while (!isEnough()) windows.push(await deleteWhile(pause(WINDOW), plants, server, ids));
  await end;
  const count = windows.reduce((sum, window) => sum + window.count, 0);
  const p99 = median(windows.map((window) => window.p99));
  return {
    areServed: areServed(),
    summary: `${count} deletes of others: p99 ${p99.toFixed(0)} ms (median of ${windows.length} windows)`,
    windows: windows.length,
  };
}
