import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { everyOther, stock, type Stock } from '../support/stock.ts';
import { serveOthers } from './delete-while.ts';
import type { Crowd } from './visitors.ts';
import { VISITS } from './visits.ts';

/** Clients that do it again and again, at the same time. */
const CLIENTS = 20;

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

/** Starts clients in a process of their own, and waits until they have come. @returns lets them leave, and tells how often they came. */
async function startCrowd(what: string): Promise<() => Promise<number>> {
  const crowd: Crowd = { url: server.url, token: plants.token, what, clients: CLIENTS };
  const program = fileURLToPath(new URL('visitors.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, JSON.stringify(crowd)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: 'all are there' });
  return async () => {
    child.stdin.end();
    const last = await lines.next();
    return Number(last.value);
  };
}

test.each(VISITS)(`others are served while ${CLIENTS} clients %s again and again`, async (what) => {
  const leave = await startCrowd(what);
  const { areServed, summary, windows } = await serveOthers(plants, server, others);
  const visits = await leave();
  expect(server.errors()).toBe('');
  await plants.expectUnharmed(`${CLIENTS} clients ${what}, again and again`, `${visits} connections; ${summary}`);
  // Each at least once in a window of two seconds.
  expect(visits).toBeGreaterThan(windows * CLIENTS);
  expect(areServed).toBe(true);
});
