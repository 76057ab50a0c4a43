import type { Socket } from 'node:net';

/** Resolves once a connection is closed, also by a reset, for which `once` rejects. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => {
      resolve();
    });
    if (socket.closed) resolve();
  });
}
