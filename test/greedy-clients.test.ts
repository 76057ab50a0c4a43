import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { LIMITS } from '../src/limits.ts';
import { requestText, sendRaw } from './support/send.ts';
import { plantsIn, startService, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.stores.plants.insertPlants([1n, 2n, 3n]));
afterAll(() => service.close());

const DELETE = { method: 'DELETE', target: '/plants/1' };

describe('a body that nobody asked for', () => {
  const head = (framing: string): string => `POST /plants/1 HTTP/1.1\r\nHost: plants\r\n${framing}\r\n\r\n`;
  const POST = { method: 'POST', target: '/plants/1' };

  test.each([
    ['1,000 parts of one byte is thrown away', 1_000, 1, [{ status: 405 }, { status: 405 }]],
    ['more of them ends the connection', 1_001, 1, []],
    ['more parts of a sensible size is thrown away', 1_001, 64, [{ status: 405 }, { status: 405 }]],
  ])('in %s', async (_name, parts, size, answers) => {
    const chunk = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
    const request = `${head('Transfer-Encoding: chunked')}${chunk.repeat(parts)}0\r\n\r\n`;
    const responses = await sendRaw(service, request.repeat(2), { ...POST, responses: 2 });
    expect(responses).toMatchObject(answers);
  });

  test('ends the connection when more than 64 KiB of it come behind the answer', async () => {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    const closed = new Promise((done) => socket.once('close', done));
    socket.write(head('Content-Length: 10000000'));
    await once(socket, 'data');
    socket.resume().write('x'.repeat(LIMITS.maxRest + 1));
    // Some more all the time: an idle connection would be closed anyway.
    const more = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(more);
  });
});

test('a client that takes nothing of its answers is let go', async () => {
  const other = await startService([], undefined, { docs: true });
  const socket = connect({ port: other.port, host: '127.0.0.1' });
  try {
    other.server.timeout = 500;
    const closed = new Promise((done) => {
      other.server.once('connection', (accepted) => accepted.once('close', done));
    });
    // More than the system keeps for both sides.
    socket.pause().write(requestText(other, 'GET', '/docs/swagger-ui.js').repeat(20));
    await closed;
  } finally {
    socket.destroy();
    await other.close();
  }
});

test('a connection on which more than 100 requests wait is closed, and those not begun are not done', async () => {
  const ids = Array.from({ length: 300 }, (_, index) => BigInt(10_000 + index));
  await service.stores.plants.insertPlants(ids);
  const bytes = ids.map((id) => requestText(service, 'DELETE', `/plants/${id}`)).join('');
  const responses = await sendRaw(service, bytes, DELETE);
  expect(responses.length).toBeLessThan(2);
  const left = (await plantsIn(service.stores)).filter((id) => id >= 10_000n);
  expect(left.length).toBeGreaterThanOrEqual(298);
  await service.stores.plants.deletePlants(ids);
});

test('a connection with more requests than may wait is closed, and no request is made of those behind them', async () => {
  let made = 0;
  const count = (): number => made++;
  service.server.on('request', count);
  const socket = connect(service.port, '127.0.0.1');
  // Closed with requests unread, a connection is reset.
  socket.on('error', () => undefined);
  socket.write('DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000));
  socket.resume();
  await once(socket, 'close');
  service.server.off('request', count);
  // The first is at work, and the last was one too many.
  expect(made).toBe(LIMITS.maxPipelinedRequests + 2);
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});
