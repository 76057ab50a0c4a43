import type { IncomingMessage } from 'node:http';
import { connectionOf } from './connection.ts';
import { http } from './node-http.ts';

/**
 * A request with its time of arrival and with guards against floods. docs/architecture.md lists the
 * private parts of Node that it uses and the attack that each stops.
 */
export class ArrivedMessage extends http.IncomingMessage {
  /** When the headers had arrived, by `performance.now()`. */
  readonly arrivedAt = performance.now();
  /** Not a private field: Node sets it in its constructor, before those exist. */
  isUpgrade?: boolean | null | undefined;

  /**
   * Node sets this when another protocol follows, and then stops parsing. Reporting it for
   * destroyed connections stops Node from parsing the rest of 64 KB of requests
   * (http-flood.faults.ts).
   */
  get upgrade(): boolean | null | undefined {
    return this.socket.destroyed || this.isUpgrade;
  }

  set upgrade(upgrade: boolean | null | undefined) {
    this.isUpgrade = upgrade;
  }

  /**
   * Node calls this with each part of the body, and with null at its end. Destroys the connection
   * of a client that sends its body in parts of a few bytes (http-flood.faults.ts).
   */
  override push(part: Uint8Array | null): boolean {
    if (part !== null && !connectionOf(this.socket).takesBytes(part)) {
      this.socket.destroy();
      return false;
    }
    return super.push(part);
  }

  /**
   * Node calls this to discard the rest of a request that was answered early. Reading it instead
   * keeps the guard of `push` in force.
   */
  _dump(): void {
    this.removeAllListeners('data');
    this.resume();
  }
}

/** When a request had arrived, by `performance.now()`; now, for a request of another server. */
export function arrivalOf(request: IncomingMessage): number {
  return request instanceof ArrivedMessage ? request.arrivedAt : performance.now();
}
