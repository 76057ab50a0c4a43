import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { bearerChallenge } from './challenge.ts';

/**
/**
 * Verifies a bearer token of one kind: who holds it, or undefined when it is not valid.
 * Rejects with a StoreError or RequestError when it cannot tell, or the token does not suffice.
 * @param request the request that carried the token.
 */
export type VerifyBearer = (token: string, request: IncomingMessage) => Promise<Principal | undefined>;

const NOT_FOUND = Promise.resolve(undefined);

/**
 * Verifies bearer tokens (RFC 6750) with passport. They are taken from the Authorization header alone: section 2.3 warns of
 * the query, and a token in the body is no token of this contract. Each kind of token has its strategy, chosen by the token's form.
 * @param verifyToken verifies the service's own tokens.
 * @param verifyJwt verifies those of an identity provider; without it they are no valid tokens.
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
 * A function that has passport's strategy read an Authorization header, and hands on what the verifier says of its token.
 *
 * The promise of the verifier is the user to passport, so that passport is done before the next request comes. All requests
 * share one strategy and one request object, of which passport would make new ones for each.
 */
type FindPrincipal = (authorization: string, from: IncomingMessage) => Promise<Principal | undefined>;

function askPassport(verify: VerifyBearer): FindPrincipal {
  let asking: IncomingMessage | undefined;
  const strategy = new Strategy<VerifyFunction>((token, done) => {
    done(null, asking === undefined ? NOT_FOUND : verify(token, asking));
  });
  let found: Promise<Principal | undefined> = NOT_FOUND;
  // If a future version of passport calls back later, nothing is found: it fails closed.
  const settle = (error: unknown, user?: Promise<Principal | undefined> | false): void => {
    // What it reports is an Error of its own.
    if (error !== null && error !== undefined) throw error as Error;
    found = user === undefined || user === false ? NOT_FOUND : user;
  };
  // The types of passport name its middleware `any`; with a callback it never answers the request itself.
  const middleware = new passport.Passport().authenticate(strategy, { session: false }, settle) as (
    request: { readonly headers: { authorization: string } },
    response: object,
    next: (error: unknown) => void,
  ) => void;
  // The strategy looks for tokens in the query and the body too, so it is shown a request that has neither.
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

/** The strategy knows one space behind the scheme, where RFC 6750, section 2.1, allows more. */
function withOneSpace(authorization = ''): string {
  const space = authorization.indexOf(' ');
  return space !== -1 && authorization[space + 1] === ' ' ? authorization.replace(/ +/, ' ') : authorization;
}

/**
 * True for what has two dots, as a JSON Web Token has between its parts (RFC 7515, section 7.1); the service's own tokens have none.
 * Whether the parts are right, its verifier says; a pattern for them takes as long as the hash of a long token.
 */
function isJwtLike(authorization = ''): boolean {
  const first = authorization.indexOf('.');
  const second = first === -1 ? -1 : authorization.indexOf('.', first + 1);
  return second !== -1 && !authorization.includes('.', second + 1);
}

/**
 * RFC 6750, section 3: a request without credentials for this scheme gets a challenge without an error code; one with a
 * token that is malformed, unknown, expired or revoked always gets the same answer.
 */
function refusal(authorization = ''): RequestError {
  // The scheme ends where no character of a token (RFC 9110, section 5.6.2) follows: 'Bearer: x' is a malformed Bearer.
  // Nothing behind it is no token.
  return /^bearer(?![\w!#$%&'*+.^`|~-]|[ \t]*$)/i.test(authorization) ? INVALID_TOKEN : NO_CREDENTIALS;
}

// They say the same each time, so they are made once.
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
