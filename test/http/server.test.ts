import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS } from '../../src/http/limits.ts';
import type { WireResponse } from '../support/conformance.ts';
import { openRaw } from '../support/raw-connection.ts';
import { deleteExactly, deletePlant, expectError, requestText, sendRaw } from '../support/send.ts';
import { plantsIn, startService } from '../support/service.ts';
import { whileLocked } from '../support/write-lock.ts';

const service = await startService();
beforeEach(() => service.stores.plants.insertPlants([1n, 2n, 3n]));
afterAll(() => service.close());

const DELETE = { method: 'DELETE', target: '/plants/1' };
const NO_ANSWER: WireResponse = { status: 0, headers: {}, text: '' };

/** Expects this error as the only response, a closed connection, and all plants to be there. */
async function expectRefused(bytes: string | Buffer, code: number, as?: typeof DELETE): Promise<void> {
  const [response = NO_ANSWER, ...others] = await sendRaw(service, bytes, as);
  expect(others).toEqual([]);
  expectError(response, code);
  expect(response.headers['connection']).toBe('close');
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
}

// test/http/probes.test.ts has what does not parse, or what parsers read differently.
describe('HTTP that is refused', () => {
  test('a method that is unknown as far as it has come is answered 501 (RFC 9110, section 9.1)', () =>
    expectRefused('FO', 50100));

  test('a request that breaks off is refused', async () => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    const received = socket.setEncoding('utf8').toArray();
    socket.end(requestText(service, 'DELETE', '/plants/1').slice(0, -2));
    expect((await received).join('')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n.*\{"error":40000,"message":"[^"]+"\}$/s);
    socket.destroy();
    expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
  });

  test.each([LIMITS.maxHeaderSize, 1_000_000])('headers of %d bytes are too large: 431', async (size) => {
    await expectRefused(requestText(service, 'DELETE', '/plants/1', [`X: ${'x'.repeat(size)}`]), 43100, DELETE);
    await expectRefused(requestText(service, 'DELETE', `/plants/${'1'.repeat(size)}`), 43100, DELETE);
  });
});

test('a request may have 100 headers, one with more is refused: 431', async () => {
  const headers = [`Authorization: Bearer ${service.token}`, ...Array.from({ length: 98 }, (_, n) => `X-${n}: a`)];
  expectError(await deleteExactly(service, '/plants/404', headers), 40401);
  await expectRefused(requestText(service, 'DELETE', '/plants/1', [...headers, 'X: a']), 43100, DELETE);
});

test('OPTIONS * is answered for the whole server (RFC 9110, section 9.3.7), and deletes nothing', async () => {
  const [response = NO_ANSWER, ...others] = await sendRaw(
    service,
    requestText(service, 'OPTIONS', '*', ['Connection: close']),
    { method: 'OPTIONS', target: '*' },
  );
  expect(others).toEqual([]);
  expect(response).toMatchObject({ status: 204, headers: { allow: 'DELETE, OPTIONS' }, text: '' });
  expect(await plantsIn(service.stores)).toEqual([1n, 2n, 3n]);
});

