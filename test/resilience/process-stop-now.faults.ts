import { afterEach, expect, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { setTimeout as pause } from 'node:timers/promises';
import { workplaceOfEachTest, type ServerProcess } from '../support/cli.ts';
import { openRaw } from '../support/raw-connection.ts';
import { stock, type Stock } from '../support/stock.ts';

const place = workplaceOfEachTest();

/** Begins a request that never ends. @returns resolves when its connection is closed. */
async function beginRequest({ url }: ServerProcess): Promise<{ closed: Promise<unknown> }> {
  const { socket, ended } = await openRaw(url);
  socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: plants\r\n');
  return { closed: ended };
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a second %s, a second after the first, ends the server now', async (signal, exitCode) => {
  const plants = await stock(place, 10);
  const server = await place.serve();
  for (const id of plants.ids.slice(4, 6)) expect(await plants.delete(server, id)).toBe(204);
  await beginRequest(server);
  server.kill(signal);
  await pause(1_000);
  const start = performance.now();
  server.kill(signal);
  expect(await server.ended).toMatchObject({ code: exitCode, stderr: '' });
  expect(performance.now() - start).toBeLessThan(1_000);
  await plants.expectUnharmed(`${signal} twice`);
});

/** Begins what never ends by itself. @returns resolves when the server has cut it. */
type Begin = (server: ServerProcess, plants: Stock) => Promise<{ cut: Promise<unknown> }>;

const locks: Database.Database[] = [];
afterEach(() => {
  for (const lock of locks.splice(0)) lock.close();
});

test.each<[what: string, begin: Begin]>([
  ['a request that never finishes', async (server) => ({ cut: (await beginRequest(server)).closed })],
  [
    // Node lets go of a connection with CONNECT.
    'a CONNECT behind answers that its client does not take',
    async (server) => {
      const { socket } = await openRaw(server.url);
      // More than the system keeps for both sides.
      const page = 'GET /docs/swagger-ui.js HTTP/1.1\r\nHost: plants\r\n\r\n';
      socket.pause().write(`${page.repeat(10)}CONNECT plants:80 HTTP/1.1\r\nHost: plants\r\n\r\n`);
      await pause(300);
      // A client that does not read does not see the end either.
      return { cut: server.ended.then(() => socket.destroy()) };
    },
  ],
  [
    'a delete that waits for a lock',
    async (server, plants) => {
      const lock = new Database(plants.file);
      locks.push(lock);
      lock.exec('BEGIN IMMEDIATE');
      const asked = plants.delete(server, plants.ids[5] ?? 0n);
      await pause(300);
      // The lock is never free, so that nothing can be done.
      return { cut: asked };
    },
  ],
])('%s is cut shortly before SHUTDOWN_TIMEOUT, and the server ends in order', async (what, begin) => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '2' });
  for (const id of plants.ids.slice(2, 4)) expect(await plants.delete(server, id)).toBe(204);
  const { cut } = await begin(server, plants);
  const start = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0 });
  const seconds = (performance.now() - start) / 1000;
  await cut;
  expect(seconds).toBeGreaterThan(1.7);
  expect(seconds).toBeLessThan(3);
  await plants.expectUnharmed(`SIGTERM, ${what}`, [], `cut after ${seconds.toFixed(1)} s`);
});
