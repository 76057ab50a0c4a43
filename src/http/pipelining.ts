import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalOf } from './arrived-message.ts';
import { connectionOf } from './connection.ts';
import { LIMITS } from './limits.ts';

/**
 * Begins a request once the one before it on its connection is answered: only safe methods may run
 * in parallel (RFC 9112, section 9.3.2). After a response that closes the connection nothing is
 * begun (section 9.6).
 * @param begin receives the milliseconds that the request has waited.
 */
export function beginInTurn(request: IncomingMessage, response: ServerResponse, begin: (waited: number) => void): void {
  const { socket } = request;
  const connection = connectionOf(socket);
  // Node's own limit answers the next request with 503 and keeps the connection open.
  if (++connection.requests === LIMITS.maxRequestsPerSocket) response.setHeader('Connection', 'close');
  const previous = connection.last;
  connection.last = response;
  response.on('close', () => {
    connection.parts = connection.bytes = 0;
    if (!request.complete) connection.boundRest(request);
    else if (connection.last === response) connection.last = undefined;
  });
  if (previous === undefined || previous.closed) {
    // The previous response may have closed the connection after more was read.
    if (socket.writable) begin(0);
    return;
  }
  if (connection.waiting === LIMITS.maxPipelinedRequests) {
    // Node does not pause reading for a client that reads no responses.
    socket.destroy();
    return;
  }
  connection.waitFor(previous, () => {
    if (socket.writable) begin(performance.now() - arrivalOf(request));
  });
}
