import { pause } from './abortable.ts';
import { attempt, type Attempt, type PreparedCall } from './attempt.ts';
import { foreignOrigin } from './browser-origin.ts';
import { timeLeft, withinCall } from './call-bounds.ts';
import { ConnectionError, ResponseError, type ClientError } from './client-error.ts';
import { credentialsFor, placeCredentials } from './credentials.ts';
import type { PlacedCredential } from './placed-credential.ts';
import { requireHeaders, type HeaderValues } from './headers.ts';
import { isIdempotent } from './operation.ts';

/** First and longest delay of the exponential backoff, in milliseconds. */
const FIRST_PAUSE = 100;
const LONGEST_RETRY_PAUSE = 2_000;
/** What functions of options have not returned in time. */
const NOT_PROVIDED = 'There were no headers or credentials';

/**
 * Sends a call and retries it while that is safe.
 * @returns the last attempt.
 * @throws TimeoutError if the functions of options take too long, what they and the hooks throw,
 * and the reason of the caller's signal. After the last two the outcome is unknown.
 */
export async function send(call: PreparedCall): Promise<Attempt> {
  const { settings, request, signal } = call;
  const isRepeatable = isIdempotent(call.operation, request.method);
  const isForeign = foreignOrigin(settings.baseUrl) !== undefined;
  const given = credentialsFor(call.operation, settings.shapes, settings);
  const headers = await withinCall(call, NOT_PROVIDED, 'nothing done', () => givenHeaders(settings.headers));
  let credentials = await withinCall(call, NOT_PROVIDED, 'nothing done', () => placeCredentials(given, call));
  let isRenewable = given.some((credential) => typeof credential.provided === 'function');
  let isUnclear = false;
  let attempts = 0;
  for (let repeated = 0; ;) {
    const remaining = Math.ceil(timeLeft(call));
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
      credentials = await withinCall(call, NOT_PROVIDED, error.outcome, () => placeCredentials(given, call));
      if (!isSame(credentials, refused)) continue;
    }
    const wait = pauseAfter(error, repeated, isRepeatable);
    if (wait === undefined || ++repeated > settings.retries || wait >= timeLeft(call)) return attempted;
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

async function givenHeaders(headers: unknown): Promise<HeaderValues> {
  const values: unknown = typeof headers === 'function' ? await (headers as () => unknown)() : headers;
  requireHeaders(values);
  return values;
}
