import { IncomingMessage } from 'node:http';
import type { ErrorName } from '../errors.ts';
import { connectionOf } from './connection.ts';

/** What became of a request. */
export interface Answered {
  /** Its operationId; `docs` for the API reference, undefined when it was for neither. */
  readonly operation: string | undefined;
  readonly status: number;
  /** From its arrival to its answer. */
  readonly seconds: number;
  /** The name of its error in errors.ts; undefined for what the handler answered. */
  readonly reason: ErrorName | undefined;
}

/** A request that knows when its headers had arrived, by `performance.now()`. */
export class ArrivedMessage extends IncomingMessage {
  readonly arrivedAt = performance.now();
  /** Not private: Node sets it in its own constructor, before this class has private fields. */
  isUpgrade?: boolean | null | undefined;

  /**
   * Whether what follows on the connection is no HTTP, which Node writes here and reads before it makes a response. So it is behind a request whose
   * connection was destroyed: otherwise Node makes requests of all the 64 KB that it reads at once, and 100 clients that sent 256 KiB of them each
   * stopped all others for 3 to 6 seconds (test/resilience/http-flood.faults.ts). Neither Node's documentation nor its types know of this property.
   */
  get upgrade(): boolean | null | undefined {
    return this.socket.destroyed || this.isUpgrade;
  }

  set upgrade(upgrade: boolean | null | undefined) {
    this.isUpgrade = upgrade;
  }

  /**
   * Node calls this with each part of the body, and null behind the last. Whoever sends bodies in parts of a few bytes has no other purpose than to keep
   * the process busy, and Node makes an object of each: 100 clients without a token that sent 256 KiB so stopped all others for 3.4 seconds and more
   * (test/resilience/http-flood.faults.ts).
   */
  override push(part: Uint8Array | null): boolean {
    if (part !== null && !connectionOf(this.socket).takes(part)) {
      this.socket.destroy();
      return false;
    }
    return super.push(part);
  }

  /**
   * Node calls this when the answer was given before the request had come as a whole, and would throw the rest away without a call of `push`. Neither
   * its documentation nor its types know of this method; without it such a rest is bounded by its size alone.
   */
  _dump(): void {
    this.removeAllListeners('data');
    this.resume();
  }
}

/** When a request had arrived, in milliseconds of `performance.now()`; now, for one of another server than ours. */
export function arrivalOf(request: IncomingMessage): number {
  return request instanceof ArrivedMessage ? request.arrivedAt : performance.now();
}
