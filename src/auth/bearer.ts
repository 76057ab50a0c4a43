import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from 'openapi-exact';

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
 * @param request the request that carried the token.
 */
export type VerifyBearer = (token: string, request: IncomingMessage) => Promise<Principal | undefined>;

/** Verifies the service's own tokens. */
interface OwnTokens {
  /** The principal of a token that was verified a moment ago and is still valid. */
  known(token: string): Principal | undefined;
  readonly verify: VerifyBearer;
}

const NOT_FOUND = Promise.resolve(undefined);

/**
 * Verifies bearer tokens (RFC 6750) with passport, except for those that it has verified a moment
 * ago. The form of a token selects its strategy.
 * @param verifyJwt verifies an identity provider's tokens; without it they are invalid.
 */
export function bearerVerifier(own: OwnTokens, verifyJwt?: VerifyBearer): Verifier<string> {
  const findOwn = askPassport(own.verify.bind(own));
  const findJwt = verifyJwt === undefined ? undefined : askPassport(verifyJwt);
  return (token, _scopes, request) =>
    own.known(token) ?? (findJwt !== undefined && isJwtLike(token) ? findJwt : findOwn)(token, request);
}

/**
 * Lets passport's strategy ask the verifier. Passport gets the verifier's promise as its user, so
 * that it finishes synchronously and all requests can share one strategy and one request object.
 */
function askPassport(verify: VerifyBearer): VerifyBearer {
  let asking: IncomingMessage | undefined;
  const strategy = new Strategy<VerifyFunction>((token, done) => {
    done(null, asking === undefined ? NOT_FOUND : verify(token, asking));
  });
  let found: Promise<Principal | undefined> = NOT_FOUND;
  // If a future version of passport calls back later, no principal is found: it fails closed.
  const settle = (error: unknown, user?: Promise<Principal | undefined> | false): void => {
    // Passport reports an Error of its own.
    if (error !== null && error !== undefined) throw error as Error;
    found = user === undefined || user === false ? NOT_FOUND : user;
  };
  // Passport types its middleware as `any`. With a callback it never responds by itself.
  const middleware = new passport.Passport().authenticate(strategy, { session: false }, settle) as (
    request: { readonly headers: { authorization: string } },
    response: object,
    next: (error: unknown) => void,
  ) => void;
  // The strategy also searches query and body, so it gets a request without them.
  const request = { headers: { authorization: '' } };
  const response = {};
  return (token, from) => {
    found = NOT_FOUND;
    asking = from;
    request.headers.authorization = `Bearer ${token}`;
    middleware(request, response, settle);
    asking = undefined;
    return found;
  };
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
