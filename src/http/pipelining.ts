import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalOf } from './answered.ts';
import { connectionOf } from './connection.ts';
import { LIMITS } from './limits.ts';

/**
 * Begins with a request when the one before it on its connection was answered: only safe methods may run side by side (RFC 9112, section
 * 9.3.2). Behind an answer that closes the connection nothing is done any more (section 9.6).
 * @param begin is given the milliseconds that the request has waited.
 */
export function beginInTurn(request: IncomingMessage, response: ServerResponse, begin: (waited: number) => void): void {
  const { socket } = request;
  const connection = connectionOf(socket);
  // Node's own limit answers the next request with a 503 of its own, and keeps the connection.
  if (++connection.requests === LIMITS.maxRequestsPerSocket) response.setHeader('Connection', 'close');
  const previous = connection.last;
  connection.last = response;
  response.on('close', () => {
    connection.parts = connection.bytes = 0;
    if (!request.complete) connection.boundRest(request);
    else if (connection.last === response) connection.last = undefined;
  });
  if (previous === undefined || previous.closed) {
    // The answer before may have closed the connection, of which some more was read.
    if (socket.writable) begin(0);
    return;
  }
  if (connection.waiting === LIMITS.maxPipelinedRequests) {
    // Node does not stop reading: 100 clients that read nothing could keep the process busy for minutes. What it has read already, ArrivedMessage ends.
    socket.destroy();
    return;
  }
  connection.waitFor(previous, () => {
    if (socket.writable) begin(performance.now() - arrivalOf(request));
  });
}
