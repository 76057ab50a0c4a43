import { expect, test } from '@jest/globals';
import { putUnderLoad } from './load.ts';
import { memoryOf } from '../support/memory.ts';
import { serverOfEachTest } from './stocked-server.ts';

/**
 * Clients that send a request with each answer, and the memory that they may take, in MB. 32 of it
 * are V8's young generation, which nothing limits by default.
 */
const OVERLOADS = [
  { what: 'ten times as many clients as fill a commit', clients: 640, inFlight: 1, memory: 96 },
  // 40,000 requests under way: V8 collects them more often than it answers them.
  { what: '2,000 clients that pipeline 20 requests each', clients: 2_000, inFlight: 20, memory: 640 },
];
/** How long they come, in seconds. */
const SECONDS = 15;
/** Done, not there, and the 503 that says that nothing was done. */
const TRUTHFUL = new Set(['204', '404', '50302']);
/** The longest that a client waits, in milliseconds: 5 s to be begun, 5 s for the commit. */
const LONGEST = 10_000;

// A log of every request would be a load of its own.
const at = serverOfEachTest(2_500_000, { LOG_LEVEL: 'warn', CONNECTIONS_PER_CLIENT: '0' });

test.each(OVERLOADS)(
  'asked by $what, the server goes on deleting and answers everything truthfully',
  async ({ what, clients, inFlight, memory }) => {
    const { plants, server } = at;
    const few = { clients: 64, inFlight: 1, seconds: 3 };
    const { used } = await putUnderLoad(at, 0n, few);
    const before = await memoryOf(server);
    const load = await putUnderLoad(at, used, { clients, inFlight, seconds: SECONDS });
    const { goodput, longest, withoutRetryAfter } = load;
    const after = await memoryOf(server);
    await plants.expectUnharmed(
      `load of ${what}`,
      `${goodput.toFixed(0)}/s answered 204 or 404; the slowest after ${(longest / 1000).toFixed(1)} s; ` +
        `${plants.answers()}; memory ${before.now} MB, then ${after.most} MB at most`,
    );
    expect(used + load.used).toBeLessThanOrEqual(BigInt(plants.ids.length));
    expect(Object.keys(plants.ledger.statuses()).filter((status) => !TRUTHFUL.has(status))).toEqual([]);
    expect(withoutRetryAfter).toBe(0);
    expect(goodput).toBeGreaterThan(0);
    expect(after.most - before.now).toBeLessThan(memory);
    expect(longest).toBeLessThan(LONGEST);
    expect(server.errors()).toBe('');
    expect(await server.stop()).toBe(0);
  },
);