describe('a request for a tunnel or an upgrade', () => {
  test('CONNECT on a connection that is reset ends neither the service nor leaves the connection behind', async () => {
    for (let round = 0; round < 20; round++) {
      const socket = connect(service.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write('CONNECT plants:80 HTTP/1.1\r\nHost: plants\r\n\r\n');
      // Every other time the answer is on its way.
      if (round % 2 === 1) await once(socket, 'readable');
      socket.resetAndDestroy();
    }
    await expectNoConnections();
    expectError(await deletePlant(service, 404n), 40401);
  });

  test('a connection that was refused is closed although the client keeps its side open', async () => {
    const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(requestText(service, 'CONNECT', 'plants:80'));
    await once(socket.resume(), 'end');
    await expectNoConnections();
    socket.destroy();
  });
});

describe('requests in a row on one connection', () => {
  test('are answered in their order: deleted, missing and invalid ones', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => 1_000 + index);
    await service.stores.plants.insertPlants(ids.filter((id) => id % 3 === 0).map(BigInt));
    const paths = ids.map((id) => `/plants/${id}${id % 3 === 1 ? 'x' : ''}`);
    const bytes = paths.map((path) => requestText(service, 'DELETE', path)).join('');
    const responses = await sendRaw(service, bytes, { ...DELETE, responses: ids.length });
    expect(responses.map(({ status }) => status)).toEqual(ids.map((id) => [204, 400, 404][id % 3]));
    // The message of a 404 names the id.
    const missing = responses.filter(({ status }) => status === 404).map(({ text }) => /\d+(?=\.)/.exec(text)?.[0]);
    expect(missing).toEqual(ids.filter((id) => id % 3 === 2).map(String));
  });

  test.each([0, 300])(
    'are answered although the client closes its side, when the store is busy for %d ms',
    async (ms) => {
      const bytes = [1, 3].map((id) => requestText(service, 'DELETE', `/plants/${id}`)).join('');
      const { socket, responses, ended } = await openRaw(service.url);
      await whileLocked(service.file, async () => {
        socket.end(bytes);
        await pause(ms);
      });
      await ended;
      expect(responses).toMatchObject([{ status: 204 }, { status: 204 }]);
      expect(await plantsIn(service.stores)).toEqual([2n]);
    },
  );

  test('are answered up to the last one that a connection may have, which closes it', async () => {
    const most = LIMITS.maxRequestsPerSocket;
    Object.assign(LIMITS, { maxRequestsPerSocket: 3 });
    const responses = await sendRaw(service, requestText(service, 'DELETE', '/plants/404').repeat(5), DELETE);
    Object.assign(LIMITS, { maxRequestsPerSocket: most });
    expect(responses.map(({ headers }) => headers['connection'])).toEqual(['keep-alive', 'keep-alive', 'close']);
  });
});

describe('a request that never completes', () => {
  beforeAll(() => {
    expect(service.server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 5_000 });
    expect(service.server).toMatchObject({ maxConnections: 10_000, timeout: 60_000 });
    // Looked at each time the server looks for late requests, which is every second.
    service.server.headersTimeout = 100;
    service.server.requestTimeout = 100;
  });
  afterAll(() => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = LIMITS;
    Object.assign(service.server, { headersTimeout, requestTimeout, keepAliveTimeout });
  });

  test.each([
    ['of which nothing comes', ''],
    ['whose headers stop', 'DELETE /plants/1 HTTP/1.1\r\nHost: pla'],
    ['whose headers do not end', 'DELETE /plants/1 HTTP/1.1\r\nHost: plants\r\n'],
  ])('%s is refused with 408', (_name, bytes) => expectRefused(bytes, 40800, DELETE));

  test.each([
    ['its request line', 408, 'DELETE /'],
    ['headers', 408, 'DELETE /plants/1 HTTP/1.1\r\nHost: plants\r\n'],
    ['a body', 405, 'POST /plants/1 HTTP/1.1\r\nHost: plants\r\nContent-Length: 999\r\n\r\n'],
    ['chunks', 405, 'POST /plants/1 HTTP/1.1\r\nHost: plants\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n'],
  ])('is cut too when its client sends %s byte by byte', async (_what, status, atOnce) => {
    const { socket, responses, ended } = await openRaw(service.url);
    socket.write(atOnce);
    const more = setInterval(() => socket.write('x'), 20);
    await ended;
    clearInterval(more);
    expect(responses).toMatchObject([{ status }]);
  });

  test('and follows another one is refused after the response to that one', async () => {
    const bytes = `${requestText(service, 'DELETE', '/plants/404')}DELETE /plants/1 HTT`;
    expect(await sendRaw(service, bytes, DELETE)).toMatchObject([{ status: 404 }, { status: 408 }]);
  });

  test('is told from an idle connection, which is closed without a response', async () => {
    service.server.keepAliveTimeout = 100;
    const since = performance.now();
    const responses = await sendRaw(service, requestText(service, 'DELETE', '/plants/404'), DELETE);
    expect(responses).toMatchObject([{ status: 404 }]);
    // As one that takes nothing it would be closed after a minute.
    expect(performance.now() - since).toBeLessThan(LIMITS.timeout / 2);
  });
});

/** Expects the server to let go of every connection soon. */
async function expectNoConnections(): Promise<void> {
  const connections = promisify(service.server.getConnections.bind(service.server));
  for (let attempt = 0; attempt < 1_000 && (await connections()) > 0; attempt++) await pause(5);
  expect(await connections()).toBe(0);
}
