/** The keyword that a value does not meet; a function where that depends on the value. */
export type UnmetKeyword = string | ((value: unknown) => string);

/** A part of a message that is not as the contract describes it. */
export class MismatchError extends Error {
  override readonly name = 'MismatchError';
  /**
   * A JSON pointer to it. In a response it starts at the body, such as `/notes/0/id`, or names the
   * header, such as `/Retry-After`; in a request its first key is the name of the part.
   */
  readonly place: string;
  /** What must be there; follows the place in a message. */
  readonly requirement: string;
  /** The keyword of the contract that is not met. */
  readonly keyword: UnmetKeyword;

  constructor(place: string, requirement: string, options: ErrorOptions & { readonly keyword?: UnmetKeyword } = {}) {
    // The error that it is the cause of has the stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    // At the top the message that goes on with it has named the body already.
    super(`${place === '' || place === '/' ? 'it' : place} ${requirement}`, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.place = place;
    this.requirement = requirement;
    this.keyword = options.keyword ?? 'type';
  }
}

/**
 * A bug: a handler's response that the contract does not declare. It is answered 500.
 * @example
 * onError: ({ error }) => {
 *   if (error instanceof InvalidResponseError) alarm(error.message);
 *   return undefined;
 * }
 */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError';
  /** The status of the response. */
  readonly status: number;
  /** The place of a {@link MismatchError}, if that is the cause. */
  readonly schemaPath: string | undefined;

  constructor(message: string, status: number, cause: unknown) {
    super(message, { cause });
    this.status = status;
    this.schemaPath = cause instanceof MismatchError ? cause.place : undefined;
  }
}
