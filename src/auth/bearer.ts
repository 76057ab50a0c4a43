import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import { bearerChallenge } from './challenge.ts';

/**
 * Verifies a bearer token of one kind: who holds it, or undefined when it is not valid. No promise when the answer is at hand, as it is for
 * nearly every request. Throws, or rejects with, a StoreError or RequestError when it cannot tell, or the token does not suffice.
 */
export type VerifyBearer = (token: string) => Principal | undefined | Promise<Principal | undefined>;

/** What passport hands on, at once or later: an error, nobody, or the one who sent the token. */
interface Outcome {
  settled: boolean;
  error: unknown;
  user: Principal | false | undefined;
  onSettled: (() => void) | undefined;
}

/**
 * Verifies bearer tokens (RFC 6750) with passport. They are taken from the Authorization header alone: section 2.3 warns of
 * the query, and a token in the body is no token of this contract. Each kind of token has its strategy, chosen by the token's form.
 * @param verifyToken verifies the service's own tokens.
 * @param verifyJwt verifies those of an identity provider; without it they are no valid tokens.
 */
export function bearerVerifier(verifyToken: VerifyBearer, verifyJwt?: VerifyBearer): Verifier {
  const authenticator = new passport.Passport();
  authenticator.use('own', strategyFor(verifyToken));
  if (verifyJwt !== undefined) authenticator.use('jwt', strategyFor(verifyJwt));
  return ({ headers: { authorization } }) => {
    const kind = verifyJwt !== undefined && isJwtLike(authorization) ? 'jwt' : 'own';
    const outcome: Outcome = { settled: false, error: undefined, user: undefined, onSettled: undefined };
    // The strategy looks for tokens in the query and the body too, so it is shown a request that has neither.
    const request = { headers: { authorization: withOneSpace(authorization) } };
    const settle = (error: unknown, user?: Principal | false): void => {
      if (outcome.settled) return;
      outcome.settled = true;
      outcome.error = error;
      outcome.user = user;
      outcome.onSettled?.();
    };
    // The types of passport name its middleware `any`; with a callback it never answers the request itself.
    const middleware = authenticator.authenticate(kind, { session: false }, settle) as (
      request: { headers: { authorization: string } },
      response: object,
      next: (error: unknown) => void,
    ) => void;
    middleware(request, {}, settle);
    // Most often it is known by now, and no promise is needed.
    if (outcome.settled) return principalOf(outcome, authorization);
    return new Promise<void>((resolve) => (outcome.onSettled = resolve)).then(() =>
      principalOf(outcome, authorization),
    );
  };
}

/** @throws what passport has reported, or the refusal of a client that is nobody. */
function principalOf({ error, user }: Outcome, authorization: string | undefined): Principal {
  // What it reports is what the verifier has thrown, or an Error of its own.
  if (error !== null && error !== undefined) throw error as Error;
  if (user) return user;
  throw refusal(authorization);
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

function strategyFor(verifyToken: VerifyBearer): Strategy<VerifyFunction> {
  return new Strategy<VerifyFunction>((token, done) => {
    const principal = verifyToken(token);
    if (principal !== undefined && 'then' in principal) {
      principal.then(
        (found) => {
          done(null, found ?? false);
        },
        (error: unknown) => {
          done(error);
        },
      );
    } else {
      done(null, principal ?? false);
    }
  });
}

/**
 * RFC 6750, section 3: a request without credentials for this scheme gets a challenge without an error code; one with a
 * token that is malformed, unknown, expired or revoked always gets the same answer.
 */
function refusal(authorization = ''): RequestError {
  // The scheme ends where no character of a token (RFC 9110, section 5.6.2) follows: 'Bearer: x' is a malformed Bearer.
  if (!/^bearer(?![\w!#$%&'*+.^`|~-])/i.test(authorization)) {
    return new RequestError(
      'noCredentials',
      "This operation needs a token: send the header 'Authorization: Bearer <ACCESS_TOKEN>'.",
      { headers: { 'WWW-Authenticate': bearerChallenge() } },
    );
  }
  return new RequestError(
    'invalidToken',
    'The access token is not valid: ask the operator of the service for a new one.',
    {
      headers: { 'WWW-Authenticate': bearerChallenge({ error: 'invalid_token' }) },
    },
  );
}
