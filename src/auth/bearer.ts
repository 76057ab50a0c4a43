import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { bearerChallenge } from './challenge.ts';

/**
 * Verifies a bearer token of one kind. Resolves to its principal, or to undefined for an invalid
 * token. Rejects with a StoreError or RequestError if it cannot decide or the token lacks rights.
 * @param request the request that carried the token.
 */
export type VerifyBearer = (token: string, request: IncomingMessage) => Promise<Principal | undefined>;

const NOT_FOUND = Promise.resolve(undefined);

/**
 * Verifies bearer tokens (RFC 6750) with passport. Reads the Authorization header only: section 2.3
 * discourages tokens in the query. The form of a token selects its strategy.
 * @param verifyToken verifies the service's own tokens.
 * @param verifyJwt verifies an identity provider's tokens; without it they are invalid.
 */
export function bearerVerifier(verifyToken: VerifyBearer, verifyJwt?: VerifyBearer): Verifier {
  const findOwn = askPassport(verifyToken);
  const findJwt = verifyJwt === undefined ? undefined : askPassport(verifyJwt);
  return async (request) => {
    const { authorization } = request.headers;
    const find = findJwt !== undefined && isJwtLike(authorization) ? findJwt : findOwn;
    const principal = await find(withOneSpace(authorization), request);
    if (principal === undefined) throw refusal(authorization);
    return principal;
  };
}

/**
 * Lets passport's strategy parse an Authorization header and returns the verifier's result.
 * Passport gets the verifier's promise as its user, so that it finishes synchronously and all
 * requests can share one strategy and one request object.
 */
type FindPrincipal = (authorization: string, from: IncomingMessage) => Promise<Principal | undefined>;

function askPassport(verify: VerifyBearer): FindPrincipal {
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
  return (authorization, from) => {
    found = NOT_FOUND;
    asking = from;
    request.headers.authorization = authorization;
    middleware(request, response, settle);
    asking = undefined;
    return found;
  };
}

/** The strategy expects one space after the scheme; RFC 6750, section 2.1, allows more. */
function withOneSpace(authorization = ''): string {
  const space = authorization.indexOf(' ');
  return space !== -1 && authorization[space + 1] === ' ' ? authorization.replace(/ +/, ' ') : authorization;
}

/**
 * True for two dots, as a JSON Web Token has between its parts (RFC 7515, section 7.1). The
 * service's own tokens have no dots. The verifier checks the parts.
 */
function isJwtLike(authorization = ''): boolean {
  const first = authorization.indexOf('.');
  const second = first === -1 ? -1 : authorization.indexOf('.', first + 1);
  return second !== -1 && !authorization.includes('.', second + 1);
}

/**
 * A request without bearer credentials gets a challenge without an error code (RFC 6750, section
 * 3). All malformed, unknown, expired and revoked tokens get the same response.
 */
function refusal(authorization = ''): RequestError {
  // The scheme ends before a character that no token allows (RFC 9110, section 5.6.2): 'Bearer: x'
  // is a malformed Bearer. A scheme alone carries no credentials.
  return /^bearer(?![\w!#$%&'*+.^`|~-]|[ \t]*$)/i.test(authorization) ? INVALID_TOKEN : NO_CREDENTIALS;
}

// Both texts are constant, so each error is created once.
const NO_CREDENTIALS = new RequestError(
  'noCredentials',
  "This operation needs a token: send the header 'Authorization: Bearer <ACCESS_TOKEN>'.",
  { headers: { 'WWW-Authenticate': bearerChallenge() } },
);
const INVALID_TOKEN = new RequestError(
  'invalidToken',
  'The access token is not valid: ask the operator of the service for a new one.',
  { headers: { 'WWW-Authenticate': bearerChallenge({ error: 'invalid_token' }) } },
);
