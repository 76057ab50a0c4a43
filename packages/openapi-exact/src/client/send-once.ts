import { abortable, TIME_IS_OVER } from './abortable.ts';
import { foreignOrigin } from './browser-origin.ts';
import { ConnectionError, ResponseError, TimeoutError, type ClientError, type Outcome } from './client-error.ts';
import type { DescribeError } from './describe-error.ts';
import { readBytes } from './read-bytes.ts';
import type { Token } from './token.ts';

/** Options for sending a call. Times are in milliseconds; Infinity means no limit. */
export interface CallSending {
  /** The URL of the service, for messages. */
  readonly baseUrl: string;
  readonly token: Token | undefined;
  /** Timeout of the call with all its attempts. */
  readonly timeout: number;
  /** Timeout of one attempt. */
  readonly attemptTimeout: number;
  /** Maximum number of retries. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  /** True for a status that the contract declares as a success of this operation. */
  readonly isSuccess: (status: number) => boolean;
  /** Maximum bytes of a success body. */
  readonly maxResponseBytes: number;
  /** Reads the body of an unsuccessful response. */
  readonly readError: (response: Response, bytes: Uint8Array) => unknown;
  readonly describeError: DescribeError;
}

/** One attempt of a request; its timeout is that of the attempt. */
interface Attempt extends Omit<CallSending, 'token' | 'attemptTimeout' | 'retries'> {
  /** The timeout in the message of a {@link TimeoutError}, such as `within 500 ms`. */
  readonly limit: string;
  /** Whether an earlier attempt may have been carried out; then every failure is `unknown`. */
  readonly isUnclear: boolean;
}

/** Maximum bytes of an error body. */
const MAX_ERROR_BYTES = 1_048_576;
/** Node's codes for a connection that was never established; browsers have none. */
const NOT_CONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Sends a request once and reads the whole response.
 * @returns the response, or the error.
 * @throws the reason of the caller's signal.
 */
export async function sendOnce(request: Request, attempt: Attempt): Promise<Response | ClientError> {
  const place = `the service at ${attempt.baseUrl}`;
  try {
    return await abortable(attempt, async (signal) => {
      const response = await fetch(request, { signal });
      const isSuccess = attempt.isSuccess(response.status);
      const bytes = await readBytes(response, isSuccess ? attempt.maxResponseBytes : MAX_ERROR_BYTES);
      if (!isSuccess) return responseError(request.method, place, response, bytes, attempt);
      if (bytes === undefined) return tooLong(request.method, place, response, attempt.maxResponseBytes);
      // The body was consumed, so it is replaced. 204 and 205 must have none.
      return new Response(bytes.length === 0 ? null : bytes, response);
    });
  } catch (cause) {
    attempt.signal?.throwIfAborted();
    if (cause === TIME_IS_OVER) {
      return new TimeoutError(`No response from ${place} ${attempt.limit}.`, { outcome: 'unknown' });
    }
    const { code, message } = failureReason(cause);
    const isUnconnected = NOT_CONNECTED.includes(code);
    const what = `${isUnconnected ? 'No connection to' : 'No response from'} ${place}: ${message}.`;
    return new ConnectionError(what + corsHint(attempt.baseUrl), {
      outcome: failureOutcome(isUnconnected, attempt),
      cause,
    });
  }
}

function failureOutcome(isNothingDone: boolean, { isUnclear }: Attempt): Outcome {
  return isNothingDone && !isUnclear ? 'nothing done' : 'unknown';
}

/** What a browser does not tell a program, but writes on its console. */
function corsHint(baseUrl: string): string {
  const origin = foreignOrigin(baseUrl);
  if (origin === undefined) return '';
  return ` If it is running, it may not allow pages of ${origin} (CORS): allow this origin there, or serve this page and the service under one origin.`;
}

function tooLong(method: string, place: string, { status, headers }: Response, limit: number): ResponseError {
  const message = `${method} was answered with ${status} and more than ${limit} bytes, the most that maxResponseBytes allows: is there ${place}?`;
  return new ResponseError(message, { status, code: undefined, body: undefined, headers, outcome: 'unknown' });
}

/** @param bytes is undefined when there are too many. */
function responseError(
  method: string,
  place: string,
  response: Response,
  bytes: Uint8Array | undefined,
  attempt: Attempt,
): ResponseError {
  const { status, headers } = response;
  const body = bytes && attempt.readError(response, bytes);
  const { message, code, isNothingDone } = attempt.describeError(body, status);
  const missing =
    bytes === undefined
      ? `with a body of more than ${MAX_ERROR_BYTES} bytes`
      : status < 400
        ? 'which the contract does not declare as a success'
        : 'without a description of the error';
  return new ResponseError(message ?? `${method} was answered with ${status}, ${missing}: is there ${place}?`, {
    status,
    code,
    body,
    headers,
    outcome: failureOutcome(isNothingDone ?? (status >= 400 && status < 500), attempt),
  });
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
