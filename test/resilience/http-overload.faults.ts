import { expect, test } from '@jest/globals';
import { memoryOf } from '../support/memory.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { errorCode, OVERLOADED } from '../support/stock.ts';
import { BANNER, stockedServer } from './stocked-server.ts';

/** Clients, and how many requests each has under way, again and again. */
const CLIENTS = 2_000;
const IN_FLIGHT = 20;
const ROUNDS = 5;
/** The memory that they may take, in MB: V8 collects them more often than it answers them. */
const MEMORY = 640;

// A log of every request would be a load of its own.
const at = stockedServer(CLIENTS * IN_FLIGHT * ROUNDS, { LOG_LEVEL: 'warn', CONNECTIONS_PER_CLIENT: '0' });

test(`asked by ${CLIENTS} clients that pipeline ${IN_FLIGHT} requests each, the server goes on deleting and answers everything truthfully`, async () => {
  const { plants, server } = at;
  const clients: RawConnection[] = [];
  // A system keeps some hundred connections until they are accepted.
  while (clients.length < CLIENTS) clients.push(...(await openMany(100)));
  const before = await memoryOf(server);
  const start = performance.now();
  await Promise.all(
    clients.map(async ({ socket, until }, client) => {
      for (let round = 0; round < ROUNDS; round++) {
        // The last request repeats the first.
        const first = (client * ROUNDS + round) * IN_FLIGHT;
        const ids = [...plants.ids.slice(first, first + IN_FLIGHT - 1), plants.ids[first] ?? 0n];
        socket.write(ids.map((id) => plants.request(id)).join(''));
        const answers = (await until((round + 1) * IN_FLIGHT)).slice(round * IN_FLIGHT);
        ids.forEach((id, index) => {
          const { status = 0, headers = {}, text = '' } = answers[index] ?? {};
          if (status === 503) expect(headers).toHaveProperty('retry-after');
          plants.ledger.note(id, status === 503 ? errorCode(text) : status);
        });
        // A busy machine may send so late that the server has closed an idle connection.
        if (socket.closed) return;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const after = await memoryOf(server);
  for (const { socket } of clients) socket.destroy();
  await plants.expectUnharmed(
    `${CLIENTS} clients pipeline ${IN_FLIGHT} requests each`,
    [0],
    `in ${seconds.toFixed(1)} s; memory ${before.now} MB, then ${after.most} MB at most`,
  );
  // Done, not there, and perhaps the 503 that says that nothing was done.
  const { 0: _, 204: deleted = 0, 404: __, [OVERLOADED]: ___, ...others } = plants.ledger.statuses();
  expect(others).toEqual({});
  expect(deleted).toBeGreaterThan(0);
  expect(after.most - before.now).toBeLessThan(MEMORY);
  expect(server.errors()).toMatch(BANNER);
  expect(await server.stop()).toBe(0);
});

function openMany(count: number): Promise<RawConnection[]> {
  return Promise.all(Array.from({ length: count }, () => openRaw(at.server.url)));
}
