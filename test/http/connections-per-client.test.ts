import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { networkOf } from '../../src/http/client-network.ts';
import { deletePlant, expectError } from '../support/send.ts';
import { startService, type Service, type ServiceOptions } from '../support/service.ts';

describe('the limit of connections per client', () => {
  let service: Service;
  let sockets: Socket[] = [];
  /** Those of the server. */
  let accepted: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    accepted = [];
    await service.close();
  });

  /**
   * Opens connections in sequence.
   * @param expected so many closed ones are waited for.
   * @returns how many of them the server closed at once.
   */
  async function closedOf(count: number, expected: number, options: ServiceOptions): Promise<number> {
    service = await startService([], undefined, options);
    service.server.on('connection', (socket) => accepted.push(socket));
    let closed = 0;
    for (let opened = 0; opened < count; opened++) {
      const socket = connect({ port: service.port, host: '127.0.0.1' });
      socket.on('error', () => undefined).on('close', () => closed++);
      sockets.push(socket.resume());
      await once(socket, 'connect');
    }
    while (closed < expected) await pause(10);
    // Time for one too many.
    await pause(200);
    return closed;
  }

  test('each client has its own limit of connections, and closed ones make room', async () => {
    expect(await closedOf(8, 3, { connectionsPerClient: 5 })).toBe(3);
    const otherClient = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    sockets.push(otherClient);
    otherClient.write('DELETE /plants/1 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(String((await once(otherClient, 'data'))[0])).toMatch(/^HTTP\/1\.1 401 /);
    sockets[0]?.destroy();
    while (accepted[0]?.closed === false) await pause(1);
    expectError(await deletePlant(service, 404n), 40401);
  });

  test.each<[who: string, closed: number, options: ServiceOptions]>([
    ['0 is no limit', 0, { connectionsPerClient: 0 }],
    ['a trusted proxy is not counted as a client', 0, { connectionsPerClient: 5, trustProxy: 1 }],
    ['nor is one of a trusted network', 0, { connectionsPerClient: 5, trustProxy: ['127.0.0.0/8'] }],
    ['nor one of several trusted addresses', 0, { connectionsPerClient: 5, trustProxy: ['::1', '127.0.0.1'] }],
    ['any other peer is', 3, { connectionsPerClient: 5, trustProxy: ['10.0.0.0/8', '127.0.0.2'] }],
  ])('%s: of 8 connections %d are closed', async (_who, closed, options) => {
    expect(await closedOf(8, closed, options)).toBe(closed);
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  ['::ffff:cb00:7101', '203.0.113.1'],
  ['203.0.113.9:5000', '203.0.113.9'],
  ['[2001:db8::1]:5000', '2001:db8:0:0::/64'],
  ['[2001:db8::1]', '2001:db8:0:0::/64'],
  ['unknown', undefined],
  ['', undefined],
])('the address %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
