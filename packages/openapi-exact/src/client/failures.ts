import { foreignOrigin } from './browser-origin.ts';
import { ConnectionError, ResponseError, TimeoutError, type Outcome } from './client-error.ts';
import type { ClientSettings } from './client-options.ts';
import { describeErrorOf } from './describe-error.ts';

/** The bounds of an attempt. */
export interface AttemptBounds {
  /** Timeout of the attempt, in milliseconds. */
  readonly timeout: number;
  /** The timeout in the message of a {@link TimeoutError}, such as `within 500 ms`. */
  readonly limit: string;
  /** Whether an earlier attempt may have been carried out; then every failure is `unknown`. */
  readonly isUnclear: boolean;
}

/** Node's codes for a connection that was never established; browsers have none. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** The error of an attempt without a complete response. @param cause the error of `fetch`. */
export function connectionError(cause: unknown, { baseUrl }: ClientSettings, bounds: AttemptBounds): ConnectionError {
  const { code, message } = failureReason(cause);
  const isUnconnected = NOT_CONNECTED.includes(code);
  const what = `${isUnconnected ? 'No connection to' : 'No response from'} the service at ${baseUrl}: ${message}.`;
  return new ConnectionError(what + corsHint(baseUrl), { outcome: failureOutcome(isUnconnected, bounds), cause });
}

/** The error of an attempt that took too long. */
export function timeoutError({ baseUrl }: ClientSettings, { limit }: AttemptBounds): TimeoutError {
  return new TimeoutError(`No response from the service at ${baseUrl} ${limit}.`, { outcome: 'unknown' });
}

/** The error of a success whose body is too long. */
export function tooLongError(
  { baseUrl, maxResponseBytes }: ClientSettings,
  method: string,
  { status, headers }: Response,
): ResponseError {
  const message = `${method} was answered with ${status} and more than ${maxResponseBytes} bytes, the most that maxResponseBytes allows: is there the service at ${baseUrl}?`;
  return new ResponseError(message, { status, headers, outcome: 'unknown' });
}

/** What was read of an error: its body, or why there is none. */
interface ReadError {
  readonly body: unknown;
  readonly problem: string | undefined;
}

/** The error of an unsuccessful response. */
export function responseError(
  { baseUrl, describeError }: ClientSettings,
  request: Request,
  { status, headers }: Response,
  { body, problem }: ReadError,
  bounds: AttemptBounds,
): ResponseError {
  const { message, code, isNothingDone } =
    describeError === undefined ? describeErrorOf(request, body, status) : describeError(body, status);
  const missing =
    problem ??
    (status < 400 ? 'which the contract does not declare as a success' : 'without a description of the error');
  return new ResponseError(
    message ?? `${request.method} was answered with ${status}, ${missing}: is there the service at ${baseUrl}?`,
    { status, code, body, headers, outcome: failureOutcome(isNothingDone ?? (status >= 400 && status < 500), bounds) },
  );
}

function failureOutcome(isNothingDone: boolean, { isUnclear }: AttemptBounds): Outcome {
  return isNothingDone && !isUnclear ? 'nothing done' : 'unknown';
}

/** What a browser does not tell a program, but writes on its console. */
function corsHint(baseUrl: string): string {
  const origin = foreignOrigin(baseUrl);
  if (origin === undefined) return '';
  return ` If it is running, it may not allow pages of ${origin} (CORS): allow this origin there, or serve this page and the service under one origin.`;
}

/**
 * The cause of Node's `TypeError: fetch failed`. Reads properties, since the error may come from
 * another realm.
 */
function failureReason(thrown: unknown): { code: string; message: string } {
  const { cause } = Object(thrown) as { cause?: unknown };
  const { code = '', message = '' } = Object(cause ?? thrown) as { code?: unknown; message?: unknown };
  // For a host with several addresses, Node throws an AggregateError without a message.
  return { code: String(code), message: String(message === '' ? code : message) };
}
