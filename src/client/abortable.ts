import { after } from './duration.ts';
import { onAbort } from './on-abort.ts';

/** Bounds of some work: a timeout in milliseconds and the caller's signal. */
export interface Bounds {
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** The rejection of {@link abortable} on timeout. */
export const TIME_IS_OVER = Symbol('time is over');

/**
 * Runs work within bounds and removes its timer and listener afterwards. AbortSignal.any and
 * AbortSignal.timeout would keep theirs until garbage collection.
 * @throws TIME_IS_OVER, the reason of the caller's signal, or the work's error.
 */
export async function abortable<T>({ timeout, signal }: Bounds, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const callOff = after(timeout, () => {
    controller.abort(TIME_IS_OVER);
  });
  let leave = (): void => undefined;
  try {
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => {
        reject(controller.signal.reason);
      });
    });
    if (signal !== undefined) {
      leave = onAbort(signal, () => {
        controller.abort(signal.reason);
      });
    }
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    callOff();
    leave();
  }
}

/** Waits for a time in milliseconds. @throws the signal's reason when it is aborted. */
export async function pause(timeout: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await abortable({ timeout, signal }, () => new Promise<never>(() => undefined));
  } catch (error) {
    if (error !== TIME_IS_OVER) throw error;
  }
}
