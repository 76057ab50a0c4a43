import type { IncomingMessage } from 'node:http';
import { passportVerifier, type Principal, type Verifier } from 'openapi-exact';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import { isWellFormedToken } from './tokens/token.ts';

/** The protection space of the service's tokens (RFC 9110, section 11.5). */
export const REALM = 'plant-store';

/** The challenge of RFC 6750, section 3, with these parameters, whose values need no escapes. */
export function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const all = Object.entries({ realm: REALM, ...parameters });
  return `Bearer ${all.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}

/**
 * Verifies a bearer token of one kind. Resolves to its principal, or to undefined for an invalid
 * token. Rejects with a StoreError or RequestError if it cannot decide or the token lacks rights.
 */
export type VerifyBearer = (token: string) => Promise<Principal | undefined>;

/** Verifies the service's own tokens. */
interface OwnTokens {
  /** The principal of a token that was verified a moment ago and is still valid. */
  known(token: string): Principal | undefined;
  /** @throws RequestError 429 for a request that may not cause the look-up of its token. */
  requireLookUpAllowed(token: string, request: IncomingMessage): void;
  readonly verify: VerifyBearer;
}

/**
 * Verifies bearer tokens (RFC 6750) with passport, except for those that it has verified a moment
 * ago, and for texts that cannot be tokens. The form of a token selects its strategy.
 * @param verifyJwt verifies an identity provider's tokens; without it they are invalid.
 */
export function bearerVerifier(own: OwnTokens, verifyJwt?: VerifyBearer): Verifier<string> {
  const verifyOwn = strategyVerifier(own.verify.bind(own));
  const verifyForeign = verifyJwt === undefined ? undefined : strategyVerifier(verifyJwt);
  return (token, scopes, request) => {
    const known = own.known(token);
    if (known !== undefined) return known;
    if (verifyForeign !== undefined && isJwtLike(token)) return verifyForeign(token, scopes, requestWith(token));
    // A text of another form is not asked about: attacks send many.
    if (!isWellFormedToken(token)) return undefined;
    own.requireLookUpAllowed(token, request);
    return verifyOwn(token, scopes, requestWith(token));
  };
}

/** Verifies tokens with passport's bearer strategy. */
function strategyVerifier(verify: VerifyBearer): Verifier<string> {
  const strategy = new Strategy<VerifyFunction>({ realm: REALM }, (token, done) => {
    verify(token).then((principal) => {
      done(null, principal ?? false);
    }, done);
  });
  return passportVerifier(strategy);
}

/** A request with this token alone: the strategy would also search the query and the body. */
function requestWith(token: string): IncomingMessage {
  const request = { headers: { authorization: `Bearer ${token}` } };
  // Safe: the strategy reads the headers, and the query and the body, which this request lacks.
  return request as unknown as IncomingMessage;
}

/**
 * True for two dots, as a JSON Web Token has between its parts (RFC 7515, section 7.1). The
 * service's own tokens have no dots. The verifier checks the parts.
 */
function isJwtLike(token: string): boolean {
  const first = token.indexOf('.');
  const second = first === -1 ? -1 : token.indexOf('.', first + 1);
  return second !== -1 && !token.includes('.', second + 1);
}
