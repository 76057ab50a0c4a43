/** A bug: a handler's response that the contract does not declare. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  /** The operationId. */
  readonly operation: string;
  /** The status of the response. */
  readonly status: number;
  /** The place in the response, such as `/response/plants/0/id`, if its body is wrong. */
  readonly schemaPath: string | undefined;

  /** @param cause the validator's error. */
  constructor(message: string, operation: string, status: number, cause: unknown) {
    super(message, { cause });
    this.operation = operation;
    this.status = status;
    this.schemaPath = placeOf(cause);
  }
}

/** The first place that express-openapi-validator names. */
function placeOf(cause: unknown): string | undefined {
  if (typeof cause !== 'object' || cause === null || !('errors' in cause) || !Array.isArray(cause.errors)) {
    return undefined;
  }
  const [first] = cause.errors as readonly unknown[];
  return typeof first === 'object' && first !== null && 'path' in first ? String(first.path) : undefined;
}
