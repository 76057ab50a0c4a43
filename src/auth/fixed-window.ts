import { LRUCache } from 'lru-cache';

/** Keys that are counted at a time, some 100 bytes each; beyond, the one that was least recently counted begins anew. */
export const MAX_KEYS = 50_000;

/** Counts something by key, in a window of time. */
export interface FixedWindow {
  /** Counts once. @returns milliseconds until the key may go on, 0 when it may now. */
  readonly count: (key: string) => number;
  /** Counts nothing. @returns milliseconds until the key may go on when it has no time left, 0 when it has. */
  readonly wait: (key: string) => number;
}

/**
 * Allows each key a number of times in a window that begins with its first time.
 * @param window in milliseconds.
 * @param maxKeys the keys counted at a time.
 */
export function fixedWindow(limit: number, window: number, maxKeys = MAX_KEYS): FixedWindow {
  // Made for its whole size at once, 16 ms on a slow machine: with the first key, that no start waits for it.
  let windows: LRUCache<string, { end: number; count: number }> | undefined;
  return {
    count: (key) => {
      windows ??= new LRUCache({ max: maxKeys });
      // Not the clock of the wall, which may jump.
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
