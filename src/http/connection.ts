import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestError } from 'openapi-exact';
import { LIMITS } from './limits.ts';

/** Begins to answer a request. */
type BeginRequest = (request: IncomingMessage, response: ServerResponse, connection: Connection) => void;

/** The state of a connection: its place in the pipeline and the work it has caused. */
export class Connection {
  /**
   * The newest response that is open, or whose request was incomplete when it closed. Finished
   * responses are released, so that idle connections hold little memory.
   */
  last: ServerResponse | undefined;
  /** How many requests wait for the response before them. */
  waiting = 0;
  /** Why nothing more is read; undefined while the connection is read. */
  refusal: RequestError | undefined;
  #requests = 0;
  /** The parts of bodies, and their bytes, since the last response. */
  #parts = 0;
  #bytes = 0;
  readonly #socket: Socket;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Begins a request once the one before it is answered: only safe methods may run in parallel (RFC
   * 9112, section 9.3.2). After a response that closes the connection nothing is begun (section
   * 9.6).
   */
  beginInTurn(request: IncomingMessage, response: ServerResponse, begin: BeginRequest): void {
    // Node's own limit answers the next request with 503 and keeps the connection open.
    if (++this.#requests === LIMITS.maxRequestsPerSocket) response.setHeader('Connection', 'close');
    const previous = this.last;
    this.last = response;
    response.on('close', noteClosed);
    if (previous === undefined || previous.closed) this.#beginIfOpen(request, response, begin);
    // Node does not pause reading for a client that reads no responses.
    else if (this.waiting === LIMITS.maxPipelinedRequests) this.#socket.destroy();
    else this.#beginAfter(previous, request, response, begin);
  }

  /** Notes that a response is closed. */
  noteClosed(response: ServerResponse): void {
    this.#parts = this.#bytes = 0;
    if (!response.req.complete) this.#boundRest(response.req);
    else if (this.last === response) this.last = undefined;
  }

  /** Reads no more, and destroys the connection in time: Node has no timeout after a CONNECT. */
  refuse(refusal: RequestError): void {
    this.refusal = refusal;
    this.#destroyLater(() => true);
  }

  /**
   * Counts a part of a body; pipelined requests count together.
   * @returns false when there are too many small parts.
   */
  takesBytes(part: Uint8Array): boolean {
    this.#bytes += part.byteLength;
    return ++this.#parts <= LIMITS.maxSmallParts || this.#bytes >= this.#parts * LIMITS.smallPart;
  }

  /** The response before may have closed the connection after more was read. */
  #beginIfOpen(request: IncomingMessage, response: ServerResponse, begin: BeginRequest): void {
    if (this.#socket.writable) begin(request, response, this);
  }

  /**
   * Begins a request once the response before it closes. Destroys the connection if a client stops
   * reading while requests are queued; Node's own timeout restarts with each byte that arrives.
   */
  #beginAfter(previous: ServerResponse, request: IncomingMessage, response: ServerResponse, begin: BeginRequest): void {
    if (this.waiting++ === 0) this.#restartStallTimer();
    previous.once('close', () => {
      this.waiting--;
      this.#restartStallTimer();
      this.#beginIfOpen(request, response, begin);
    });
  }

  /** Destroys the connection if much more arrives of a request that was answered early. */
  #boundRest(request: IncomingMessage): void {
    if (this.#socket.destroyed) return;
    const most = this.#socket.bytesRead + LIMITS.maxRest;
    const timer = setInterval(() => {
      if (request.complete || this.#socket.destroyed) clearInterval(timer);
      else if (this.#socket.bytesRead > most) this.#socket.destroy();
    }, 100).unref();
  }

  #restartStallTimer(): void {
    this.#stallTimer = this.#stallTimer?.refresh() ?? this.#destroyLater(() => this.waiting > 0);
  }

  #destroyLater(isDue: () => boolean): NodeJS.Timeout {
    const timer = setTimeout(() => {
      if (isDue()) this.#socket.destroy();
    }, LIMITS.timeout).unref();
    this.#socket.once('close', () => {
      clearTimeout(timer);
    });
    return timer;
  }
}

/** One listener for all responses. */
function noteClosed(this: ServerResponse): void {
  connectionOf(this.req.socket).noteClosed(this);
}

const connections = new WeakMap<Socket, Connection>();

/** The state of the connection of a socket. */
export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new Connection(socket);
    connections.set(socket, connection);
  }
  return connection;
}
