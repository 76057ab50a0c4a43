import { connect, type Socket } from 'node:net';

/**
 * Connects to a server of this process. An error that nothing awaits, such as a reset after a test
 * has failed, does not end the process.
 */
export function dial(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined);
}
