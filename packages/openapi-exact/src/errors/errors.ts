/** The statuses of the refusals that this library makes itself, by reason. Reasons never change. */
export const STATUSES = {
  malformedHttp: 400,
  malformedUrl: 400,
  repeatedHeader: 400,
  invalidParameter: 400,
  unknownQueryParameter: 400,
  unexpectedBody: 400,
  malformedBody: 400,
  invalidBody: 400,
  noCredentials: 401,
  invalidCredentials: 401,
  insufficientScope: 403,
  unknownPath: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  preconditionFailed: 412,
  bodyTooLarge: 413,
  unsupportedMediaType: 415,
  internal: 500,
  notImplemented: 501,
  overloaded: 503,
} as const;

/**
 * Why this library refuses a request.
 * @example throw new RequestError('insufficientScope', 'Only an owner may delete a todo.');
 */
export type Reason = keyof typeof STATUSES;

/**
 * A fault of a request, for programs.
 * @example { in: 'body', pointer: '/tags/0', keyword: 'type', message: '… must be a string' }
 */
export interface RequestFault {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body';
  /**
   * In a body, a JSON pointer (RFC 6901): '' is the body itself. Elsewhere the parameter's name and
   * the pointer into its value: `page`, `ids/1`.
   */
  readonly pointer: string;
  /**
   * The keyword of the contract that failed, such as `required`; `additionalProperties` for an
   * undeclared name, `contentMediaType` for a malformed text.
   */
  readonly keyword: string;
  /** A sentence that says what would be right. It shows no secret. */
  readonly message: string;
}

/**
 * Options of a {@link RequestError}.
 * @example
 * const headers = { 'Retry-After': '1' };
 * throw new RequestError('overloaded', 'Try again later.', { headers, cause: error });
 */
export interface RequestErrorOptions {
  /** Headers of the response. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The thrown cause; logs show it, clients never see it. */
  readonly cause?: unknown;
  /**
   * 'unknown' if the request may have had its effect all the same; 'nothing done' by default, and
   * always what the client of this library takes `overloaded` for.
   */
  readonly outcome?: 'nothing done' | 'unknown' | undefined;
  /** What is wrong with the request, place by place; nothing by default. */
  readonly faults?: readonly RequestFault[] | undefined;
}

/** Characters that the value of a header cannot have (RFC 9110, section 5.5). */
const NO_HEADER_TEXT = /[^\t\x20-\x7e\x80-\xff]+/;

/** A text without the characters that the value of a header cannot have. */
export function asHeaderValue(text: string): string {
  return NO_HEADER_TEXT.test(text) ? text.split(NO_HEADER_TEXT).join('') : text;
}

/**
 * A failure with its response: a status, a stable reason for programs, and a sentence for people
 * that says what would be right. Handlers, verifiers and guards may throw their own.
 * @example throw new RequestError('overdrawn', 'The account has no money left.', { status: 402 });
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly reason: string;
  readonly status: number;
  /** Without characters that a header cannot have: a challenge may repeat what a client sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly outcome: 'nothing done' | 'unknown';
  /** What is wrong with the request, place by place: of an invalid one the first five faults. */
  readonly faults: readonly RequestFault[];

  /**
   * @param reason one of the library's, which has its status, or another with a status of its own.
   * @param message one line; line breaks in it are replaced.
   * @throws RangeError for a status that is not from 400 to 599.
   */
  constructor(reason: Reason, message: string, options?: RequestErrorOptions);
  constructor(reason: string, message: string, options: RequestErrorOptions & { readonly status: number });
  constructor(reason: string, message: string, options: RequestErrorOptions & { readonly status?: number } = {}) {
    // A refusal is not a bug, and a stack is slow to create. Bugs have a cause.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(/\p{Cc}/u.test(message) ? message.replaceAll(/\p{Cc}/gu, '\uFFFD') : message, options);
    Error.stackTraceLimit = stackTraceLimit;
    this.reason = reason;
    // Safe: without a status the reason is one of the library's, as the first signature says.
    this.status = options.status ?? STATUSES[reason as Reason];
    if (!isFailure(this.status)) {
      throw new RangeError(`The status of the RequestError '${reason}' must be from 400 to 599, not ${this.status}.`);
    }
    this.headers = options.headers === undefined ? NO_HEADERS : asHeaders(options.headers);
    this.outcome = options.outcome ?? 'nothing done';
    this.faults = options.faults ?? NO_FAULTS;
  }
}

const NO_HEADERS: RequestError['headers'] = Object.freeze({});
const NO_FAULTS: RequestError['faults'] = Object.freeze([]);

function asHeaders(headers: Readonly<Record<string, string>>): RequestError['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asHeaderValue(value)]));
}

function isFailure(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status < 600;
}

/** At most so many faults of a request are named. */
export const MOST_FAULTS = 5;

/** A refusal of a request in which there may be other faults. */
export class InvalidRequestError extends RequestError {
  readonly #all: () => readonly RequestError[] | Promise<readonly RequestError[]>;

  /** @param all finds the refusals for all faults, this one first. */
  constructor(first: RequestError, all: () => readonly RequestError[] | Promise<readonly RequestError[]>) {
    super(first.reason, first.message, { status: first.status, faults: first.faults });
    this.#all = all;
  }

  /** One refusal that names all faults. */
  async allFaults(): Promise<RequestError> {
    const refusals = await this.#found();
    const [first = this, ...laterRefusals] = refusals;
    if (laterRefusals.length === 0) return first;
    const message = refusals.map((refusal) => refusal.message).join(' ');
    const faults = refusals.flatMap((refusal) => refusal.faults);
    return new RequestError(this.reason, message, { status: this.status, faults });
  }

  async #found(): Promise<readonly RequestError[]> {
    try {
      return await this.#all();
    } catch {
      // A request may be readable up to its first fault only, or too large to check as a whole.
      return [this];
    }
  }
}

/**
 * A mistake of the author of a service: a contract that cannot be read, or handlers and verifiers
 * that do not fit it. The message says what would be right.
 * @example The operation getTodo (GET /todos/{id}) has no handler.
 */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';
}

/**
 * The message of a thrown value. Node's errors may come from another realm, where `instanceof
 * Error` is false.
 */
export function messageOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown);
}

/** The code of a thrown value, such as ECONNRESET; '' without one. */
export function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
}
