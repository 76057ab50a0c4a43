import type { Express, Request, Response } from 'express';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import type { Answered } from './answered.ts';
import { connectionOf } from './connection.ts';
import { limitConnections } from './connections-per-client.ts';
import { respondWithError } from '../contract/respond.ts';
import { RequestError } from '../errors.ts';
import { EventLoopBatch } from './event-loop-batch.ts';
import { messageClasses } from './express-prototypes.ts';
import { beginInTurn } from './pipelining.ts';
import { LIMITS } from './limits.ts';
import { takeOriginForm } from './request-target.ts';
import { CLOSE, notImplemented, overloaded, refusalOf, writeRefusal } from './refusals.ts';
import { refusedLog } from '../logging/refused-log.ts';
import { logRefusal, newRequestId, requestIdOf } from '../logging/request-log.ts';
import { proxyMatcher } from './trusted-proxies.ts';

/** What an operator may set. */
export interface ServerOptions {
  /** The proxies that are believed: how many there are, or their addresses; none by default. */
  readonly trustProxy?: number | readonly string[];
  /** Connections of one client at a time; 0, the default: any number. */
  readonly connectionsPerClient?: number;
  /** Batches the work of one event-loop iteration; shared with the store's group commit. */
  readonly iteration?: EventLoopBatch;
}

/**
 * The HTTP server under an Express application. It answers what never becomes a request of the application, HTTP that does
 * not parse or arrive, with the contract's `Error` object too.
 * @param onAnswer is told of those answers; the application tells of its own.
 */
export function createServer(
  app: Express,
  log: Logger,
  onAnswer: (answer: Answered) => void = () => undefined,
  { trustProxy = 0, connectionsPerClient = 0, iteration = new EventLoopBatch() }: ServerOptions = {},
): Server {
  const isProxy = proxyMatcher(trustProxy);

  /** Refuses what follows the requests of a connection. Answers keep the order of their requests. */
  function refuseInTurn(socket: Socket, refusal: RequestError, cause: string | undefined): void {
    const connection = connectionOf(socket);
    if (connection.refusal !== undefined) return;
    connection.refuse(refusal);
    const requestId = newRequestId();
    logRefusal(log, { requestId, method: null, status: refusal.status, cause });
    onAnswer({ operation: undefined, status: refusal.status, seconds: 0, reason: refusal.reason });
    const { last } = connection;
    const close = (): void => {
      // A request whose body broke may have its own answer already.
      if ((last?.req.complete === false && last.headersSent) || !socket.writable) socket.destroy();
      else writeRefusal(socket, refusal, requestId);
    };
    const closeInTurn = (): void => {
      // Or it waits for the rest of that body, which does not come.
      const isStuck = last?.req.complete === false && !last.headersSent && connection.waiting === 0;
      if (last === undefined || last.writableFinished || isStuck) close();
      else last.once('close', close);
    };
    // Requests that were read together with the break are answered first.
    if (last?.req.complete === false)
      iteration.run(() => {
        iteration.run(closeInTurn);
      });
    else closeInTurn();
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
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === 'PRI') {
      // The preface of HTTP/2 is an upgrade to Node, which ends the connection as soon as this returns.
      const refusal = notImplemented(CLOSE);
      connectionOf(request.socket).refuse(refusal);
      refuseUnread(request, response, refusal);
      return;
    }
    beginInTurn(request, response, (waited) => {
      const { refusal } = connectionOf(request.socket);
      if (refusal !== undefined && !request.complete) refuseUnread(request, response, refusal);
      else if (waited < LIMITS.maxWait) begin(request, response);
      else if (waited < LIMITS.timeout) refuseUnread(request, response, overloaded());
      else request.socket.destroy();
    });
  };
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // Node hands what follows an Upgrade to the protocol that was asked for, and this server speaks none other.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    // Not before the end of the turn: what is answered within it frees the way for the next request, of all that Node reads at once.
    iteration.run(() => {
      try {
        // Before Express, which answers a target that its URL parser cannot read in a form of its own.
        takeOriginForm(request, isProxy(request.socket.remoteAddress));
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
  limitConnections(
    server,
    connectionsPerClient,
    isProxy,
    refusedLog(log, 'warn', 'connections were closed: their client has too many (CONNECTIONS_PER_CLIENT)'),
  );
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
    refuseInTurn(
      socket,
      new RequestError('methodNotImplemented', 'CONNECT is not served: this is no proxy.'),
      'CONNECT',
    );
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
