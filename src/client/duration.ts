/** The longest that a timer can wait, in milliseconds: 25 days. One that is set for longer rings at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Checks a time in milliseconds that a caller gave; Infinity is for no limit.
 * @throws TypeError when it is no number, RangeError when it is negative.
 */
export function requireDuration(value: unknown, name: string): number {
  const rule = `${name} must be a number of milliseconds, 0 or more, or Infinity for no limit`;
  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(`${rule}.`);
  if (value < 0) throw new RangeError(`${rule}, not ${value}.`);
  return value;
}

/**
 * Calls a function when a time is over, in milliseconds; after 25 days at the latest, for Infinity too.
 * @returns a function that calls it off.
 */
export function after(timeout: number, ring: () => void): () => void {
  const timer = setTimeout(ring, Math.min(timeout, LONGEST));
  return () => {
    clearTimeout(timer);
  };
}
