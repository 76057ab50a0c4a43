import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../../scripts/bench/median.ts';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { everyOther, stock, type Stock } from '../support/stock.ts';
import { deleteWhile, type Latencies } from './delete-while.ts';
import type { Crowd } from './visitors.ts';
import { VISITS } from './visits.ts';

/** Clients that do it again and again, at the same time. */
const CLIENTS = 20;
/**
 * A window of measuring, in milliseconds. What the clients do they do in each of them, and a shared machine pauses in some: so many must be
 * good, and more than were not, of this many at most.
 */
const WINDOW = 2_000;
const GOOD = 3;
const MOST = 15;
/** Between two connections of one of them, in milliseconds. */
const PAUSE = 100;
/** What a delete of another client takes at most in a good window, in milliseconds, for 99 of 100. */
const P99 = 100;

let place: Workplace;
let plants: Stock;
let server: ServerProcess;
/** The plants of the other client. */
let others: Iterator<bigint>;
beforeAll(async () => {
  place = await workplace();
  plants = await stock(place, 100_000);
  others = everyOther(plants.ids)[Symbol.iterator]();
  server = await place.serve({ LOG_LEVEL: 'warn' });
});
afterAll(() => place.remove());

/** Clients in a process of their own; resolves to the number of their visits when they are told to leave. */
function startCrowd(what: string): { readonly leave: () => Promise<number> } {
  const crowd: Crowd = { url: server.url, token: plants.token, what, clients: CLIENTS, pause: PAUSE };
  const program = fileURLToPath(new URL('visitors.ts', import.meta.url));
  const ended = promisify(execFile)(process.execPath, ['--import', 'tsx', program, JSON.stringify(crowd)]);
  // Whoever lets them leave is told how they ended.
  ended.catch(() => undefined);
  return {
    leave: async () => {
      ended.child.stdin?.end();
      return Number((await ended).stdout);
    },
  };
}

test.each(VISITS)(`others are served while ${CLIENTS} clients %s again and again`, async (what) => {
  const crowd = startCrowd(what);
  const windows: Latencies[] = [];
  const areServed = (): boolean => {
    const good = windows.filter((window) => window.p99 < P99).length;
    return good >= GOOD && 2 * good > windows.length;
  };
  while (!areServed() && windows.length < MOST) {
    windows.push(await deleteWhile(pause(WINDOW), plants, server, others));
  }
  const visits = await crowd.leave();
  const p99 = median(windows.map((window) => window.p99));
  const count = windows.reduce((sum, window) => sum + window.count, 0);
  expect(server.errors()).toBe('');
  await plants.expectUnharmed(
    `${CLIENTS} clients ${what}, again and again`,
    `${visits} connections; ${count} deletes of others: p99 ${p99.toFixed(0)} ms (median of ${windows.length} windows)`,
  );
  // A tenth of what they would do if their answers took no time.
  expect(visits).toBeGreaterThan((windows.length * CLIENTS * WINDOW) / PAUSE / 10);
  expect(areServed()).toBe(true);
});
