import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { stock, type Stock } from '../support/stock.ts';
import { putUnderLoad, type LoadOptions, type LoadResult } from './load.ts';
import { memoryOf } from './memory.ts';

/** How many times what it can do the server is asked to. */
const TIMES = 10;
/** The load at which a server does the most: enough clients to fill each commit. */
const PEAK = { connections: 64, inFlight: 1, rate: null };
/**
 * Clients that send the next request with each answer, what must be left of the peak, and the memory that they may take, in MB. 0.8 of the
 * peak is what the server is built for, but other programs run beside it, the clients first of all.
 */
const OVERLOADS = [
  { what: 'ten times as many clients', connections: 640, inFlight: 1, least: 0.65, memory: 64 },
  // 40,000 requests under way: V8 collects them more often than it answers them.
  { what: 'clients that pipeline', connections: 2_000, inFlight: 20, least: 0.25, memory: 384 },
];
/** Done, not there, and the 503 that says that nothing was done. */
const TRUTHFUL = new Set(['204', '404', '50302']);
/** Nobody waits longer, in milliseconds. */
const LONGEST = 10_000;

let place: Workplace;
let plants: Stock;
let server: ServerProcess;
beforeEach(async () => {
  place = await workplace();
  plants = await stock(place, 900_000);
  used = 0n;
  // A log of every request would be what is measured.
  server = await place.serve({ LOG_LEVEL: 'warn' });
});
afterEach(() => place.remove());

/** The plants that were asked for already. */
let used: bigint;

/** Puts the server under load. @returns also how many requests were answered 204 or 404 a second. */
async function load(options: LoadOptions): Promise<LoadResult & { readonly goodput: number }> {
  const result = await putUnderLoad(place, plants, server, used, options);
  used += result.used;
  return { ...result, goodput: result.good / result.seconds };
}

function round(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}

test.each(OVERLOADS)(
  `asked by $what for ${TIMES} times what it can do, the server goes on at its pace and answers everything truthfully`,
  async ({ what, connections, inFlight, least, memory }) => {
    await load({ ...PEAK, seconds: 1 });
    const before = await load({ ...PEAK, seconds: 3 });
    const memoryBefore = await memoryOf(server);
    const over = await load({ connections, inFlight, rate: TIMES * before.goodput, seconds: 6 });
    const memoryAfter = await memoryOf(server);
    const after = await load({ ...PEAK, seconds: 3 });

    const peak = (before.goodput + after.goodput) / 2;
    const ratio = over.goodput / peak;
    await plants.expectUnharmed(
      `${round(over.offered / over.seconds)} requests/s wanted on ${connections} connections, ${what}`,
      `${round(over.goodput)}/s answered 204 or 404, ${Math.round(ratio * 100)} % of the peak of ${round(peak)}/s; ` +
        `the slowest after ${(over.longest / 1000).toFixed(1)} s; ${plants.answers()}; ` +
        `memory ${memoryBefore.now} MB, then ${memoryAfter.most} MB at most`,
    );
    expect(Object.keys(plants.ledger.statuses()).filter((status) => !TRUTHFUL.has(status))).toEqual([]);
    expect(over.withoutRetryAfter).toBe(0);
    expect(over.offered / over.seconds).toBeGreaterThan((TIMES - 1) * before.goodput);
    expect(memoryAfter.most - memoryBefore.now).toBeLessThan(memory);
    expect(over.longest).toBeLessThan(LONGEST);
    expect(server.errors()).toBe('');
    expect(await server.stop()).toBe(0);
    expect(ratio).toBeGreaterThan(least);
  },
);
