import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workplaceOfEachTest, type Environment } from '../support/cli.ts';
import { postgresServer } from '../support/postgres.ts';
import { startProcess } from '../support/process.ts';
import { everyOther, stock } from '../support/stock.ts';

/** Connections of the flood. */
const CLIENTS = 3_000;
/** For how long valid deletes are measured, in milliseconds, and the clients that send them. */
const LASTS = 10_000;
const OTHERS = 8;

const server = await postgresServer();
afterAll(() => server.close());
const place = workplaceOfEachTest();

test.each<[string, Environment, number]>([
  ['are limited', { AUTH_FAILURES_PER_MINUTE: '20' }, 1_000],
  // Each has a line of its own at the level info.
  ['are not limited, so that each is looked up', { AUTH_FAILURES_PER_MINUTE: '0', LOG_LEVEL: 'warn' }, 5_000],
])('deletes go on while 3,000 connections send unknown tokens, whose failures %s', async (name, limits, slowest) => {
  const DATABASE_URL = await server.createDatabase();
  const plants = await stock(place, 40_000, { DATABASE_URL });
  const service = await place.serve({ DATABASE_URL, CONNECTIONS_PER_CLIENT: '0', ...limits });
  const [first = 0n, ...wanted] = everyOther(plants.ids);
  expect(await plants.delete(service, first)).toBe(204);
  const program = fileURLToPath(new URL('token-flood.ts', import.meta.url));
  const args = ['--import', 'tsx', program, new URL(service.url).port, String(CLIENTS)];
  const flood = startProcess(process.execPath, args);
  await flood.until(/^flooding\n/);
  const state = { over: false };
  const times: number[] = [];
  const queue = wanted[Symbol.iterator]();
  const deleteOthers = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true && !state.over; next = queue.next()) {
      const start = performance.now();
      await plants.delete(service, next.value);
      times.push(performance.now() - start);
    }
  };
  const others = Array.from({ length: OTHERS }, deleteOthers);
  await pause(LASTS);
  state.over = true;
  await Promise.all(others);
  flood.child.stdin.end();
  const [refused] = await flood.until(/(?<=\n)\d+(?=\n)/);
  times.sort((a, b) => a - b);
  const p99 = times[Math.floor(times.length * 0.99)] ?? Infinity;
  // Others than those of the valid deletes.
  const lines = service
    .output()
    .split('\n')
    .filter((line) => !line.includes('"token":"faults"'));
  expect(plants.ledger.statuses()).toEqual({ 204: times.length + 1 });
  expect(await service.stop()).toBe(0);
  await plants.expectUnharmed(
    `3,000 connections send unknown tokens, whose failures ${name}`,
    `${refused} refused, ${lines.length} lines in the log; others: ${plants.answers()}, p99 ${p99.toFixed(0)} ms`,
  );
  expect(p99).toBeLessThan(slowest);
  const summaries = lines.filter((line) => line !== '' && !line.includes('"status":401'));
  // One a second, and one when it starts to listen and two when it stops.
  expect(summaries.length).toBeLessThan(LASTS / 1_000 + 8);
  expect(lines.length - summaries.length).toBeLessThan(40);
});
