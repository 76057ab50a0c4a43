/** The outcome of a request, for metrics. */
export interface Answered {
  /** The operationId; `docs` for the API reference; undefined when nothing matched. */
  readonly operation: string | undefined;
  readonly status: number;
  /** From its arrival to its response. */
  readonly seconds: number;
  /** The reason of its error; undefined when the handler answered. */
  readonly reason: string | undefined;
}
