import type { Express, Request, Response } from 'express';
import {
  createServer as createHttpServer,
  ServerResponse,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ArrivedMessage, type Answered } from './answered.ts';
import { respondWithError, SECURITY_HEADERS } from './contract/respond.ts';
import { atEndOfTurn } from './end-of-turn.ts';
import { RequestError, type ErrorName } from './errors.ts';
import { originForm } from './origin-form.ts';
import { logRefusal, newRequestId, requestIdOf } from './request-log.ts';

/** Limits of the HTTP server; times in milliseconds, sizes in bytes. */
export const LIMITS = {
  /** The request line and all headers. */
  maxHeaderSize: 8 * 1024,
  /** From the first byte of a connection or request to the end of its headers. */
  headersTimeout: 10_000,
  /** From the first byte of a request to the end of its body. */
  requestTimeout: 30_000,
  /** An idle connection is kept this long. */
  keepAliveTimeout: 5_000,
  /** Requests on one connection, after which it is closed, so that clients spread over the servers there are. */
  maxRequestsPerSocket: 100_000,
  /** Requests that wait on one connection for the answer to the one before them; a connection with more is closed. */
  maxPipelinedRequests: 100,
  /** Connections at a time; those beyond are closed at once. Each takes some 10 KB. */
  maxConnections: 10_000,
  /** How often the two timeouts above are looked at: without it, Node does so every 30 seconds. */
  connectionsCheckingInterval: 1_000,
} as const;

const CLOSE = { headers: { Connection: 'close' } };

/**
 * The HTTP server under an Express application. It answers what never becomes a request of the application, HTTP that does
 * not parse or arrive, with the contract's `Error` object too.
 * @param onAnswer is told of those answers; the application tells of its own.
 */
export function createServer(
  app: Express,
  log: Logger,
  onAnswer: (answer: Answered) => void = () => undefined,
): Server {
  /** The response in progress, or the last one, of each connection. */
  const lastResponse = new WeakMap<Socket, ServerResponse>();
  const refused = new WeakSet<Socket>();
  /** How many requests of a connection wait for the answer to the one before them. */
  const waiting = new WeakMap<Socket, number>();

  /** Refuses what follows the requests of a connection. Answers keep the order of their requests. */
  function refuseInTurn(socket: Socket, refusal: RequestError, cause: string | undefined): void {
    if (refused.has(socket)) return;
    refused.add(socket);
    const requestId = newRequestId();
    logRefusal(log, { requestId, method: null, status: refusal.status, cause });
    onAnswer({ operation: undefined, status: refusal.status, seconds: 0, reason: refusal.reason });
    const last = lastResponse.get(socket);
    const close = (): void => {
      // A request whose body broke has its own answer already.
      if (last?.req.complete === false || !socket.writable) socket.destroy();
      else refuse(socket, refusal, requestId);
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
    const previous = lastResponse.get(socket);
    lastResponse.set(socket, response);
    if (previous === undefined || previous.closed) {
      // The answer before may have closed the connection, of which some more was read.
      if (socket.writable) begin(request, response);
      return;
    }
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > LIMITS.maxPipelinedRequests) {
      // Node does not stop reading: 100 clients that read nothing could keep the process busy for minutes.
      socket.destroy();
      return;
    }
    waiting.set(socket, count);
    previous.once('close', () => {
      waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
      if (socket.writable) begin(request, response);
    });
  };
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    // Node hands what follows an Upgrade to the protocol that was asked for, and this server speaks none other.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    try {
      // Before Express, which answers a target that its URL parser cannot read in a form of its own.
      request.url = originForm(request.url ?? '');
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      refuseUnread(request, response, error);
      return;
    }
    atEndOfTurn(() => {
      // The application answers everything itself: what Express would add for that case is spared.
      // messageClasses has made both of them messages of Express.
      app(request as Request, response as Response, unanswered);
    });
  };
  const server = createHttpServer(options, onRequest);
  server.maxRequestsPerSocket = LIMITS.maxRequestsPerSocket;
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
    lastResponse.set(request.socket, response);
    const refusal = new RequestError('expectationFailed', "Only 'Expect: 100-continue' can be met.", CLOSE);
    refuseUnread(request, response, refusal);
  });
  return server;
}

function unanswered(error?: unknown): never {
  throw new Error('The application has passed a request on without an answer.', { cause: error });
}

/**
 * Express sets the prototype of every request and response, which makes V8 forget all it knew about them: on Node 20 it is
 * 5 times slower than node:http for that alone. Messages that are born with the prototypes of the application spare it.
 */
function messageClasses(app: Express): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class AppRequest extends ArrivedMessage {}
  class AppResponse<T extends IncomingMessage> extends ServerResponse<T> {}
  adopt(AppRequest.prototype, app.request);
  adopt(AppResponse.prototype, app.response);
  // Express declares both as read-only, but documents that they can be replaced; the new ones have all that the old ones had.
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Gives a prototype everything that Express put between the message of an application and that of Node. */
function adopt(prototype: object, source: object): void {
  const express: unknown = Object.getPrototypeOf(source);
  if (typeof express !== 'object' || express === null) throw new Error('This version of Express has other prototypes.');
  for (const layer of [express, source]) Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(layer));
}

function refusalOf({ code }: NodeJS.ErrnoException): RequestError {
  const known = REFUSALS[code ?? ''];
  return known === undefined ? malformed() : new RequestError(...known);
}

function malformed(options?: typeof CLOSE): RequestError {
  return new RequestError('malformedHttp', 'The request is no well-formed HTTP/1.1 (RFC 9112).', options);
}

const REFUSALS: Readonly<Record<string, readonly [ErrorName, string]>> = {
  HPE_HEADER_OVERFLOW: ['headersTooLarge', `The request line and headers must fit into ${LIMITS.maxHeaderSize} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'requestTimeout',
    `The request must arrive in time: its headers within ${LIMITS.headersTimeout / 1000} seconds, all of it within ${LIMITS.requestTimeout / 1000}.`,
  ],
};

/** Writes an answer by hand, for there is no response object, and closes the connection. */
function refuse(socket: Socket, { status, body }: RequestError, requestId: string): void {
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      Object.entries({
        ...SECURITY_HEADERS,
        'X-Request-Id': requestId,
        'Content-Type': 'application/json; charset=utf-8',
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      'Connection: close\r\n\r\n' +
      text,
  );
  // After the last byte of the answer, also when the client would keep its side open for ever.
  socket.destroySoon();
}
