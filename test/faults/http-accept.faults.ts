import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { openRaw, type RawConnection } from '../support/raw-connection.ts';
import { stock, type Stock } from '../support/stock.ts';

/** Clients that keep the server busy, and clients that come all at once. */
const BUSY = 400;
const NEW = 400;
/** How many requests of a busy client are under way. */
const IN_FLIGHT = 10;
/** Nobody waits longer for the first answer, in milliseconds. */
const LONGEST = 2_000;

let place: Workplace;
let plants: Stock;
let server: ServerProcess;
beforeAll(async () => {
  place = await workplace();
  plants = await stock(place, 2 * NEW);
  server = await place.serve({ LOG_LEVEL: 'warn' });
});
afterAll(() => place.remove());

function deleteRequest(id: bigint): string {
  return `DELETE /plants/${id} HTTP/1.1\r\nHost: plants\r\nAuthorization: Bearer ${plants.token}\r\n\r\n`;
}

/** How many of their requests were answered. */
let answered = 0;

/** Asks for a plant that is not there, again with each answer, until the socket is closed. */
function keepBusy({ socket }: RawConnection): void {
  const request = deleteRequest(10n ** 15n);
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
    const answers = text.split('HTTP/1.1 404').length - 1;
    text = answers === 0 ? text : text.slice(text.lastIndexOf('HTTP/1.1 404') + 1);
    answered += answers;
    socket.write(request.repeat(answers));
  });
  socket.write(request.repeat(IN_FLIGHT));
}

test(`${NEW} clients that come at once to a busy server are accepted and answered within two seconds`, async () => {
  const busy = await Promise.all(Array.from({ length: BUSY }, () => openRaw(server.url)));
  busy.forEach(keepBusy);
  await pause(1_000);
  const before = answered;
  const start = performance.now();
  const times = await Promise.all(
    Array.from({ length: NEW }, async (_, index) => {
      const id = plants.ids[2 * index + 1] ?? 0n;
      const { socket, until } = await openRaw(server.url);
      socket.write(deleteRequest(id));
      const [answer] = await until(1);
      plants.ledger.note(id, answer?.status ?? 0);
      socket.destroy();
      return performance.now() - start;
    }),
  );
  const meanwhile = answered - before;
  for (const { socket } of busy) socket.destroy();
  const longest = Math.max(...times);
  await plants.expectUnharmed(
    `${NEW} clients come at once, while ${BUSY} others keep the server busy`,
    `${plants.answers()}; the slowest after ${longest.toFixed(0)} ms; ${meanwhile} answers to the others meanwhile`,
  );
  expect(server.errors()).toBe('');
  expect(plants.ledger.statuses()).toEqual({ 204: NEW });
  // They were as busy as they seemed.
  expect(meanwhile).toBeGreaterThan(BUSY);
  expect(longest).toBeLessThan(LONGEST);
});
