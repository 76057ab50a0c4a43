import { beforeEach, expect, test } from '@jest/globals';
import { median } from '../../scripts/bench/median.ts';
import { freePort } from '../support/free-port.ts';
import { putUnderLoad, type Phase, type PhaseResult } from './load.ts';
import { memoryOf } from './memory.ts';
import { serverOfEachTest } from './stocked-server.ts';

/** The load at which a server does the most: enough clients to fill each commit. */
const PEAK = { clients: 64, inFlight: 1 };
/**
 * Clients that send the next request with each answer, what must be left of the peak, and the memory that they may take, in MB. The peak and the
 * overload are measured in turn, so many times, for so many seconds: the pace of a machine that others use too changes within seconds. So the peak
 * is that of some of the clients, while the others are idle.
 */
const OVERLOADS = [
  {
    what: 'ten times as many clients',
    clients: 640,
    inFlight: 1,
    pairs: 25,
    peakSeconds: 0.6,
    seconds: 0.6,
    least: 0.8,
    memory: 64,
  },
  // 40,000 requests under way: V8 collects them more often than it answers them.
  {
    what: '2,000 clients that pipeline 20 requests each',
    clients: 2_000,
    inFlight: 20,
    pairs: 5,
    peakSeconds: 1,
    seconds: 6,
    least: 0.5,
    memory: 384,
  },
];
/** The most that V8's young generation takes with few connections (src/commands/limit-young-generation.ts), less than with many; in MB. */
const YOUNG = 16;
/** Done, not there, and the 503 that says that nothing was done. */
const TRUTHFUL = new Set(['204', '404', '50302']);
/** Nobody waits longer, in milliseconds: 5 s to be begun, 5 s for the commit. */
const LONGEST = 10_000;

const ADMIN_PORT = String(await freePort());
// A log of every request would be what is measured.
const at = serverOfEachTest(2_500_000, { LOG_LEVEL: 'warn', ADMIN_PORT });

/** The plants that were asked for already. */
let used: bigint;
beforeEach(() => {
  used = 0n;
});

async function load(...phases: readonly Phase[]): Promise<readonly PhaseResult[]> {
  const { results, used: newly } = await putUnderLoad(at.place, at.plants, at.server, used, phases);
  used += newly;
  return results;
}

function percent(ratio: number): number {
  return Math.round(ratio * 100);
}

function round(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}

/** The size of V8's young generation, in MB. */
async function youngGeneration(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${ADMIN_PORT}/metrics`)).text();
  return Number(/^nodejs_heap_space_size_total_bytes\{space="new"\} (\d+)$/m.exec(metrics)?.[1]) / 2 ** 20;
}

test.each(OVERLOADS)(
  'asked by $what, the server goes on at its pace and answers everything truthfully',
  async ({ what, clients, inFlight, pairs, peakSeconds, seconds, least, memory }) => {
    const [alone] = await load({ ...PEAK, seconds: 3 });
    const memoryBefore = await memoryOf(at.server);
    expect(await youngGeneration()).toBeLessThanOrEqual(YOUNG);
    const overload = { clients, inFlight, seconds };
    const inTurn = Array.from({ length: pairs }, () => [{ ...PEAK, seconds: peakSeconds }, overload]).flat();
    const results = await load({ ...overload, seconds: 6 }, ...inTurn);
    expect(await youngGeneration()).toBeGreaterThan(YOUNG);
    const memoryAfter = await memoryOf(at.server);
    const goodputs = results.slice(1).map(({ goodput }) => goodput);
    const over = goodputs.filter((_, index) => index % 2 === 1);
    const peaks = goodputs.filter((_, index) => index % 2 === 0);
    const ratios = over.map((goodput, pair) => goodput / (peaks[pair] ?? NaN));
    const ratio = median(ratios);
    const longest = Math.max(...results.map((result) => result.longest));
    await at.plants.expectUnharmed(
      `load of ${what}`,
      `${round(median(over))}/s answered 204 or 404, ${percent(ratio)} % of the peak (median of ${pairs}, ` +
        `from ${percent(Math.min(...ratios))} to ${percent(Math.max(...ratios))} %), which is ${round(median(peaks))}/s, ` +
        `and ${round(alone?.goodput ?? NaN)}/s without the others; the slowest after ${(longest / 1000).toFixed(1)} s; ${at.plants.answers()}; ` +
        `memory ${memoryBefore.now} MB, then ${memoryAfter.most} MB at most`,
    );
    expect(used).toBeLessThanOrEqual(BigInt(at.plants.ids.length));
    expect(Object.keys(at.plants.ledger.statuses()).filter((status) => !TRUTHFUL.has(status))).toEqual([]);
    for (const { withoutRetryAfter } of results) expect(withoutRetryAfter).toBe(0);
    expect(memoryAfter.most - memoryBefore.now).toBeLessThan(memory);
    expect(longest).toBeLessThan(LONGEST);
    expect(at.server.errors()).toBe('');
    expect(await at.server.stop()).toBe(0);
    expect(Math.min(...peaks)).toBeGreaterThan(0);
    expect(ratio).toBeGreaterThan(least);
  },
);
