import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getOrInsert } from '../json/get-or-insert.ts';

/** The most requests of a connection that wait for the response to an earlier one. */
const MOST_WAITING = 100;

/** The responses that wait, by connection. */
const WAITING = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes a connection with too many requests that wait for the response to an earlier one
 * (pipelining, RFC 9112, section 9.3.2): Node.js begins each at once, and no other limit ends them.
 * @returns whether it is closed.
 */
export function closeIfCrowded({ socket }: IncomingMessage, response: ServerResponse): boolean {
  // Only a response that waits for others of its connection has no socket.
  if (response.socket !== null) return false;
  const waiting = getOrInsert(WAITING, socket, () => new Set<ServerResponse>());
  if (waiting.size < MOST_WAITING) {
    waiting.add(response);
    response.once('close', () => waiting.delete(response));
  } else if (!waiting.has(response)) socket.destroy();
  return socket.destroyed;
}
