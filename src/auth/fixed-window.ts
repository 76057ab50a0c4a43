import { LRUCache } from 'lru-cache';

/** Maximum number of keys. Beyond it, the least recently counted key loses its count. */
export const MAX_KEYS = 50_000;

/** Allows each key a number of events in a window that begins with its first event. */
export class FixedWindow {
  readonly #limit: number;
  readonly #window: number;
  readonly #maxKeys: number;
  /** Created with the first key: allocating the whole cache would delay the start. */
  #windows: LRUCache<string, { end: number; count: number }> | undefined;

  /** @param limit events of a key in one window. @param window in milliseconds. */
  constructor(limit: number, window: number, maxKeys = MAX_KEYS) {
    this.#limit = limit;
    this.#window = window;
    this.#maxKeys = maxKeys;
  }

  /** Counts one event. @returns milliseconds until the key is allowed again; 0 if it is now. */
  count(key: string): number {
    this.#windows ??= new LRUCache({ max: this.#maxKeys });
    // A monotonic clock: the system clock may jump.
    const now = performance.now();
    const known = this.#windows.get(key);
    if (known !== undefined && now < known.end) return ++known.count > this.#limit ? known.end - now : 0;
    this.#windows.set(key, { end: now + this.#window, count: 1 });
    return 0;
  }

  /** Like `count`, without counting. */
  wait(key: string): number {
    const known = this.#windows?.get(key);
    return known === undefined || known.count < this.#limit ? 0 : Math.max(0, known.end - performance.now());
  }
}
