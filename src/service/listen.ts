import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { codeOf, messageOf, OperatorError } from '../errors.ts';

/**
 * Listens on an address.
 * @param variable the setting of the port, such as PORT.
 * @throws OperatorError that says what to do about it.
 */
export async function listen<T extends Server>(socket: T, host: string, port: number, variable: string): Promise<T> {
  // More than Node's 511: many clients may reconnect at once.
  socket.listen({ port, host, backlog: 4_096 });
  try {
    await once(socket, 'listening');
    return socket;
  } catch (cause) {
    const code = codeOf(cause);
    const reason =
      code === 'EADDRINUSE'
        ? `another process, or this one, listens there. Stop it, or choose another ${variable}.`
        : `${messageOf(cause)}. Choose another ${variable.replace('PORT', 'HOST')} or ${variable}.`;
    throw new OperatorError(`Cannot listen on ${host}:${port}: ${reason}`, { cause });
  }
}

/** The URL of a server that listens on a host. */
export function urlOf(server: Server, host: string): string {
  // Safe: a server that listens on a host and port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** An address that reaches a listener; the loopback address for one on all addresses. */
export function reachableAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}
