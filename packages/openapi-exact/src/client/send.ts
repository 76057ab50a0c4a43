import { abortable, pause, TIME_IS_OVER } from './abortable.ts';
import { attempt, type Attempt, type PreparedCall } from './attempt.ts';
import { foreignOrigin } from './browser-origin.ts';
import { ConnectionError, ResponseError, TimeoutError, type ClientError, type Outcome } from './client-error.ts';
import { credentialsFor, placeCredentials, type PlacedCredential } from './credentials.ts';
import { requireHeaders, type HeaderValues } from './headers.ts';
import { isIdempotent } from '../http/methods.ts';

/** First and longest delay of the exponential backoff, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_RETRY_PAUSE = 2_000;

/**
 * Sends a call and retries it while that is safe.
 * @returns the last attempt.
 * @throws TimeoutError if the functions of options take too long, what they and the hooks throw,
 * and the reason of the caller's signal. After the last two the outcome is unknown.
 */
export async function send(call: PreparedCall): Promise<Attempt> {
  const { settings, request, deadline, signal } = call;
  const left = (): number => Math.max(0, deadline - performance.now());
  const isRepeatable = isIdempotent(request.method);
  const isForeign = foreignOrigin(settings.baseUrl) !== undefined;
  const given = credentialsFor(call.operation, settings.shapes, settings);
  const headers = await provided(call, left(), 'nothing done', () => headersOf(settings.headers));
  let credentials = await provided(call, left(), 'nothing done', () => placeCredentials(given));
  let isRenewable = given.some((credential) => typeof credential.provided === 'function');
  let isUnclear = false;
  let attempts = 0;
  for (let repeated = 0; ;) {
    const remaining = Math.ceil(left());
    // A stream is sent once, and as long as the call may take.
    const longest = request.body.items === undefined ? settings.attemptTimeout : remaining;
    const timeout = Math.min(longest, remaining);
    attempts += 1;
    const limit = remaining <= longest ? limitOf(call.timeout, attempts) : `within ${timeout} ms`;
    const attempted = await attempt(call, { headers, credentials }, { timeout, limit, isUnclear });
    const { error } = attempted;
    if (error === undefined) return attempted;
    // Retries may take seconds, in which a page shows nothing.
    if (attempts === 1 && isForeign && error instanceof ConnectionError) console.warn(error.message);
    // Its items are gone.
    if (request.body.items?.isBegun === true) return attempted;
    isUnclear = error.outcome === 'unknown';
    if (error instanceof ResponseError && error.status === 401 && isRenewable) {
      // They may have expired in transit.
      isRenewable = false;
      const refused = credentials;
      credentials = await provided(call, left(), error.outcome, () => placeCredentials(given));
      if (!isSame(credentials, refused)) continue;
    }
    const wait = pauseAfter(error, repeated, isRepeatable);
    if (wait === undefined || ++repeated > settings.retries || wait >= left()) return attempted;
    await pause(wait, signal);
  }
}

/** The delay before the next retry, in milliseconds; undefined if a retry is not allowed. */
function pauseAfter(failure: ClientError, repeated: number, isRepeatable: boolean): number | undefined {
  if (!isRepeatable && failure.outcome === 'unknown') return undefined;
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

function isSame(first: readonly PlacedCredential[], second: readonly PlacedCredential[]): boolean {
  return first.every(({ text }, index) => text === second[index]?.text);
}

async function headersOf(headers: unknown): Promise<HeaderValues> {
  const values: unknown = typeof headers === 'function' ? await (headers as () => unknown)() : headers;
  requireHeaders(values);
  return values;
}

/**
 * Runs the functions of options.
 * @param timeout remaining milliseconds of the call.
 * @param outcome the outcome of earlier attempts.
 */
async function provided<Value>(
  { signal, timeout: whole }: PreparedCall,
  timeout: number,
  outcome: Outcome,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await abortable({ timeout, signal }, work);
  } catch (error) {
    if (error !== TIME_IS_OVER) throw error;
    throw new TimeoutError(`There were no headers or credentials within ${whole} ms.`, { outcome });
  }
}
