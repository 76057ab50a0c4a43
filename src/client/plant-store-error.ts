import { secondsOf } from './retry-after.ts';

/**
 * The outcome of a failed request: `nothing done` if the service says so or was not reached;
 * `unknown` if this attempt or an earlier one may have been carried out.
 */
export type Outcome = 'nothing done' | 'unknown';

interface Details {
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

/** A failed call. Wrong arguments and an aborted signal cause other errors. */
export abstract class PlantStoreError extends Error {
  /** The kind of failure; TypeScript narrows {@link ClientError} by it. */
  abstract readonly kind: 'response' | 'connection' | 'timeout';
  readonly outcome: Outcome;

  constructor(message: string, { outcome, cause }: Details) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

/** The data of a {@link ResponseError}. */
export interface ResponseDetails extends Details {
  readonly status: number;
  readonly code: number | undefined;
  readonly headers: Headers;
}

/** An unsuccessful response. Its message comes from the response. */
export class ResponseError extends PlantStoreError {
  override readonly name = 'ResponseError';
  override readonly kind = 'response';
  /** The HTTP status. */
  readonly status: number;
  /**
   * The contract's stable code, such as 40401; undefined for a response of a proxy, for example.
   */
  readonly code: number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry; undefined without Retry-After. */
  readonly retryAfter: number | undefined;
  /** The response headers; `WWW-Authenticate` of a 403 names the required scopes. */
  readonly headers: Headers;

  constructor(message: string, details: ResponseDetails) {
    super(message, details);
    this.status = details.status;
    this.code = details.code;
    this.requestId = details.headers.get('X-Request-Id') ?? undefined;
    this.retryAfter = secondsOf(details.headers.get('Retry-After'));
    this.headers = details.headers;
  }
}

/** The service cannot be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends PlantStoreError {
  override readonly name = 'ConnectionError';
  override readonly kind = 'connection';
}

/** The response did not arrive in time. */
export class TimeoutError extends PlantStoreError {
  override readonly name = 'TimeoutError';
  override readonly kind = 'timeout';
}

/** Every error of a failed call. */
export type ClientError = ResponseError | ConnectionError | TimeoutError;
