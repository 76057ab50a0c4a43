import { IncomingMessage } from 'node:http';
import type { ErrorName } from './errors.ts';

/** What became of a request. */
export interface Answered {
  /** Its operationId; undefined when it was for none. */
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
}

/** When a request had arrived, in milliseconds of `performance.now()`; now, for one of another server than ours. */
export function arrivalOf(request: IncomingMessage): number {
  return request instanceof ArrivedMessage ? request.arrivedAt : performance.now();
}
