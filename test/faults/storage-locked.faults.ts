import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { healthOf } from '../support/health.ts';
import { everyOther, stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

const NOTHING_DONE = 50300;

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.remove());

/** Asks /livez every 20 ms for some time. @returns the milliseconds of each answer, ascending. */
async function pollLivez(server: ServerProcess, duration: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + duration;
  while (performance.now() < end) {
    const start = performance.now();
    expect(await healthOf(server, '/livez')).toMatchObject({ status: 200 });
    times.push(performance.now() - start);
    await pause(20);
  }
  return times.sort((one, other) => one - other);
}

test('while another process holds the lock for 2 seconds /livez is answered at once and deletes wait for their 204', async () => {
  const plants = await stock(place, 400);
  const server = await place.serve();
  const wanted = everyOther(plants.ids);
  await plants.deleteAll(server, wanted.slice(0, 20));
  await pollLivez(server, 200);
  const { asked, times, early } = await whileLocked(plants.file, async (release) => {
    const asked = plants.deleteAll(server, wanted.slice(20), 64);
    const times = await pollLivez(server, 2_000);
    const early = plants.ledger.statuses()[204];
    release();
    return { asked, times, early };
  });
  await asked;
  expect(early).toBe(20);
  expect(plants.ledger.statuses()).toEqual({ 204: 200 });
  const slowest = times.at(-1) ?? Infinity;
  expect(times.length).toBeGreaterThan(20);
  // A machine that is busy with other things may be late now and then.
  expect(times.filter((ms) => ms > 50).length).toBeLessThanOrEqual(3);
  expect(slowest).toBeLessThan(250);
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(
    'another process holds the write lock for 2 s',
    `${plants.answers()}; slowest of ${times.length} /livez ${slowest.toFixed(0)} ms`,
  );
});

test('while another process holds the lock for longer deletes are refused with nothing done, and go on afterwards', async () => {
  const plants = await stock(place, 100);
  const server = await place.serve();
  const wanted = everyOther(plants.ids);
  const seconds = await whileLocked(plants.file, async () => {
    const start = performance.now();
    await plants.deleteAll(server, wanted.slice(0, 16), 16);
    return (performance.now() - start) / 1000;
  });
  const { 50300: refused = 0, 50302: overloaded = 0, ...others } = plants.ledger.statuses();
  expect(refused).toBeGreaterThan(0);
  expect({ answered: refused + overloaded, others }).toEqual({ answered: 16, others: {} });
  expect(seconds).toBeGreaterThan(4.9);
  expect(seconds).toBeLessThan(8);
  await plants.deleteAll(server, wanted);
  expect(plants.ledger.statuses()).toMatchObject({ 204: wanted.length, [NOTHING_DONE]: refused });
  expect(await server.stop()).toBe(0);
  await plants.expectUnharmed(
    'another process holds the write lock for longer than 5 s',
    `${plants.answers()}; refused after ${seconds.toFixed(1)} s`,
  );
});
