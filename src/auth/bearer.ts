import type { IncomingMessage } from 'node:http';
import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { bearerChallenge } from './challenge.ts';

/**
 * Verifies a bearer token of one kind: who holds it, or undefined when it is not valid. No promise when the answer is at hand, as it is for
 * nearly every request. Throws, or rejects with, a StoreError or RequestError when it cannot tell, or the token does not suffice.
 * @param request the request that it came with.
 */
export type VerifyBearer = (
  token: string,
  request: IncomingMessage,
) => Principal | undefined | Promise<Principal | undefined>;

/** What a token has come to, or will have; undefined for none, or one that is not valid. */
type Found = ReturnType<VerifyBearer>;

/**
 * Verifies bearer tokens (RFC 6750) with passport. They are taken from the Authorization header alone: section 2.3 warns of
 * the query, and a token in the body is no token of this contract. Each kind of token has its strategy, chosen by the token's form.
 * @param verifyToken verifies the service's own tokens.
 * @param verifyJwt verifies those of an identity provider; without it they are no valid tokens.
 */
export function bearerVerifier(verifyToken: VerifyBearer, verifyJwt?: VerifyBearer): Verifier {
  const findOwn = askPassport(verifyToken);
  const findJwt = verifyJwt === undefined ? undefined : askPassport(verifyJwt);
  return (request) => {
    const { authorization } = request.headers;
    const find = findJwt !== undefined && isJwtLike(authorization) ? findJwt : findOwn;
    const found = find(withOneSpace(authorization), request);
    // Not thrown: V8 would look up where, which takes longer than the rest of a refusal.
    if (found === undefined) return Promise.reject(refusal(authorization));
    if (!('then' in found)) return found;
    return Promise.resolve(found).then((principal) => {
      if (principal) return principal;
      throw refusal(authorization);
    });
  };
}

/**
 * A function that has passport's strategy read an Authorization header, and hands on what the verifier says of the token in it.
 *
 * To passport whatever the verifier returns is the user, a promise too, so that it is done before the next request comes: all of them can share
 * one strategy, of which it would make a new one for each, and one request object. Measured: 2 to 3 % of the processor time of a durable delete
 * (`npm run bench -- --only durable`). test/auth/bearer.test.ts guards it.
 */
function askPassport(verify: VerifyBearer): (authorization: string, from: IncomingMessage) => Found {
  let asking: IncomingMessage | undefined;
  const strategy = new Strategy<VerifyFunction>((token, done) => {
    done(null, (asking && verify(token, asking)) ?? false);
  });
  let found: Found;
  // Where another version calls back later, nobody is found.
  const settle = (error: unknown, user?: Found | false): void => {
    // What it reports is an Error of its own.
    if (error !== null && error !== undefined) throw error as Error;
    found = user === false ? undefined : user;
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
    found = undefined;
    asking = from;
    request.headers.authorization = authorization;
    middleware(request, response, settle);
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
