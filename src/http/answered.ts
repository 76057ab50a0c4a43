import type { ErrorName } from '../errors.ts';

/** The outcome of a request, for metrics. */
export interface Answered {
  /** The operationId; `docs` for the API reference; undefined when nothing matched. */
  readonly operation: string | undefined;
  readonly status: number;
  /** From its arrival to its response. */
  readonly seconds: number;
  /** The name of its error in errors.ts; undefined when the handler answered. */
  readonly reason: ErrorName | undefined;
}
