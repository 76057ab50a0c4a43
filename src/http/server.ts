import type { Express, Request, Response } from 'express';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { RequestError } from 'openapi-exact';
import { ServiceError } from '../errors.ts';
import { refusedLog } from '../logging/refused-log.ts';
import type { Answered } from './answered.ts';
import { arrivalOf } from './arrived-message.ts';
import { connectionOf, type Connection } from './connection.ts';
import { limitConnections } from './connections-per-client.ts';
import type { SetCorsHeaders } from './cors.ts';
import { EventLoopBatch } from './event-loop-batch.ts';
import { messageClasses } from './express-prototypes.ts';
import { LIMITS } from './limits.ts';
import { http } from './node-http.ts';
import { CLOSE, notImplemented, serviceOverloaded, refusalOf } from './refusals.ts';
import { Refuser } from './refuser.ts';
import { takeOriginForm } from './request-target.ts';
import { proxyMatcher, type IsProxy } from './trusted-proxies.ts';

/** The settings of operators. */
export interface ServerOptions {
  /** The trusted proxies: how many there are, or their addresses; none by default. */
  readonly trustProxy?: number | readonly string[];
  /** Connections of one client at a time; 0, the default: any number. */
  readonly connectionsPerClient?: number;
  /** Batches the work of one event-loop iteration; shared with the store's group commit. */
  readonly iteration?: EventLoopBatch;
  /** Sets the CORS headers of refusals; the application sets those of its own responses. */
  readonly cors?: SetCorsHeaders | undefined;
}

/**
 * Creates the HTTP server under an Express application. It answers what never reaches the
 * application, such as HTTP that does not parse, with the contract's `Error` object.
 * @param onAnswer gets those answers; the application reports its own.
 */
export function createServer(
  app: Express,
  log: Logger,
  onAnswer: (answer: Answered) => void = () => undefined,
  { trustProxy = 0, connectionsPerClient = 0, iteration = new EventLoopBatch(), cors }: ServerOptions = {},
): Server {
  const isProxy = proxyMatcher(trustProxy);
  const refuser = new Refuser(log, onAnswer, cors);
  const listener = new RequestListener(app, refuser, iteration, isProxy);
  const onRequest = listener.receiveFromNode.bind(listener);
  // Node answers a missing Host header with an empty body; requireUnambiguous answers it in full.
  const server = http.createServer({ ...LIMITS, requireHostHeader: false, ...messageClasses(app) }, onRequest);
  server.timeout = LIMITS.timeout;
  server.maxConnections = LIMITS.maxConnections;
  // Node drops headers beyond this count, even a second Authorization. maxHeaderSize limits them.
  server.maxHeadersCount = 0;
  // A client that has closed its side still gets its responses. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  const onRefused = refusedLog(log, 'warn', 'connections closed: too many of one client (CONNECTIONS_PER_CLIENT)');
  limitConnections(server, connectionsPerClient, isProxy, onRefused);
  server.on('connection', iteration.noteAccepted.bind(iteration));
  // openapi-exact sends 100 Continue when it reads the body.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    connectionOf(request.socket).last = response;
    const refusal = new ServiceError('expectationFailed', "Only 'Expect: 100-continue' can be met.", CLOSE);
    refuser.refuseRequest(request, response, refusal);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
    else refuser.refuseConnection(socket, refusalOf(error), error.code);
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    // Node removes its own listener here; an unhandled 'error' event would end the process.
    socket.on('error', () => socket.destroy());
    const refusal = new ServiceError('methodNotImplemented', 'CONNECT is not served: this is not a proxy.');
    refuser.refuseConnection(socket, refusal, 'CONNECT');
  });
  return server;
}

/** Hands each request to the application, in the order of its connection. */
class RequestListener {
  readonly #app: Express;
  readonly #refuser: Refuser;
  readonly #iteration: EventLoopBatch;
  readonly #isProxy: IsProxy;

  constructor(app: Express, refuser: Refuser, iteration: EventLoopBatch, isProxy: IsProxy) {
    this.#app = app;
    this.#refuser = refuser;
    this.#iteration = iteration;
    this.#isProxy = isProxy;
  }

  /** Takes a request from Node, once its headers have arrived. */
  receiveFromNode(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'PRI') {
      // The preface of HTTP/2. Node treats it as an upgrade and closes when this returns.
      const refusal = notImplemented(CLOSE);
      connectionOf(request.socket).refuse(refusal);
      this.#refuser.refuseRequest(request, response, refusal);
      return;
    }
    connectionOf(request.socket).beginInTurn(request, response, this.#beginInTime);
  }

  readonly #beginInTime = (request: IncomingMessage, response: ServerResponse, { refusal }: Connection): void => {
    const waited = performance.now() - arrivalOf(request);
    if (refusal !== undefined && !request.complete) this.#refuser.refuseRequest(request, response, refusal);
    else if (waited < LIMITS.maxWait) this.#begin(request, response);
    else if (waited < LIMITS.timeout) this.#refuser.refuseRequest(request, response, serviceOverloaded());
    else request.socket.destroy();
  };

  #begin(request: IncomingMessage, response: ServerResponse): void {
    // Node hands the bytes behind an Upgrade header to another protocol; none is served.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    this.#iteration.run(() => {
      this.#answer(request, response);
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    try {
      // Before Express, which answers targets that its URL parser cannot read in its own format.
      takeOriginForm(request, this.#isProxy);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#refuser.refuseRequest(request, response, error);
      return;
    }
    // messageClasses has made both of them messages of Express. The application answers everything.
    this.#app(request as Request, response as Response, unanswered);
  }
}

function unanswered(error?: unknown): never {
  throw new Error('The application has passed a request on without an answer.', { cause: error });
}
