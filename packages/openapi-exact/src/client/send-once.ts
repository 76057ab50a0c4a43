import { abortable, TIME_IS_OVER } from './abortable.ts';
import { ConnectionError, ResponseError, TimeoutError, type ClientError, type Outcome } from './client-error.ts';
import { readText } from './read-text.ts';
import type { Token } from './token.ts';

/** Options for sending a call. Times are in milliseconds; Infinity means no limit. */
export interface Sending {
  /** The URL of the service, for messages. */
  readonly baseUrl: string;
  readonly token: Token;
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
}

/** One attempt of a request; its timeout is that of the attempt. */
interface Attempt extends Pick<Sending, 'baseUrl' | 'timeout' | 'signal' | 'isSuccess' | 'maxResponseBytes'> {
  /** The timeout in the message of a {@link TimeoutError}, such as `within 500 ms`. */
  readonly limit: string;
  /** Whether an earlier attempt may have been carried out; then every failure is `unknown`. */
  readonly unclear: boolean;
}

/** Maximum bytes of an error body. */
const MAX_ERROR_BYTES = 1_048_576;
/** Codes with which the service states that nothing was done. */
const NOTHING_DONE = [50300, 50302, 50303];
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
  const outcomeOf = (nothingDone: boolean): Outcome => (nothingDone && !attempt.unclear ? 'nothing done' : 'unknown');
  const place = `the plant store at ${attempt.baseUrl}`;
  try {
    return await abortable(attempt, async (signal) => {
      const response = await fetch(request, { signal });
      const success = attempt.isSuccess(response.status);
      const text = await readText(response, success ? attempt.maxResponseBytes : MAX_ERROR_BYTES);
      if (!success) return responseError(request.method, place, response, text, outcomeOf);
      if (text === undefined) return tooLong(request.method, place, response, attempt.maxResponseBytes);
      // The body was consumed, so it is replaced. 204 and 205 must have none.
      return new Response(text === '' ? null : text, response);
    });
  } catch (cause) {
    attempt.signal?.throwIfAborted();
    if (cause === TIME_IS_OVER) {
      return new TimeoutError(`No response from ${place} ${attempt.limit}.`, { outcome: 'unknown' });
    }
    const { code, message } = reasonOf(cause);
    const notConnected = NOT_CONNECTED.includes(code);
    return new ConnectionError(
      notConnected ? `No connection to ${place}: ${message}.` : `No response from ${place}: ${message}.`,
      { outcome: outcomeOf(notConnected), cause },
    );
  }
}

function tooLong(method: string, place: string, { status, headers }: Response, limit: number): ResponseError {
  const message = `${method} was answered with ${status} and more than ${limit} bytes, the most that maxResponseBytes allows: is there ${place}?`;
  return new ResponseError(message, {
    status,
    code: undefined,
    headers,
    outcome: 'unknown',
  });
}

/** @param text is undefined when it is too long for the contract's `Error` object. */
function responseError(
  method: string,
  place: string,
  { status, headers }: Response,
  text: string | undefined,
  outcomeOf: (nothingDone: boolean) => Outcome,
): ResponseError {
  const { code, message } = text === undefined ? {} : errorBody(text);
  const nothingDone = (status >= 400 && status < 500) || NOTHING_DONE.includes(code ?? 0);
  const missing =
    text === undefined
      ? `with a body of more than ${MAX_ERROR_BYTES} bytes`
      : status < 400
        ? 'which is not in the contract'
        : "without the contract's Error object";
  return new ResponseError(message ?? `${method} was answered with ${status}, ${missing}: is there ${place}?`, {
    status,
    code,
    headers,
    outcome: outcomeOf(nothingDone),
  });
}

/** Parses the contract's `Error` object. */
function errorBody(text: string): { code?: number; message?: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('error' in body) || !('message' in body)) return {};
    const { error: code, message } = body;
    return typeof code === 'number' && typeof message === 'string' ? { code, message } : {};
  } catch {
    return {};
  }
}

/**
 * The cause of Node's `TypeError: fetch failed`. Reads properties, since the error may come from
 * another realm.
 */
function reasonOf(thrown: unknown): { code: string; message: string } {
  const { cause } = Object(thrown) as { cause?: unknown };
  const { code = '', message = '' } = Object(cause ?? thrown) as { code?: unknown; message?: unknown };
  // For a host with several addresses, Node throws an AggregateError without a message.
  return { code: String(code), message: String(message === '' ? code : message) };
}
