/**
 * Credentials by the kind of their security scheme: what a verifier gets, and a client gives.
 * @example
 * const login: Verifier<Credentials['basic']> = ({ username, password }) =>
 *   users.find(username, password);
 */
export interface Credentials {
  /** http basic (RFC 7617). */
  readonly basic: { readonly username: string; readonly password: string };
  /** The token of http bearer, oauth2 and openIdConnect (RFC 6750). */
  readonly bearer: string;
  /** What follows the name of any other http scheme. */
  readonly http: string;
  /** The key, from a header, the query or a cookie. */
  readonly apiKey: string;
}
