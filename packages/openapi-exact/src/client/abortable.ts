import { getOrInsert } from '../json/get-or-insert.ts';

/** The longest delay of a timer, in milliseconds (25 days). A longer one fires at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

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
  const timer = setTimeout(
    () => {
      controller.abort(TIME_IS_OVER);
    },
    Math.min(timeout, LONGEST_DELAY),
  );
  const leave =
    signal &&
    onAbort(signal, () => {
      controller.abort(signal.reason);
    });
  try {
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => {
        reject(controller.signal.reason);
      });
    });
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    clearTimeout(timer);
    leave?.();
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

/** The listeners on one signal, which calls them as one: Node warns of a leak if it has many. */
class Listeners extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
  }
}

const waiting = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls a listener when a signal is aborted. The signal keeps nothing once the last one is removed.
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = getOrInsert(waiting, signal, () => new Listeners());
  if (listeners.size === 0) signal.addEventListener('abort', listeners);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) signal.removeEventListener('abort', listeners);
  };
}
