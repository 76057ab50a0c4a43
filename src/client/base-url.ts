/**
 * The base URL of a service as `URL` reads it, without slashes at its end.
 * @throws TypeError when it is none. The message does not repeat it: it may hold a password.
 */
export function requireBaseUrl(value: unknown): string {
  const text = String(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An empty query or fragment is in the href only.
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '') {
    if (!/[?#]/.test(url.href)) return url.href.replace(/\/+$/, '');
  }
  throw new TypeError('The base URL must be such as http://127.0.0.1:3000, without credentials, query and fragment.');
}
