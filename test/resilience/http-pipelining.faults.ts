import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCode, everyOther } from '../support/stock.ts';
import { expectConformance, type WireResponse } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { whileLocked } from '../support/write-lock.ts';
import { serverOfEachTest } from './stocked-server.ts';

const at = serverOfEachTest(2_000, { NODE_ENV: 'production', CONNECTIONS_PER_CLIENT: '0' });
const deleteRequest = (id: bigint | string): string => at.plants.request(id);

/** 50 deletes: of a plant, the same plant again, a missing plant, an invalid id, and so on. */
function fifty(first: number): { ids: (bigint | string)[]; expected: number[] } {
  const ids = Array.from({ length: 50 }, (_, index) => {
    const id = at.plants.ids[first + 2 * Math.floor(index / 4)] ?? 0n;
    return [id, id, id + 10n ** 15n, `${id}x`][index % 4] ?? '';
  });
  return { ids, expected: ids.map((_, index) => [204, 40401, 40401, 40001][index % 4] ?? 0) };
}

/** Checks answers against the contract and notes them. @returns statuses, or codes of errors. */
function noteAll(ids: readonly (bigint | string)[], responses: readonly WireResponse[]): number[] {
  return responses.map((response, index) => {
    const id = ids[index] ?? '';
    expectConformance('DELETE', `/plants/${id}`, response);
    if (typeof id === 'bigint') at.plants.ledger.note(id, response.status);
    if (response.status === 204) return 204;
    // The message of a 404 names the plant: each answer is for the request at its place.
    if (response.status === 404) expect(response.text).toContain(` ${id}.`);
    return errorCode(response.text);
  });
}

async function expectAlive(): Promise<void> {
  expect(await at.plants.delete(at.server, at.plants.ids[1_999] ?? 0n)).toBe(204);
  expect(at.server.errors()).toBe('');
  expect(at.server.output()).not.toMatch(/"level":[56]0/);
}

test('50 deletes in one write are answered in their order, each truthfully', async () => {
  for (let round = 0; round < 20; round++) {
    const { ids, expected } = fifty(100 * round);
    const { socket, until } = await openRaw(at.server.url);
    socket.write(ids.map(deleteRequest).join(''));
    expect(noteAll(ids, await until(50))).toEqual(expected);
    socket.destroy();
  }
  await expectAlive();
  await at.plants.expectUnharmed('50 deletes in one write, 20 times', `answered in order: ${at.plants.answers()}`);
});

test('50 deletes that come in pieces of a few bytes are answered in their order, each truthfully', async () => {
  const rounds = Array.from({ length: 7 }, async (_, round) => {
    const { ids, expected } = fifty(100 * round);
    const { socket, until } = await openRaw(at.server.url);
    const text = ids.map(deleteRequest).join('');
    // Prime, so that the pieces end at every place of a request.
    const size = [1, 2, 3, 5, 7, 11, 13][round] ?? 1;
    for (let start = 0; start < text.length; start += size) {
      if (!socket.write(text.slice(start, start + size))) await once(socket, 'drain');
      if (start % 100 < size) await new Promise(setImmediate);
    }
    expect(noteAll(ids, await until(50))).toEqual(expected);
    socket.destroy();
  });
  await Promise.all(rounds);
  await expectAlive();
  await at.plants.expectUnharmed('50 deletes in pieces of 1 to 13 bytes', `answered in order: ${at.plants.answers()}`);
});

test('a client that closes its side behind its requests still gets its answers', async () => {
  const clients = everyOther(at.plants.ids.slice(0, 1_000)).map((id) => [id, id - 1n]);
  await Promise.all(
    clients.map(async (ids) => {
      const { socket, responses, ended } = await openRaw(at.server.url);
      socket.end(ids.map(deleteRequest).join(''));
      await ended;
      expect(noteAll(ids, responses)).toEqual([204, 204]);
    }),
  );
  await expectAlive();
  await at.plants.expectUnharmed('500 clients half-close behind two deletes', 'each answered 204, 204, closed');
});

test('a client that closes its side while the store is busy still gets its answer', async () => {
  const ids = everyOther(at.plants.ids.slice(0, 200));
  const clients = await whileLocked(at.plants.file, async (release) => {
    const clients = await Promise.all(ids.map(() => openRaw(at.server.url)));
    clients.forEach(({ socket }, index) => socket.end(deleteRequest(ids[index] ?? '')));
    await pause(500);
    release();
    await Promise.all(clients.map(({ ended }) => ended));
    return clients;
  });
  clients.forEach(({ responses }, index) => {
    expect(noteAll([ids[index] ?? 0n], responses)).toEqual([204]);
  });
  await expectAlive();
  await at.plants.expectUnharmed('100 clients half-close while the store is busy', 'each answered 204, closed');
});
