/** An access token, or a function that returns one. */
export type Token = string | (() => string | Promise<string>);

/**
 * Validates the type of the `token` option.
 * @throws TypeError unless it is a string or a function.
 */
export function requireToken(token: unknown): void {
  if (typeof token === 'string' || typeof token === 'function') return;
  throw new TypeError('The token must be an access token, or a function that returns one.');
}

/**
 * Validates the form of an access token (RFC 6750, section 2.1). Messages do not repeat it.
 * @throws TypeError for another form or type.
 */
export function requireAccessToken(value: unknown): asserts value is string {
  if (typeof value === 'string' && /^[\w.~+/-]+=*$/.test(value)) return;
  throw new TypeError('An access token must be letters, digits and -._~+/ without spaces (RFC 6750).');
}
