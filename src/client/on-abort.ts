/** Listeners by signal: Node warns of a leak if many calls add their own to a shared signal. */
const waiting = new WeakMap<AbortSignal, { readonly listeners: Set<() => void>; readonly stop: () => void }>();

/**
 * Calls a listener when a signal is aborted. All listeners share one on the signal, which is
 * removed with the last of them.
 * @returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const { listeners, stop } = waiting.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0 || waiting.get(signal)?.listeners !== listeners) return;
    waiting.delete(signal);
    stop();
  };
}

function listenTo(signal: AbortSignal): { listeners: Set<() => void>; stop: () => void } {
  const listeners = new Set<() => void>();
  const callAll = (): void => {
    for (const listener of listeners) listener();
  };
  signal.addEventListener('abort', callAll);
  const stop = (): void => {
    signal.removeEventListener('abort', callAll);
  };
  waiting.set(signal, { listeners, stop });
  return { listeners, stop };
}
