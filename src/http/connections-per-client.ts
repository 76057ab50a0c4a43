import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-network.ts';
import type { IsProxy } from './trusted-proxies.ts';

/**
 * Closes connections beyond a limit per client: an IPv4 address or an IPv6 /64 network, taken from
 * the connection, since headers can be forged. Proxies carry many clients and are not counted.
 * @param most connections of one client; 0: any number.
 * @param onRefused is called for each connection that was closed.
 */
export function limitConnections(
  server: Server,
  most: number,
  isProxy: IsProxy = () => false,
  onRefused: () => void = () => undefined,
): void {
  if (most === 0) return;
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    // A socket without an address has ended already.
    if (address === undefined || isProxy(address)) return;
    const client = networkOf(address) ?? address;
    const count = counts.get(client) ?? 0;
    if (count >= most) {
      socket.destroy();
      onRefused();
      return;
    }
    counts.set(client, count + 1);
    socket.once('close', () => {
      const left = (counts.get(client) ?? 1) - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    });
  });
}
