import { after } from './duration.ts';
import { onAbort } from './on-abort.ts';

/** Work that is given up when its time is over, in milliseconds, or the caller's signal is aborted. */
export interface Bounds {
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/** What {@link abortable} rejects with when the time is over. */
export const TIME_IS_OVER = Symbol('time is over');

/**
 * Runs work within bounds and leaves neither timer nor listener behind. (AbortSignal.any and AbortSignal.timeout would keep them
 * until they are collected.)
 * @throws TIME_IS_OVER, the reason of the caller's signal, or what the work throws.
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

/** Waits some milliseconds. @throws the signal's reason when it is aborted. */
export async function pause(timeout: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await abortable({ timeout, signal }, () => new Promise<never>(() => undefined));
  } catch (error) {
    if (error !== TIME_IS_OVER) throw error;
  }
}
