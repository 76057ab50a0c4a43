/** The longest delay of a timer, in milliseconds (25 days). A longer one fires at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Validates a time in milliseconds; Infinity means no limit.
 * @throws TypeError unless it is a number, RangeError when it is negative.
 */
export function requireDuration(value: unknown, name: string): number {
  const rule = `${name} must be a number of milliseconds, 0 or more, or Infinity for no limit`;
  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(`${rule}.`);
  if (value < 0) throw new RangeError(`${rule}, not ${value}.`);
  return value;
}

/**
 * Calls a function after a time in milliseconds; after 25 days at the latest, even for Infinity.
 * @returns a function that cancels the call.
 */
export function after(timeout: number, ring: () => void): () => void {
  const timer = setTimeout(ring, Math.min(timeout, LONGEST));
  return () => {
    clearTimeout(timer);
  };
}
