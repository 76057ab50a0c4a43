import { LRUCache } from 'lru-cache';

/** Maximum number of keys. Beyond it, the least recently counted key loses its count. */
export const MAX_KEYS = 50_000;

/** A fixed-window rate limit by key. */
export interface FixedWindow {
  /**
   * Counts one event. @returns milliseconds until the key is allowed again; 0 if it is allowed now.
   */
  readonly count: (key: string) => number;
  /** Like `count`, without counting: milliseconds until the key is allowed again. */
  readonly wait: (key: string) => number;
}

/**
 * Allows each key a number of events in a window that begins with its first event.
 * @param window in milliseconds.
 * @param maxKeys maximum number of keys.
 */
export function fixedWindow(limit: number, window: number, maxKeys = MAX_KEYS): FixedWindow {
  // Created with the first key: allocating the whole cache would delay the start.
  let windows: LRUCache<string, { end: number; count: number }> | undefined;
  return {
    count: (key) => {
      windows ??= new LRUCache({ max: maxKeys });
      // A monotonic clock: the system clock may jump.
      const now = performance.now();
      const known = windows.get(key);
      if (known !== undefined && now < known.end) return ++known.count > limit ? known.end - now : 0;
      windows.set(key, { end: now + window, count: 1 });
      return 0;
    },
    wait: (key) => {
      const known = windows?.get(key);
      return known === undefined || known.count < limit ? 0 : Math.max(0, known.end - performance.now());
    },
  };
}
