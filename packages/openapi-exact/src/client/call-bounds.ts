import { abortable, TIME_IS_OVER } from './abortable.ts';
import { TimeoutError, type Outcome } from './client-error.ts';

/** The bounds of a call with all its attempts. */
export interface CallBounds {
  /** In milliseconds. */
  readonly timeout: number;
  /** When the call is to end, as `performance.now()` tells the time. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/** The milliseconds that a call has left. */
export function timeLeft({ deadline }: CallBounds): number {
  return Math.max(0, deadline - performance.now());
}

/**
 * Does what a call needs before an attempt.
 * @param missing what there is not when the time is over, for the message.
 * @param outcome the outcome of earlier attempts.
 * @throws TimeoutError, the reason of the signal, or the error of the work.
 */
export async function withinCall<Value>(
  bounds: CallBounds,
  missing: string,
  outcome: Outcome,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await abortable({ timeout: timeLeft(bounds), signal: bounds.signal }, work);
  } catch (error) {
    if (error !== TIME_IS_OVER) throw error;
    throw new TimeoutError(`${missing} within ${bounds.timeout} ms.`, { outcome });
  }
}
