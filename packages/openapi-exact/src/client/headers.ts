/**
 * Headers of requests; undefined headers are left out.
 * @example const headers: HeaderValues = { 'Accept-Language': 'de', 'X-Trace': undefined };
 */
export type HeaderValues = Headers | Readonly<Record<string, string | undefined>>;

/** @throws TypeError unless a value has headers by name. */
export function requireHeaders(headers: unknown): asserts headers is HeaderValues {
  if (typeof headers === 'object' && headers !== null && !Array.isArray(headers)) return;
  throw new TypeError('headers must be an object with values by name, or a Headers object.');
}

/** Sets headers by name; the values of others stay. */
export function assignHeaders(target: Headers, values: HeaderValues): void {
  const entries = values instanceof Headers ? [...values] : Object.entries(values);
  for (const [name, value] of entries) {
    if (value !== undefined) target.set(name, value);
  }
}
