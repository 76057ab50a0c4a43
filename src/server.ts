import type { Express, Request, Response } from 'express';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { arrivalOf, type Answered } from './answered.ts';
import { connectionOf } from './connection.ts';
import { respondWithError } from './contract/respond.ts';
import { RequestError } from './errors.ts';
import { EventLoopBatch } from './event-loop-batch.ts';
import { messageClasses } from './express-messages.ts';
import { LIMITS } from './limits.ts';
import { takeOriginForm } from './origin-form.ts';
import { CLOSE, malformed, overloaded, refusalOf, writeRefusal } from './refusals.ts';
import { logRefusal, newRequestId, requestIdOf } from './request-log.ts';

/**
 * The HTTP server under an Express application. It answers what never becomes a request of the application, HTTP that does
 * not parse or arrive, with the contract's `Error` object too.
 * @param onAnswer is told of those answers; the application tells of its own.
 * @param iteration runs requests that arrive together one after the other; the stores share it.
 */
export function createServer(
  app: Express,
  log: Logger,
  onAnswer: (answer: Answered) => void = () => undefined,
  iteration = new EventLoopBatch(),
): Server {
  /** Refuses what follows the requests of a connection. Answers keep the order of their requests. */
  function refuseInTurn(socket: Socket, refusal: RequestError, cause: string | undefined): void {
    const connection = connectionOf(socket);
    if (connection.refused) return;
    connection.refuse();
    const requestId = newRequestId();
    logRefusal(log, { requestId, method: null, status: refusal.status, cause });
    onAnswer({ operation: undefined, status: refusal.status, seconds: 0, reason: refusal.reason });
    const { last } = connection;
    const close = (): void => {
      // A request whose body broke has its own answer already.
      if (last?.req.complete === false || !socket.writable) socket.destroy();
      else writeRefusal(socket, refusal, requestId);
    };
    if (last === undefined || last.writableFinished) close();
    else last.once('close', close);
  }

  /** Refuses a request that the application does not get to see. */
  function refuseUnread(
    request: IncomingMessage,
    response: ServerResponse,
    { reason, message, headers }: RequestError,
  ): void {
    const requestId = requestIdOf(request);
    const refusal = new RequestError(reason, message, { headers: { ...headers, 'X-Request-Id': requestId } });
    logRefusal(log, { requestId, method: request.method ?? null, status: refusal.status, cause: message });
    onAnswer({ operation: undefined, status: refusal.status, seconds: 0, reason });
    respondWithError(response, refusal);
  }

  // Node answers a missing Host header with an empty body: requireUnambiguous does it better.
  const options = { ...LIMITS, requireHostHeader: false, ...messageClasses(app) };
  /**
   * Begins with a request when the one before it on its connection was answered: only safe methods may run side by side (RFC 9112, section
   * 9.3.2). Behind an answer that closes the connection nothing is done any more (section 9.6).
   */
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    if (request.method === 'PRI') {
      // The preface of HTTP/2 is an upgrade to Node, which ends the connection as soon as this returns.
      refuseUnread(request, response, malformed(CLOSE));
      return;
    }
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
      if (socket.writable) begin(request, response);
      return;
    }
    if (connection.waiting === LIMITS.maxPipelinedRequests) {
      // Node does not stop reading: 100 clients that read nothing could keep the process busy for minutes. What it has read already, ArrivedMessage ends.
      socket.destroy();
      return;
    }
    connection.waitFor(previous, () => {
      if (!socket.writable) return;
      const waited = performance.now() - arrivalOf(request);
      if (waited < LIMITS.maxWait) begin(request, response);
      else if (waited < LIMITS.timeout) refuseUnread(request, response, overloaded());
      else socket.destroy();
    });
  };
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // Node hands what follows an Upgrade to the protocol that was asked for, and this server speaks none other.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    // Not before the end of the turn: what is answered within it frees the way for the next request, of all that Node reads at once.
    iteration.run(() => {
      try {
        // Before Express, which answers a target that its URL parser cannot read in a form of its own.
        takeOriginForm(request);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        refuseUnread(request, response, error);
        return;
      }
      // The application answers everything itself: what Express would add for that case is spared.
      // messageClasses has made both of them messages of Express.
      app(request as Request, response as Response, unanswered);
    });
  };
  const server = createHttpServer(options, onRequest);
  server.on('connection', () => {
    iteration.noteAccepted();
  });
  server.timeout = LIMITS.timeout;
  server.maxConnections = LIMITS.maxConnections;
  // A client that has sent all it has to say still gets its answers. Node's types do not know of it.
  Object.assign(server, { httpAllowHalfOpen: true });
  // The body of such a request is asked for when it is read (json-body.ts), not before it is known to be wanted.
  server.on('checkContinue', onRequest);
  // Beyond a number of headers Node drops the rest, be it a second Authorization. Their size is limited anyway.
  server.maxHeadersCount = 0;
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuseInTurn(socket, refusalOf(error), error.code);
  });
  server.on('connect', (_request, socket: Socket) => {
    // Node lets go of the connection here: without a listener, an error of it would end the process.
    socket.on('error', () => socket.destroy());
    refuseInTurn(socket, new RequestError('malformedHttp', 'CONNECT is not served: this is no proxy.'), 'CONNECT');
  });
  server.on('checkExpectation', (request, response) => {
    connectionOf(request.socket).last = response;
    const refusal = new RequestError('expectationFailed', "Only 'Expect: 100-continue' can be met.", CLOSE);
    refuseUnread(request, response, refusal);
  });
  return server;
}

function unanswered(error?: unknown): never {
  throw new Error('The application has passed a request on without an answer.', { cause: error });
}
