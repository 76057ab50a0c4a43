/** An access token, or a function that gets one. */
export type Token = string | (() => string | Promise<string>);

/**
 * Checks what a caller gave as token, but for its form.
 * @throws TypeError when it is neither a string nor a function.
 */
export function requireToken(token: unknown): void {
  if (typeof token === 'string' || typeof token === 'function') return;
  throw new TypeError('The token must be an access token, or a function that gets one.');
}

/**
 * Checks the form of an access token (RFC 6750, section 2.1). A token is never repeated in a message.
 * @throws TypeError when it has another one, or is no string.
 */
export function requireAccessToken(value: unknown): asserts value is string {
  if (typeof value === 'string' && /^[\w.~+/-]+=*$/.test(value)) return;
  throw new TypeError('An access token must be letters, digits and -._~+/ without spaces (RFC 6750).');
}
