import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often the connections are looked at, in milliseconds. */
const INTERVAL = 500;

/**
 * Leaves the timeout of a connection to Node when nothing has come or gone on it from one look to the next; it ends up to a second late, never early.
 *
 * By itself Node makes a timer for each request and for each answer, and moves it with whatever is read or written: 3 to 4 % of the processor time
 * of a durable delete (`npm run bench -- --only durable`). test/server.test.ts, test/greedy-clients.test.ts and test/resilience/http-slow.faults.ts
 * guard it.
 */
export function setQuietTimeouts(server: Server): void {
  const timeouts = new Set<QuietTimeout>();
  let timer: NodeJS.Timeout | undefined;
  server.on('connection', (socket) => {
    const timeout = new QuietTimeout(socket);
    timeouts.add(timeout);
    socket.once('close', () => timeouts.delete(timeout));
  });
  server.on('listening', () => {
    timer = setInterval(() => {
      for (const timeout of timeouts) timeout.look();
    }, INTERVAL).unref();
  });
  server.on('close', () => {
    clearInterval(timer);
  });
}

class QuietTimeout {
  readonly #socket: Socket;
  readonly #setTimeout: Socket['setTimeout'];
  /** What Node wants, in milliseconds; 0 for none. */
  #wanted: number;
  #isQuiet = false;
  #read = 0;
  #written = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#setTimeout = socket.setTimeout.bind(socket);
    this.#wanted = socket.timeout ?? 0;
    this.#setTimeout(0);
    // Node's server calls it without a callback.
    socket.setTimeout = (timeout) => {
      this.#wanted = timeout;
      // What is taken of an answer late moves no count: such a connection is quiet, and may be idle from now on.
      if (this.#isQuiet) this.#setTimeout(timeout);
      return socket;
    };
  }

  look(): void {
    const { bytesRead, bytesWritten } = this.#socket;
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = bytesRead === this.#read && bytesWritten === this.#written;
    this.#read = bytesRead;
    this.#written = bytesWritten;
    if (this.#isQuiet !== wasQuiet) this.#setTimeout(this.#isQuiet ? this.#wanted : 0);
  }
}
