import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { everyOther, stock, type Stock } from '../support/stock.ts';
import { serveOthers } from './delete-while.ts';
import type { Crowd } from './visitors.ts';
import { VISITS } from './visits.ts';

/** Clients that do it again and again, at the same time. */
const CLIENTS = 20;
/** Between two connections of one of them, in milliseconds. */
const PAUSE = 100;

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
  const { areServed, summary, windows } = await serveOthers(plants, server, others);
  const visits = await crowd.leave();
  expect(server.errors()).toBe('');
  await plants.expectUnharmed(`${CLIENTS} clients ${what}, again and again`, `${visits} connections; ${summary}`);
  // Each at least once in a window of two seconds.
  expect(visits).toBeGreaterThan(windows * CLIENTS);
  expect(areServed).toBe(true);
});
