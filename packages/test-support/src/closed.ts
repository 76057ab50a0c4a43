import type { Socket } from 'node:net';

/** Resolves once a connection is closed. A reset, which is an error for `once`, closes it as well. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve();
    };
    if (socket.closed) end();
    else socket.on('error', () => undefined).once('close', end);
  });
}
