import { RequestError, type RequestErrorOptions } from 'openapi-exact';

/** Error codes with their meaning: status × 100 + n. Codes never change. */
export type ErrorTable = Readonly<Record<string, { readonly code: number; readonly meaning: string }>>;

/**
 * The error codes by the reason of the failure: those of openapi-exact and the service's own;
 * plants/handlers.ts has those of the plants. `info.description` in openapi.yaml lists all of them.
 */
export const ERRORS = {
  malformedHttp: { code: 40000, meaning: 'The request is not well-formed HTTP.' },
  invalidParameter: { code: 40001, meaning: 'A parameter is missing or does not match the contract.' },
  unknownQueryParameter: { code: 40002, meaning: 'A query parameter is not in the contract.' },
  unexpectedBody: { code: 40003, meaning: 'The operation takes no request body, but the request has one.' },
  malformedUrl: { code: 40004, meaning: 'The URL is malformed, for example in its percent-encoding.' },
  repeatedHeader: { code: 40005, meaning: 'A header that must not repeat was sent more than once.' },
  malformedBody: { code: 40006, meaning: 'The request body is not well-formed JSON.' },
  invalidBody: { code: 40007, meaning: 'The request body does not match the contract.' },
  noCredentials: { code: 40100, meaning: 'The request has no access token.' },
  invalidCredentials: { code: 40101, meaning: 'The access token is malformed, unknown, expired or revoked.' },
  insufficientScope: { code: 40300, meaning: 'The access token lacks a required scope.' },
  unknownPath: { code: 40400, meaning: 'The path is not in the contract.' },
  methodNotAllowed: { code: 40500, meaning: 'The contract has other methods for this path; Allow lists them.' },
  notAcceptable: { code: 40600, meaning: 'The operation has no response of a media type in Accept.' },
  requestTimeout: { code: 40800, meaning: 'The request did not arrive in time.' },
  preconditionFailed: { code: 41200, meaning: 'If-Match or If-None-Match is false; nothing was done.' },
  bodyTooLarge: { code: 41300, meaning: 'The request body is too large.' },
  unsupportedMediaType: {
    code: 41500,
    meaning: 'The operation does not accept the type or encoding of the request body.',
  },
  expectationFailed: { code: 41700, meaning: 'The service cannot meet the Expect header.' },
  misdirected: { code: 42100, meaning: 'The URL is https, but the request came without TLS.' },
  tooManyFailures: { code: 42900, meaning: 'Too many authentications from this address have failed.' },
  tooManyRequests: { code: 42901, meaning: 'This access token exceeded its rate limit.' },
  headersTooLarge: { code: 43100, meaning: 'The request line and headers are too large or too many.' },
  internal: { code: 50000, meaning: 'The service failed unexpectedly.' },
  methodNotImplemented: { code: 50100, meaning: 'The service does not implement the method.' },
  storeUnavailable: { code: 50300, meaning: 'The store is unavailable; nothing was done.' },
  outcomeUnknown: {
    code: 50301,
    meaning: 'The store failed at the commit; the outcome is unknown, repeating is safe.',
  },
  overloaded: { code: 50302, meaning: 'The service is overloaded; nothing was done.' },
  providerUnavailable: { code: 50303, meaning: 'The identity provider is unavailable; nothing was done.' },
} as const satisfies ErrorTable;

/** The name of a row in {@link ERRORS}. */
export type ErrorName = keyof typeof ERRORS;

/** The contract's `Error` object: the body of every error response. */
export interface ErrorBody {
  error: number;
  message: string;
}

/** The `Error` object of a failure; `message` names the mistake and the correction. */
export function errorObject({ code }: ErrorTable[string], message: string): ErrorBody {
  return { error: code, message };
}

/** What a message of openapi-exact says in this service, where it can say more. */
const OWN_MESSAGES: Readonly<Record<string, string>> = {
  invalidCredentials: 'The access token is not valid: ask the operator of the service for a new one.',
};

/** The body of a failed request. */
export function errorBody({ reason, message }: RequestError): ErrorBody {
  return errorObject(ERRORS[isErrorName(reason) ? reason : 'internal'], OWN_MESSAGES[reason] ?? message);
}

function isErrorName(reason: string): reason is ErrorName {
  return Object.hasOwn(ERRORS, reason);
}

/** A failure with a code of {@link ERRORS}. */
export class ServiceError extends RequestError {
  constructor(reason: ErrorName, message: string, options?: RequestErrorOptions) {
    super(reason, message, { ...options, status: Math.floor(ERRORS[reason].code / 100) });
  }
}

/** A failure of the store. `outcome` tells whether the work may have been done. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  readonly outcome: 'nothing done' | 'unknown';

  constructor(message: string, outcome: 'nothing done' | 'unknown', options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

/** The store is overloaded and has not begun the work. */
export class OverloadError extends StoreError {
  constructor(message: string) {
    // Without a stack, since overload creates many of them.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, 'nothing done');
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An error that the operator can correct. Its message is one line, for standard error or log. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The database server is unreachable or refuses connections, perhaps temporarily. */
export class DatabaseUnreachableError extends OperatorError {}

/**
 * The message of a thrown value. Node's errors may come from another realm, where `instanceof
 * Error` is false.
 */
export function messageOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown ? String(thrown.message) : String(thrown);
}

/** The code of a thrown value, such as ENOENT or SQLITE_FULL; '' without one. */
export function codeOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : '';
}
