import type { Socket } from 'node:net';

/**
 * How long a connection may be idle while it has a stream to send, in milliseconds. The odd one
 * tells it from what Node.js sets for a connection without a request.
 */
const IDLE_TIMEOUT = 60_001;

/** The number of streams of a connection whose server has no timeout. */
const STREAMS = new WeakMap<Socket, number>();

/**
 * Lets a connection time out while it has a stream to send, where its server has no `timeout` of
 * its own, as with `app.listen`. Node.js then closes it, which ends the stream.
 * @returns a function to be called when the stream is over.
 */
export function holdIdleTimeout(socket: Socket): () => void {
  const streams = STREAMS.get(socket);
  // Unset before the first use.
  const timeout: number | undefined = socket.timeout;
  if (streams === undefined && timeout !== undefined && timeout !== 0) return () => undefined;
  STREAMS.set(socket, (streams ?? 0) + 1);
  socket.setTimeout(IDLE_TIMEOUT);
  return () => {
    const others = (STREAMS.get(socket) ?? 1) - 1;
    if (others > 0) {
      STREAMS.set(socket, others);
      return;
    }
    STREAMS.delete(socket);
    if (socket.timeout === IDLE_TIMEOUT) socket.setTimeout(0);
  };
}
