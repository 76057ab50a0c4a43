import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { expectConformance } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { everyOther } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';
import { serverOfEachTest } from './stocked-server.ts';

const at = serverOfEachTest(1_000, { NODE_ENV: 'production', CONNECTIONS_PER_CLIENT: '0' });

test.each([
  ['at once', 0],
  ['while the store is busy', 500],
])('clients that close their side behind two deletes get both answers %s', async (when, busy) => {
  const pairs = everyOther(at.plants.ids).map((id) => [id, id - 1n]);
  const clients = await whileLocked(at.plants.file, async (release) => {
    if (busy === 0) release();
    const clients = await Promise.all(pairs.map(() => openRaw(at.server.url)));
    clients.forEach(({ socket }, index) => {
      const requests = pairs[index]?.map((id) => at.plants.request(id)) ?? [];
      socket.end(requests.join(''));
    });
    await pause(busy);
    release();
    await Promise.all(clients.map(({ ended }) => ended));
    return clients;
  });
  clients.forEach(({ responses }, index) => {
    expect(responses.map(({ status }) => status)).toEqual([204, 204]);
    for (const response of responses) expectConformance('DELETE', '/plants/1', response);
    for (const id of pairs[index] ?? []) at.plants.ledger.note(id, 204);
  });
  expect(at.server.errors()).toBe('');
  expect(at.server.output()).not.toMatch(/"level":[56]0/);
  await at.plants.expectUnharmed(`500 clients half-close ${when}`, 'each answered 204, 204, closed');
});
