/** A part of a response that is not as the contract describes it. */
export class MismatchError extends Error {
  override readonly name = 'MismatchError';
  /** Where it is in the body, such as `/plants/0/id`, or the header as `/Retry-After`. */
  readonly place: string;

  constructor(place: string, requirement: string, options?: ErrorOptions) {
    super(`${place} ${requirement}`, options);
    this.place = place;
  }
}

/** A bug: a handler's response that the contract does not declare. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  /** The operationId. */
  readonly operation: string;
  /** The status of the response. */
  readonly status: number;
  /** The place of a {@link MismatchError}, if that is the cause. */
  readonly schemaPath: string | undefined;

  constructor(message: string, operation: string, status: number, cause: unknown) {
    super(message, { cause });
    this.operation = operation;
    this.status = status;
    this.schemaPath = placeOf(cause);
  }
}

function placeOf(cause: unknown): string | undefined {
  if (cause instanceof MismatchError) return cause.place;
  return cause instanceof Error ? placeOf(cause.cause) : undefined;
}
