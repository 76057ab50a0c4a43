import { secondsOf } from './retry-after.ts';

/**
 * What became of a request that failed: `nothing done` when the service says so, or was never reached; `unknown` when this
 * request, or an earlier attempt of it, may have been carried out all the same.
 */
export type Outcome = 'nothing done' | 'unknown';

interface Details {
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

/** A call that failed. Every failure but the caller's own (wrong arguments, an aborted signal) is one of its subclasses. */
export abstract class PlantStoreError extends Error {
  /** What kind of failure this is; TypeScript narrows {@link ClientError} by it. */
  abstract readonly kind: 'response' | 'connection' | 'timeout';
  readonly outcome: Outcome;

  constructor(message: string, { outcome, cause }: Details) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

/** What a {@link ResponseError} was made of. */
export interface ResponseDetails extends Details {
  readonly status: number;
  readonly code: number | undefined;
  readonly headers: Headers;
}

/** The service answered, with something other than success. Its message is the answer's own. */
export class ResponseError extends PlantStoreError {
  override readonly name = 'ResponseError';
  override readonly kind = 'response';
  /** The status of HTTP. */
  readonly status: number;
  /** The contract's stable code, such as 40401; undefined when the answer is not the service's, a proxy's for example. */
  readonly code: number | undefined;
  /** Under which the service's log has this request. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the request is repeated; undefined when the answer does not say. */
  readonly retryAfter: number | undefined;
  /** The headers of the answer; `WWW-Authenticate` of a 403 names the scopes that are required. */
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

/** There was no answer: the service cannot be reached, or the connection broke. `cause` is what `fetch` said. */
export class ConnectionError extends PlantStoreError {
  override readonly name = 'ConnectionError';
  override readonly kind = 'connection';
}

/** There was no answer in time. */
export class TimeoutError extends PlantStoreError {
  override readonly name = 'TimeoutError';
  override readonly kind = 'timeout';
}

/** Each way in which a call can fail. */
export type ClientError = ResponseError | ConnectionError | TimeoutError;
