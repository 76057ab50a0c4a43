import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/free-port.ts';
import { openRaw } from '../support/raw-connection.ts';
import { putUnderLoad } from './load.ts';
import { serverOfAllTests } from './stocked-server.ts';

/** Clients that keep the server busy, and clients that come all at once. */
const BUSY = 400;
const NEW = 400;
/** How many requests of a busy client are under way, and for how many seconds they come. */
const IN_FLIGHT = 10;
const SECONDS = 8;
/** How many are answered before the new ones come. */
const WARM = 10_000;
/** More than a server deletes in this time. */
const PLANTS = 500_000;
/** The longest wait for the first answer, in milliseconds. */
const LONGEST = 2_000;

const ADMIN_PORT = String(await freePort());
const at = serverOfAllTests(PLANTS, { LOG_LEVEL: 'warn', ADMIN_PORT, CONNECTIONS_PER_CLIENT: '0' });

/** How many requests the server has answered. */
async function answered(): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${ADMIN_PORT}/metrics`)).text();
  const counts = [...metrics.matchAll(/^http_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}

test(`${NEW} clients that come at once to a busy server are accepted and answered within two seconds`, async () => {
  // From a process of its own: in this one the answers would be seen late.
  const load = putUnderLoad(at, 0n, { clients: BUSY, inFlight: IN_FLIGHT, seconds: SECONDS });
  try {
    // Should it fail, nothing more is waited for.
    while ((await answered()) < WARM) await Promise.race([pause(50), load.then(() => pause(50))]);
    const before = await answered();
    const start = performance.now();
    const statuses: unknown[] = [];
    const times = await Promise.all(
      at.plants.ids.slice(-NEW).map(async (id) => {
        const { socket, until } = await openRaw(at.server.url);
        socket.write(at.plants.request(id));
        const [answer] = await until(1);
        statuses.push(answer?.status);
        at.plants.ledger.note(id, answer?.status ?? 0);
        socket.destroy();
        return performance.now() - start;
      }),
    );
    const others = (await answered()) - before - NEW;
    await load;
    const longest = Math.max(...times);
    await at.plants.expectUnharmed(
      `${NEW} clients come at once, while ${BUSY} others keep the server busy`,
      `${at.plants.answers()}; the slowest of them after ${longest.toFixed(0)} ms; ${others} answers to the others meanwhile`,
    );
    expect(at.server.errors()).toBe('');
    expect(statuses).toEqual(Array.from({ length: NEW }, () => 204));
    // They were as busy as they seemed.
    expect(others).toBeGreaterThan(BUSY);
    expect(longest).toBeLessThan(LONGEST);
  } finally {
    // Its process must not outlive the test.
    await load.catch(() => undefined);
  }
});
