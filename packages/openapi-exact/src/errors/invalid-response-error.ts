import { requirementOf, type Audience, type Fault, type Limits } from './limits.ts';

/** A part of a message that is not as the contract describes it. */
export class MismatchError extends Error implements Fault {
  override readonly name = 'MismatchError';
  /**
   * A JSON pointer to it. In a response it starts at the body, such as `/notes/0/id`, or names the
   * header, such as `/Retry-After`; in a request its first key is the name of the part.
   */
  readonly place: string;
  /** The keyword of the contract that is not met. */
  readonly keyword: string;
  readonly limits: Limits;

  /** @param audience of the message: the author of a handler by default. */
  constructor({ place, keyword, limits }: Fault, options: ErrorOptions & { readonly audience?: Audience } = {}) {
    // The error that it is the cause of has the stack.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    // At the top the message that goes on with it has named the body already.
    const requirement = requirementOf(limits, options.audience ?? 'handler');
    super(`${place === '' || place === '/' ? 'it' : place} ${requirement}`, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.place = place;
    this.keyword = keyword;
    this.limits = limits;
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
