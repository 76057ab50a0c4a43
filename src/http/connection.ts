import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestError } from '../errors.ts';
import { LIMITS } from './limits.ts';

/** What is remembered of a connection: whose turn it is, and how much it has asked of the process. */
export class Connection {
  /**
   * The newest response that is not over, or whose request was not there as a whole when it was over. With ten times the clients each of the others would
   * live until the next on its connection, 4 KB of them, through several collections of V8's young generation.
   */
  last: ServerResponse | undefined;
  requests = 0;
  /** How many requests wait for the answer before them. */
  waiting = 0;
  /** Why nothing more is read; undefined while something is. */
  refusal: RequestError | undefined;
  /** The parts of bodies, and their bytes, since the last answer. */
  parts = 0;
  bytes = 0;
  readonly #socket: Socket;
  #patience: NodeJS.Timeout | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * Does `next` when an answer is over, in whatever way. When none is for too long, although something waits, the connection ends: whoever does not take
   * an answer would keep what waits behind it, and its memory. Node's own timeout begins anew with each byte that comes.
   */
  waitFor(previous: ServerResponse, next: () => void): void {
    if (this.waiting++ === 0) this.#bePatient();
    previous.once('close', () => {
      this.waiting--;
      this.#bePatient();
      next();
    });
  }

  /** Nothing more is read, and the connection ends in time, whether or not its answers are taken: Node has no timeout for one with a CONNECT. */
  refuse(refusal: RequestError): void {
    this.refusal = refusal;
    this.#destroyLater(() => true);
  }

  /**
   * Counts a part of a body. @returns false when there are too many small ones. Pipelined requests count together: 40 of them fit into what Node reads at
   * once.
   */
  takes(part: Uint8Array): boolean {
    this.bytes += part.byteLength;
    return ++this.parts <= LIMITS.maxSmallParts || this.bytes >= this.parts * LIMITS.smallPart;
  }

  /** Ends the connection when much more comes of a request that was answered before it was there as a whole: Node would read it to its end. */
  boundRest(request: IncomingMessage): void {
    if (this.#socket.destroyed) return;
    const most = this.#socket.bytesRead + LIMITS.maxRest;
    const timer = setInterval(() => {
      if (request.complete || this.#socket.destroyed) clearInterval(timer);
      else if (this.#socket.bytesRead > most) this.#socket.destroy();
    }, 100).unref();
  }

  #bePatient(): void {
    this.#patience = this.#patience?.refresh() ?? this.#destroyLater(() => this.waiting > 0);
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

const connections = new WeakMap<Socket, Connection>();

/** What is remembered of the connection of a socket. */
export function connectionOf(socket: Socket): Connection {
  let connection = connections.get(socket);
  if (connection === undefined) {
    connection = new Connection(socket);
    connections.set(socket, connection);
  }
  return connection;
}
