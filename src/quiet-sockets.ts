import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often the connections are looked at, in milliseconds. */
const INTERVAL = 500;

/**
 * Leaves the timeout of a connection to Node when nothing has come or gone on it from one look to the next; such a timeout ends up to half a second late.
 *
 * By itself Node makes a timer for each request and for each answer, and moves it with whatever is read or written: 2.5 % of the processor time of a
 * durable delete (`npm run bench -- --only durable`). test/server.test.ts, test/greedy-clients.test.ts and test/faults/http-slow.faults.ts guard it.
 */
export function setTimeoutsWhenQuiet(server: Server): void {
  const watched = new Set<WatchedSocket>();
  server.on('connection', (socket) => {
    const one = new WatchedSocket(socket);
    watched.add(one);
    socket.once('close', () => watched.delete(one));
  });
  const timer = setInterval(() => {
    for (const one of watched) one.look();
  }, INTERVAL).unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}

class WatchedSocket {
  readonly #socket: Socket;
  readonly #setTimeout: Socket['setTimeout'];
  /** The timeout that Node wants, in milliseconds; 0 for none. */
  #timeout: number;
  #isQuiet = false;
  #read = 0;
  #written = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#setTimeout = socket.setTimeout.bind(socket);
    this.#timeout = socket.timeout ?? 0;
    this.#setTimeout(0);
    // Node's server calls it without a callback, and when something comes or goes: the next look takes up what it wants.
    socket.setTimeout = (timeout) => {
      this.#timeout = timeout;
      return socket;
    };
  }

  look(): void {
    const { bytesRead, bytesWritten } = this.#socket;
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = bytesRead === this.#read && bytesWritten === this.#written;
    this.#read = bytesRead;
    this.#written = bytesWritten;
    // For the time between two looks it was quiet already.
    if (this.#isQuiet && !wasQuiet) this.#setTimeout(this.#timeout && Math.max(1, this.#timeout - INTERVAL));
    else if (wasQuiet && !this.#isQuiet) this.#setTimeout(0);
  }
}
