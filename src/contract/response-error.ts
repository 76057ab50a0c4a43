/** A bug: a handler's response that the contract does not declare. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  /** The operationId. */
  readonly operation: string;
  /** The status of the response. */
  readonly status: number;
  /** The place in the body, such as `/plants/0/id`, if the body is wrong. */
  readonly schemaPath: string | undefined;

  /** @param cause the validator's error. */
  constructor(message: string, operation: string, status: number, cause: unknown) {
    super(message, { cause });
    this.operation = operation;
    this.status = status;
    this.schemaPath = placeOf(cause);
  }
}

/** The first place that express-openapi-validator names, from the body on. */
function placeOf(cause: unknown): string | undefined {
  if (!(cause instanceof Object)) return undefined;
  if ('errors' in cause && Array.isArray(cause.errors)) {
    const [first] = cause.errors as readonly unknown[];
    // The first two tokens are the validator's own.
    if (first instanceof Object && 'path' in first) return `/${String(first.path).split('/').slice(3).join('/')}`;
  }
  return 'cause' in cause ? placeOf(cause.cause) : undefined;
}
