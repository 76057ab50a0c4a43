import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { workplace, type ServerProcess, type Workplace } from '../support/cli.ts';
import { openRaw } from '../support/raw-connection.ts';
import { stock } from '../support/stock.ts';
import { whileLocked } from '../support/write-lock.ts';

let place: Workplace;
beforeEach(async () => {
  place = await workplace();
});
afterEach(() => place.remove());

/** Begins a request that never ends. @returns resolves when its connection is closed. */
async function beginRequest({ url }: ServerProcess): Promise<{ closed: Promise<unknown> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: plants\r\n');
  return { closed: once(socket.resume(), 'close') };
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
  const ms = Math.round(performance.now() - start);
  expect(ms).toBeLessThan(1_000);
  await plants.expectUnharmed(`${signal} twice`, `exit ${exitCode}, ${ms} ms after the second`);
});

test('connections on which nothing was sent hold up no stop', async () => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '60' });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => openRaw(server.url)));
  for (const id of plants.ids.slice(4, 6)) expect(await plants.delete(server, id)).toBe(204);
  const start = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  const seconds = (performance.now() - start) / 1000;
  expect(seconds).toBeLessThan(10);
  for (const { responses } of sockets) expect(responses).toEqual([]);
  await plants.expectUnharmed('SIGTERM, 20 connections never used', `exit 0 after ${seconds.toFixed(1)} s`);
});

test('a client with a CONNECT that takes nothing of its answers is cut shortly before SHUTDOWN_TIMEOUT, and the server ends in order', async () => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '2' });
  const { socket } = await openRaw(server.url);
  // More than the system keeps for both sides. Node lets go of a connection with CONNECT.
  const page = 'GET /docs/swagger-ui.js HTTP/1.1\r\nHost: plants\r\n\r\n';
  socket.pause().write(`${page.repeat(10)}CONNECT plants:80 HTTP/1.1\r\nHost: plants\r\n\r\n`);
  for (const id of plants.ids.slice(4, 6)) expect(await plants.delete(server, id)).toBe(204);
  const start = performance.now();
  server.kill('SIGTERM');
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  const seconds = (performance.now() - start) / 1000;
  expect(seconds).toBeGreaterThan(1.7);
  expect(seconds).toBeLessThan(3);
  socket.destroy();
  await plants.expectUnharmed(
    'SIGTERM, a CONNECT behind answers not taken',
    `cut, exit 0 after ${seconds.toFixed(1)} s`,
  );
});

test('a request that never finishes is cut shortly before SHUTDOWN_TIMEOUT, and the server ends in order', async () => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '2' });
  const { closed } = await beginRequest(server);
  const start = performance.now();
  server.kill('SIGTERM');
  await closed;
  const cut = (performance.now() - start) / 1000;
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  expect(cut).toBeGreaterThan(1.7);
  expect((performance.now() - start) / 1000).toBeLessThan(3);
  await plants.expectUnharmed('SIGTERM, a request that never finishes', `cut after ${cut.toFixed(1)} s, exit 0`);
});

test('a delete whose store never comes free is cut shortly before SHUTDOWN_TIMEOUT, and the server ends in order', async () => {
  const plants = await stock(place, 10);
  const server = await place.serve({ SHUTDOWN_TIMEOUT: '2' });
  const [id = 0n] = plants.ids.slice(5);
  const seconds = await whileLocked(plants.file, async () => {
    const asked = plants.delete(server, id);
    await pause(300);
    const start = performance.now();
    server.kill('SIGTERM');
    expect(await asked).toBe(0);
    expect(await server.ended).toMatchObject({ code: 0 });
    return (performance.now() - start) / 1000;
  });
  expect(seconds).toBeGreaterThan(1.7);
  expect(seconds).toBeLessThan(3);
  // The lock was never free, so that nothing can have been done.
  await plants.expectUnharmed('SIGTERM, a delete that waits for a lock', `cut, exit 0 after ${seconds.toFixed(1)} s`);
});
