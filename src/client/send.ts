import { abortable, pause, TIME_IS_OVER } from './abortable.ts';
import { ResponseError, TimeoutError, type ClientError, type Outcome } from './plant-store-error.ts';
import { sendOnce } from './send-once.ts';
import { requireAccessToken, type Token } from './token.ts';

/** How a call is sent. Times are in milliseconds; Infinity is for no limit. */
export interface Sending {
  /** Where the service is, for messages. */
  readonly baseUrl: string;
  readonly token: Token;
  /** For the whole call, with all its attempts. */
  readonly timeout: number;
  /** For one attempt. */
  readonly attemptTimeout: number;
  /** How often the call is repeated at most. */
  readonly retries: number;
  readonly signal: AbortSignal | undefined;
  /** Which statuses the contract calls a success of this operation. */
  readonly isSuccess: (status: number) => boolean;
  /** Bytes of the body of a success that are read at most. */
  readonly maxResponseBytes: number;
}

/** Doing these twice is as good as once (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];
/** The pause before the first repetition, in milliseconds, and the longest; it doubles in between. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 2_000;

/**
 * Sends a request until it is answered with success, and repeats what is safe to repeat.
 * @throws ClientError for the last attempt, the reason of the caller's signal, or what the function for tokens throws, as it
 * is. The last two say nothing of the outcome: an attempt before them may have been carried out.
 */
export async function send(request: Request, sending: Sending): Promise<Response> {
  const { baseUrl, token, signal, retries, isSuccess, maxResponseBytes } = sending;
  const deadline = performance.now() + sending.timeout;
  const left = (): number => Math.max(0, deadline - performance.now());
  const idempotent = IDEMPOTENT.includes(request.method);
  let accessToken = await accessTokenOf(sending, sending.timeout, 'nothing done');
  let renewed = typeof token === 'string';
  let unclear = false;
  let attempts = 0;
  for (let repeated = 0; ;) {
    const copy = request.clone();
    copy.headers.set('Authorization', `Bearer ${accessToken}`);
    const rest = Math.ceil(left());
    const timeout = Math.min(sending.attemptTimeout, rest);
    attempts += 1;
    const limit = rest <= sending.attemptTimeout ? limitOf(sending.timeout, attempts) : `within ${timeout} ms`;
    const failure = await sendOnce(copy, { baseUrl, limit, timeout, signal, isSuccess, maxResponseBytes, unclear });
    if (failure instanceof Response) return failure;
    unclear = failure.outcome === 'unknown';
    if (failure instanceof ResponseError && failure.status === 401 && !renewed) {
      // It may have expired on its way.
      renewed = true;
      const refused = accessToken;
      accessToken = await accessTokenOf(sending, left(), failure.outcome);
      if (accessToken !== refused) continue;
    }
    const wait = pauseAfter(failure, repeated, idempotent);
    if (wait === undefined || ++repeated > retries || wait >= left()) throw failure;
    await pause(wait, signal);
  }
}

/** How long to wait before a request is repeated, in milliseconds; undefined when it must not be. */
function pauseAfter(failure: ClientError, repeated: number, idempotent: boolean): number | undefined {
  if (!idempotent && failure.outcome === 'unknown') return undefined;
  // Jitter keeps clients of a service that comes back from coming back all at once.
  const backoff = Math.min(FIRST_PAUSE * 2 ** repeated, LONGEST_PAUSE) * (0.5 + Math.random() / 2);
  if (failure.kind !== 'response') return backoff;
  const { status, retryAfter } = failure;
  return (status === 503 || status === 429) && retryAfter !== undefined ? retryAfter * 1000 + backoff : undefined;
}

/** The time of a whole call, for messages. */
function limitOf(timeout: number, attempts: number): string {
  return attempts > 1 ? `within ${timeout} ms, in ${attempts} attempts` : `within ${timeout} ms`;
}

/**
 * @param timeout milliseconds that remain of the call.
 * @param outcome of the attempts before.
 */
async function accessTokenOf(
  { token, signal, timeout: whole }: Sending,
  timeout: number,
  outcome: Outcome,
): Promise<string> {
  try {
    const value: unknown =
      typeof token === 'string' ? token : await abortable({ timeout, signal }, async () => token());
    requireAccessToken(value);
    return value;
  } catch (error) {
    if (error !== TIME_IS_OVER) throw error;
    throw new TimeoutError(`There was no access token within ${whole} ms.`, { outcome });
  }
}
