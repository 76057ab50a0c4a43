import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { setImmediate as nextIteration, setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A second signal within this time is a duplicate of the first, in milliseconds. */
const REPEATED_SIGNAL = 300;
/**
 * Fraction of the timeout reserved for closing the store and flushing the log, and its maximum in
 * milliseconds.
 */
const RESERVE = 0.1;
const MAX_RESERVE = 500;
/**
 * Fraction of the timeout for accepting the connections in the backlog, and its maximum in
 * milliseconds: new ones may come without end.
 */
const ACCEPTING = 0.5;
const MAX_ACCEPTING = 5_000;
/** Time that a new connection has for the first byte of its request, in milliseconds. */
const FIRST_BYTE = 1_000;
/** Time between two looks for such a byte, in milliseconds. */
const POLL = 2;
/** Timeout for flushing the log, in milliseconds. */
const LAST_LINES = 500;

/** The parts of a running service that a graceful shutdown closes. */
interface Running {
  /** The contract's listener. */
  readonly server: Server;
  /** The operators' listener, which closes last. */
  readonly admin: Server;
  /** Timeout of the shutdown, in seconds. In-flight requests get all of it except the reserve. */
  readonly timeout: number;
  /** Called at once, to report the service as not ready. */
  readonly onStop: () => void;
  /** Closes the store, after the last response. */
  readonly closeStores: () => Promise<void>;
  readonly log: Logger;
}

/** The open connections, each with the time of its acceptance. */
type Connections = Map<Socket, number>;

/** Creates the graceful shutdown of a service; its first call counts. */
export function stopper(service: Running): () => void {
  const connections: Connections = new Map();
  service.server.on('connection', (socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    void shutDown(service, connections);
  };
}

/**
 * Stops accepting connections, completes in-flight requests and closes the store. The process then
 * ends, by force if something keeps it alive.
 */
async function shutDown(
  { server, admin, timeout, onStop, closeStores, log }: Running,
  connections: Readonly<Connections>,
): Promise<void> {
  const end = performance.now() + timeout * 1000;
  onStop();
  // Node closes idle keep-alive connections, but not busy ones later, nor unused ones.
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // Closes connections that became idle later, and those that never sent a request.
  setInterval(() => {
    for (const [socket, accepted] of connections) {
      if (socket.bytesRead === 0 && !isAwaited(socket, accepted)) socket.destroy();
    }
    if (!areAwaited(connections)) server.closeIdleConnections();
  }, 50).unref();
  const deadline = setTimeout(
    () => {
      log.warn({ timeout }, 'shutdown timeout: in-flight requests are aborted');
      // Includes connections that Node no longer tracks, such as those after a CONNECT.
      for (const socket of connections.keys()) socket.destroy();
    },
    timeout * 1000 - Math.min(timeout * 1000 * RESERVE, MAX_RESERVE),
  );
  await acceptBacklog(server, connections, Math.min(timeout * 1000 * ACCEPTING, MAX_ACCEPTING));
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(deadline);
  try {
    // Does not wait for an unresponsive database beyond the deadline.
    await Promise.race([closeStores(), pause(Math.max(0, end - performance.now()), undefined, { ref: false })]);
    log.info('stopped');
  } finally {
    admin.close();
    admin.closeAllConnections();
    setTimeout(() => process.exit(), LAST_LINES).unref();
  }
}

/**
 * Accepts the connections that wait in the backlog, whose clients may have sent a request: the
 * system resets them when the listener closes. Returns after an event-loop iteration without one,
 * when the accepted ones have been read: Node 26 closes a connection without a request as idle.
 */
async function acceptBacklog(server: Server, connections: Readonly<Connections>, timeout: number): Promise<void> {
  const end = performance.now() + timeout;
  let accepted = 0;
  const count = (): number => ++accepted;
  server.on('connection', count).on('drop', count);
  // The first iteration may have polled for connections before the signal.
  await nextIteration();
  for (let before = -1; before < accepted && performance.now() < end;) {
    before = accepted;
    await nextIteration();
    while (areAwaited(connections) && performance.now() < end) await pause(POLL);
  }
  server.off('connection', count).off('drop', count);
}

/** Whether the first byte of a request may still arrive on some connection. */
function areAwaited(connections: Readonly<Connections>): boolean {
  for (const [socket, accepted] of connections) if (isAwaited(socket, accepted)) return true;
  return false;
}

/** Whether the first byte of a request may still arrive. @param accepted when, in milliseconds. */
function isAwaited(socket: Socket, accepted: number): boolean {
  return socket.bytesRead === 0 && performance.now() - accepted < FIRST_BYTE;
}

/** Shuts down gracefully on SIGINT or SIGTERM; a later second signal ends the process at once. */
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
 * Shuts down after an uncaught exception or an unhandled rejection: the state of the process is
 * unknown. In-flight requests complete, and a new process takes over.
 */
export function stopOnUncaught(stop: () => void, log: Logger): void {
  process.on('uncaughtException', (err, origin) => {
    process.exitCode = 1;
    log.fatal({ err, origin }, 'uncaught exception, shutting down');
    stop();
  });
}
