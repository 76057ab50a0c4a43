/**
 * Normalises the base URL of a service, without trailing slashes.
 * @throws TypeError for an invalid URL. The message does not repeat it: it may contain a password.
 */
export function requireBaseUrl(value: unknown): string {
  const text = String(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Only the href shows an empty query or fragment.
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '') {
    if (!/[?#]/.test(url.href)) return url.href.replace(/\/+$/, '');
  }
  throw new TypeError('The base URL must be such as http://127.0.0.1:3000, without credentials, query and fragment.');
}
