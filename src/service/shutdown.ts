import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A signal that comes so soon after the first is the same one, in milliseconds. */
const REPEATED_SIGNAL = 300;
/** The part of the time that is kept for what comes after the last request: closing the store, the last lines of the log; and its most, in milliseconds. */
const RESERVE = 0.1;
const MAX_RESERVE = 500;

/** What has to end in order. */
export interface Running {
  /** The listener of the contract. */
  readonly server: Server;
  /** The listener for operators, which ends last. */
  readonly admin: Server;
  /** How long it may take to stop, in seconds; requests at work have all of it but a reserve of half a second at most. */
  readonly timeout: number;
  /** Is called at once: no more requests should be sent here. */
  readonly onStop: () => void;
  /** Closes the store, when the last request was answered. */
  readonly closeStores: () => Promise<void>;
  readonly log: Logger;
}

/** How long the last lines of the log may take, in milliseconds. */
const LAST_LINES = 500;

/**
 * Lets the requests at work finish and takes no new connections; then the process has nothing left to do and ends, or is ended, should
 * something keep it alive.
 */
export function stopper({ server, admin, timeout, onStop, closeStores, log }: Running): () => void {
  let stopping = false;
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () => {
    if (stopping) return;
    stopping = true;
    const end = performance.now() + timeout * 1000;
    onStop();
    // Node closes connections that wait for their next request, but neither busy ones afterwards nor those never used.
    server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
    server.close(() => {
      clearTimeout(deadline);
      // A database that does not answer is not waited for beyond the deadline.
      void Promise.race([closeStores(), pause(Math.max(0, end - performance.now()), undefined, { ref: false })])
        .then(() => {
          log.info('stopped');
        })
        .finally(() => {
          admin.close();
          admin.closeAllConnections();
          setTimeout(() => process.exit(), LAST_LINES).unref();
        });
    });
    // Nor those whose last answer comes after this, and those on which nothing has come yet.
    setInterval(() => {
      server.closeIdleConnections();
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, 50).unref();
    const deadline = setTimeout(
      () => {
        log.warn({ timeout }, 'some requests have taken too long: their connections are closed without an answer');
        // All that Node knows of are not all: it lets go of one with a CONNECT.
        for (const socket of connections) socket.destroy();
      },
      timeout * 1000 - Math.min(timeout * 1000 * RESERVE, MAX_RESERVE),
    );
  };
}

/** SIGINT or SIGTERM stops the process in order; one that comes 0.3 seconds later or more ends it now. */
export function stopOnSignal(stop: () => void): void {
  let first: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    first ??= performance.now();
    // npm and timeout(1) send each signal twice at once.
    if (performance.now() - first < REPEATED_SIGNAL) stop();
    else process.exit(128 + constants.signals[signal]);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/**
 * After an error that nobody has caught, or a rejection that nobody handles, nobody knows what state the process is in: what was begun is
 * finished, and a new process takes over.
 */
export function stopOnUncaught(stop: () => void, log: Logger): void {
  process.on('uncaughtException', (err, origin) => {
    process.exitCode = 1;
    log.fatal({ err, origin }, 'an error that nobody has caught: the service ends');
    stop();
  });
}
