import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LIMITS } from '../../src/http/limits.ts';
import { openRaw } from '../support/raw-connection.ts';
import { requestText, sendRaw } from '../support/send.ts';
import { plantsIn, startService, type Service } from '../support/service.ts';
import { closed } from 'test-support/closed.ts';

const service = await startService();
beforeEach(() => service.stores.plants.insertPlants([1n, 2n, 3n]));
afterAll(() => service.close());

const DELETE = { method: 'DELETE', target: '/plants/1' };

describe('an unexpected body', () => {
  const head = (framing: string): string => `POST /plants/1 HTTP/1.1\r\nHost: plants\r\n${framing}\r\n\r\n`;
  const POST = { method: 'POST', target: '/plants/1' };
  const chunked = (parts: number, size: number): string =>
    `${head('Transfer-Encoding: chunked')}${`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(parts)}0\r\n\r\n`;

  test.each([
    ['1,000 parts of one byte', 1_000, 1],
    ['more parts of a sensible size', 1_001, 70],
  ])('in %s is discarded, and so is the next one', async (_name, parts, size) => {
    const { socket, until } = await openRaw(service.url);
    for (const count of [1, 2, 3]) {
      socket.write(chunked(parts, size));
      expect((await until(count)).map(({ status }) => status)).toEqual(Array(count).fill(405));
    }
    socket.destroy();
  });

  test.each([
    ['one request', chunked(1_001, 1)],
    ['several requests in one write', chunked(500, 1).repeat(3)],
    ['several that are refused for their targets', chunked(500, 1).replace('POST /', 'POST /#').repeat(3)],
  ])('in more of them ends the connection, of %s', async (_name, bytes) => {
    expect(await sendRaw(service, bytes, { ...POST, responses: 1 })).toEqual([]);
  });

  test.each([
    ['/plants/1', 405],
    // Refused before the application sees it.
    ['/#', 400],
  ])('closes the connection when it comes after the response to a request for %s', async (target, status) => {
    const { socket, until, ended } = await openRaw(service.url);
    socket.write(head('Transfer-Encoding: chunked').replace('/plants/1', target));
    await until(1);
    socket.write('1\r\nx\r\n'.repeat(1_001));
    // In seconds: it was not because nothing comes behind the answer.
    expect(await ended).toBeLessThan(LIMITS.keepAliveTimeout / 1_000);
    expect(await until(1)).toMatchObject([{ status }]);
  });

  test('does not close a connection that goes on with other requests', async () => {
    const { socket, until } = await openRaw(service.url);
    socket.write(head('Content-Length: 1'));
    await until(1);
    const padding = `x: ${'x'.repeat(1_000)}`;
    socket.write(`x${requestText(service, 'DELETE', '/plants/404', [padding]).repeat(80)}`);
    await until(81);
    // Longer than the server takes to look at what has come.
    await pause(250);
    socket.write(requestText(service, 'DELETE', '/plants/404'));
    expect(await until(82)).toHaveLength(82);
    socket.destroy();
  });

  test('closes the connection after more than 64 KiB beyond the response', async () => {
    const { socket, until, ended } = await openRaw(service.url);
    socket.write(head('Content-Length: 10000000'));
    await until(1);
    socket.write('x'.repeat(LIMITS.maxRest + 1));
    // Some more all the time: an idle connection would be closed anyway.
    const more = setInterval(() => socket.write('x'), 100);
    await ended;
    clearInterval(more);
  });
});

describe('a client that does not read its responses', () => {
  let otherService: Service;
  beforeAll(async () => {
    const handlers = { deletePlant: () => ({ status: 404, body: { error: 40401, message: 'x'.repeat(1_500_000) } }) };
    otherService = await startService([], undefined, { handlers });
  });
  afterAll(() => otherService.close());
  afterEach(() => {
    Object.assign(LIMITS, { timeout: 60_000, maxWait: 5_000 });
    const { timeout, headersTimeout, keepAliveTimeout } = LIMITS;
    Object.assign(otherService.server, { timeout, headersTimeout, keepAliveTimeout });
  });

  /** Connects a client that sends requests until a response is stuck. @returns both sockets. */
  async function stuckClient(): Promise<{ client: Socket; accepted: Socket }> {
    const connected = once(otherService.server, 'connection');
    const client = connect({ port: otherService.port, host: '127.0.0.1' }).pause();
    // Ended by the server with requests unread, a connection is reset.
    client.on('error', () => undefined);
    // What the event is documented to be called with.
    const [accepted] = (await connected) as [Socket];
    while (accepted.writableLength === 0 && !accepted.closed) {
      client.write(requestText(otherService, 'DELETE', '/plants/1'));
      await pause(50);
    }
    return { client, accepted };
  }

  test('is disconnected', async () => {
    otherService.server.timeout = 500;
    const { client, accepted } = await stuckClient();
    await closed(accepted);
    client.destroy();
  });

  test('is closed as idle once it has read all', async () => {
    otherService.server.keepAliveTimeout = 100;
    const { client, accepted } = await stuckClient();
    // Nothing comes or goes for so long that it is noticed.
    await pause(1_500);
    const since = performance.now();
    client.resume();
    await closed(accepted);
    // With the timeout of one that takes nothing it would be a minute.
    expect(performance.now() - since).toBeLessThan(LIMITS.timeout / 2);
    client.destroy();
  });

  test('keeps its connection as long as it reads', async () => {
    otherService.server.timeout = 3_000;
    Object.assign(LIMITS, { maxWait: LIMITS.timeout });
    const { client, accepted } = await stuckClient();
    const broken = closed(client).then(() => {
      throw new Error('The connection was closed.');
    });
    broken.catch(() => undefined);
    // More than it reads and the operating system buffers.
    client.write(requestText(otherService, 'DELETE', '/plants/1').repeat(90));
    // Longer than the timeout; each read is large enough to open the TCP window again.
    for (let part = 0; part < 24; part++) {
      const end = client.bytesRead + 2_000_000;
      client.resume();
      while (client.bytesRead < end) await Promise.race([once(client, 'data'), broken]);
      client.pause();
      await pause(150);
    }
    expect(accepted.destroyed).toBe(false);
    await closed(accepted);
    client.destroy();
  });

  test.each<[what: string, text: (sent: number) => string]>([
    ['goes on asking', () => requestText(otherService, 'DELETE', '/plants/404')],
    ['sends a request that never ends', (sent) => (sent === 0 ? 'DELETE /plants/1 HTTP/1.1\r\nx: ' : 'x')],
    ['has sent CONNECT', (sent) => (sent === 0 ? requestText(otherService, 'CONNECT', 'plants:80') : 'x')],
  ])('and %s is disconnected too', async (_what, text) => {
    Object.assign(LIMITS, { timeout: 500 });
    const { client, accepted } = await stuckClient();
    // Looked at once a second.
    otherService.server.headersTimeout = 100;
    let sent = 0;
    const more = setInterval(() => client.write(text(sent++)), 100);
    await closed(accepted);
    clearInterval(more);
    client.destroy();
    // It was not for the number of them.
    expect(sent).toBeLessThan(LIMITS.maxPipelinedRequests / 2);
  });
});

test('a connection over the queue limit is closed: further bytes are not parsed, and queued requests not carried out', async () => {
  let made = 0;
  const count = (): number => made++;
  service.server.on('request', count);
  const ids = Array.from({ length: 1_000 }, (_, index) => BigInt(10_000 + index));
  await service.stores.plants.insertPlants(ids);
  const bytes = ids.map((id) => requestText(service, 'DELETE', `/plants/${id}`)).join('');
  const responses = await sendRaw(service, bytes, DELETE);
  service.server.off('request', count);
  expect(responses.length).toBeLessThan(2);
  // The first is at work, and the last was one too many.
  expect(made).toBe(LIMITS.maxPipelinedRequests + 2);
  expect((await plantsIn(service.stores)).length).toBeGreaterThanOrEqual(3 + ids.length - 2);
  await service.stores.plants.deletePlants(ids);
});

describe('responses are released', () => {
  const responses: WeakRef<ServerResponse>[] = [];
  const remember = (_request: IncomingMessage, response: ServerResponse): number =>
    responses.push(new WeakRef(response));
  beforeAll(() => void service.server.on('request', remember));
  afterAll(() => void service.server.off('request', remember));
  afterEach(() => void responses.splice(0));

  /** How many are left after garbage collections. */
  async function left(): Promise<number> {
    setFlagsFromString('--expose-gc');
    // What V8 shows with that flag.
    const collect = runInNewContext('gc') as () => void;
    const known = (): number => responses.filter((response) => response.deref() !== undefined).length;
    // V8 keeps what the latest iterations of the event loop have used.
    for (let turn = 0; turn < 20 && known() > 0; turn++) {
      await pause(20);
      collect();
    }
    return known();
  }

  test('of an idle connection', async () => {
    const { socket, until } = await openRaw(service.url);
    for (const count of [1, 2]) {
      socket.write(requestText(service, 'DELETE', '/plants/404'));
      expect((await until(count)).length).toBe(count);
      expect(responses).toHaveLength(count);
      expect(await left()).toBe(0);
    }
    socket.destroy();
  });

  test('of the queue of a closed connection', async () => {
    for (const count of [10, 200]) {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(
        'DELETE /plants/1 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count),
        () => count < 100 && socket.resetAndDestroy(),
      );
      socket.resume();
      await closed(socket);
    }
    expect(responses.length).toBeGreaterThan(LIMITS.maxPipelinedRequests);
    expect(await left()).toBe(0);
  });
});

test('a connection over the limit is closed at once, and the others go on', async () => {
  service.server.maxConnections = 2;
  try {
    const both = await Promise.all([openRaw(service.url), openRaw(service.url)]);
    const third = await openRaw(service.url);
    await third.ended;
    expect(third.responses).toEqual([]);
    for (const { socket, until } of both) {
      socket.write(requestText(service, 'DELETE', '/plants/404'));
      expect(await until(1)).toMatchObject([{ status: 404 }]);
      socket.destroy();
    }
  } finally {
    service.server.maxConnections = LIMITS.maxConnections;
  }
});
