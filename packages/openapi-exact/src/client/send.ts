import { abortable, pause, TIME_IS_OVER } from './abortable.ts';
import { foreignOrigin } from './browser-origin.ts';
import { ConnectionError, ResponseError, TimeoutError, type ClientError, type Outcome } from './client-error.ts';
import { sendOnce, type CallSending } from './send-once.ts';
import { requireAccessToken } from './token.ts';

/** Idempotent methods (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE'];
/** First and longest delay of the exponential backoff, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_RETRY_PAUSE = 2_000;

/**
 * Sends a request and retries it while that is safe.
 * @throws ClientError of the last attempt, the reason of the caller's signal, or the error of the
 * token function. After the last two the outcome is unknown.
 */
export async function send(request: Request, sending: CallSending): Promise<Response> {
  const { token, signal, retries } = sending;
  const deadline = performance.now() + sending.timeout;
  const left = (): number => Math.max(0, deadline - performance.now());
  const isIdempotent = IDEMPOTENT.includes(request.method);
  let accessToken = await accessTokenOf(sending, sending.timeout, 'nothing done');
  let isRenewable = typeof token === 'function';
  const isForeign = foreignOrigin(sending.baseUrl) !== undefined;
  let isUnclear = false;
  let attempts = 0;
  for (let repeated = 0; ;) {
    const copy = request.clone();
    if (accessToken !== undefined) copy.headers.set('Authorization', `Bearer ${accessToken}`);
    const remaining = Math.ceil(left());
    const timeout = Math.min(sending.attemptTimeout, remaining);
    attempts += 1;
    const limit = remaining <= sending.attemptTimeout ? limitOf(sending.timeout, attempts) : `within ${timeout} ms`;
    const failure = await sendOnce(copy, { ...sending, limit, timeout, isUnclear });
    if (failure instanceof Response) return failure;
    // Retries may take seconds, in which a page shows nothing.
    if (attempts === 1 && isForeign && failure instanceof ConnectionError) console.warn(failure.message);
    isUnclear = failure.outcome === 'unknown';
    if (failure instanceof ResponseError && failure.status === 401 && isRenewable) {
      // The token may have expired in transit.
      isRenewable = false;
      const refused = accessToken;
      accessToken = await accessTokenOf(sending, left(), failure.outcome);
      if (accessToken !== refused) continue;
    }
    const wait = pauseAfter(failure, repeated, isIdempotent);
    if (wait === undefined || ++repeated > retries || wait >= left()) throw failure;
    await pause(wait, signal);
  }
}

/** The delay before the next retry, in milliseconds; undefined if a retry is not allowed. */
function pauseAfter(failure: ClientError, repeated: number, isIdempotent: boolean): number | undefined {
  if (!isIdempotent && failure.outcome === 'unknown') return undefined;
  // Jitter spreads the retries of many clients.
  const backoff = Math.min(FIRST_PAUSE * 2 ** repeated, LONGEST_RETRY_PAUSE) * (0.5 + Math.random() / 2);
  if (!(failure instanceof ResponseError)) return backoff;
  const { status, retryAfter } = failure;
  return (status === 503 || status === 429) && retryAfter !== undefined ? retryAfter * 1000 + backoff : undefined;
}

/** The timeout of the whole call, for messages. */
function limitOf(timeout: number, attempts: number): string {
  return attempts > 1 ? `within ${timeout} ms, in ${attempts} attempts` : `within ${timeout} ms`;
}

/**
 * @param timeout remaining milliseconds of the call.
 * @param outcome the outcome of earlier attempts.
 */
async function accessTokenOf(
  { token, signal, timeout: whole }: CallSending,
  timeout: number,
  outcome: Outcome,
): Promise<string | undefined> {
  if (token === undefined) return undefined;
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
