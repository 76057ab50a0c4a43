/**
 * The outcome of a failed request: `nothing done` if the service says so or was not reached;
 * `unknown` if this attempt or an earlier one may have been carried out.
 */
export type Outcome = 'nothing done' | 'unknown';

interface Details {
  readonly outcome: Outcome;
  readonly cause?: unknown;
}

/**
 * A failed call. Wrong arguments and an aborted signal cause other errors.
 * @example if (error instanceof ClientError && error.outcome === 'nothing done') await again();
 */
export abstract class ClientError extends Error {
  /** The kind of failure. */
  abstract readonly kind: 'response' | 'connection' | 'timeout';
  readonly outcome: Outcome;

  constructor(message: string, { outcome, cause }: Details) {
    super(message, { cause });
    this.outcome = outcome;
  }
}

/** What the body of an unsuccessful response says. */
export interface ErrorDescription {
  /** The message of the error. */
  readonly message?: string | undefined;
  /** A stable code of the service, for programs. */
  readonly code?: string | number | undefined;
  /** Whether the service states that it did nothing. By default, a status of 4xx does. */
  readonly isNothingDone?: boolean | undefined;
}

/** The data of a {@link ResponseError}. */
interface ResponseDetails extends Details, Pick<ErrorDescription, 'code'> {
  readonly status: number;
  readonly body?: unknown;
  readonly headers: Headers;
}

/**
 * An unsuccessful response. Its message comes from the response.
 * @example if (error instanceof ResponseError && error.status === 404) return undefined;
 */
export class ResponseError extends ClientError {
  override readonly name = 'ResponseError';
  override readonly kind = 'response';
  /** The HTTP status. */
  readonly status: number;
  /** The body: JSON parsed, or a string for `text/*`; undefined for anything else. */
  readonly body: unknown;
  /** The stable code in the body; undefined in a response of a proxy. */
  readonly code: string | number | undefined;
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry; undefined without Retry-After. */
  readonly retryAfter: number | undefined;
  /** The response headers; `WWW-Authenticate` of a 403 names the required scopes. */
  readonly headers: Headers;

  constructor(message: string, details: ResponseDetails) {
    super(message, details);
    this.status = details.status;
    this.body = details.body;
    this.code = details.code;
    this.requestId = details.headers.get('X-Request-Id') ?? undefined;
    this.retryAfter = secondsOf(details.headers.get('Retry-After'));
    this.headers = details.headers;
  }
}

/**
 * The service cannot be reached, or the connection broke. `cause` is the error of `fetch`.
 * @example if (error instanceof ConnectionError) showOffline(error.message);
 */
export class ConnectionError extends ClientError {
  override readonly name = 'ConnectionError';
  override readonly kind = 'connection';
}

/**
 * The response did not arrive in time.
 * @example if (error instanceof TimeoutError) console.warn(error.message);
 */
export class TimeoutError extends ClientError {
  override readonly name = 'TimeoutError';
  override readonly kind = 'timeout';
}

/**
 * Parses Retry-After: seconds, or a date (RFC 9110, section 10.2.3), which proxies may send.
 * @returns seconds from now; undefined without a valid value.
 */
function secondsOf(retryAfter: string | null): number | undefined {
  // Node keeps trailing white space in field values.
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const date = new Date(text);
  // The preferred format (RFC 9110, section 5.6.7) is that of toUTCString. Date reads others, too.
  if (Number.isNaN(date.getTime()) || date.toUTCString() !== text) return undefined;
  return Math.max(0, (date.getTime() - Date.now()) / 1000);
}
