import passport from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import type { Principal, Verifier } from '../contract/authenticate.ts';
import { RequestError } from '../errors.ts';
import type { VerifyToken } from './verify-token.ts';

const REALM = 'plant-store';

/** What passport hands on: nobody, with challenges for the client, or the one who sent the token. */
type Outcome = (error: unknown, user: Principal | false | undefined) => void;

/**
 * Verifies bearer tokens (RFC 6750) with passport. They are taken from the Authorization header alone: section 2.3 warns of
 * the query, and a token in the body is no token of this contract.
 */
export function bearerVerifier(verifyToken: VerifyToken): Verifier {
  const authenticator = new passport.Passport();
  const verify: VerifyFunction = (token, done) => {
    const record = verifyToken(token);
    if (record instanceof Promise) {
      record.then(
        (found) => {
          done(null, found ?? false);
        },
        (error: unknown) => {
          done(error);
        },
      );
    } else {
      done(null, record ?? false);
    }
  };
  authenticator.use(new Strategy<VerifyFunction>({ realm: REALM }, verify));
  return ({ headers: { authorization } }) =>
    new Promise((resolve, reject) => {
      const outcome: Outcome = (error, user) => {
        if (error !== null && error !== undefined) reject(error);
        else if (user) resolve(user);
        else reject(refusal(authorization));
      };
      // The strategy looks for tokens in the query and the body too, so it is shown a request that has neither. It knows
      // one space behind the scheme, where RFC 6750, section 2.1, allows more.
      const request = {
        headers: {
          authorization: authorization?.includes('  ') === true ? authorization.replace(/ +/, ' ') : authorization,
        },
      };
      // The types of passport name its middleware `any`; with a callback it never answers the request itself.
      const middleware = authenticator.authenticate('bearer', { session: false }, outcome) as (
        request: { headers: { authorization: string | undefined } },
        response: object,
        next: (error: unknown) => void,
      ) => void;
      middleware(request, {}, reject);
    });
}

/**
 * RFC 6750, section 3: a request without credentials for this scheme gets a challenge without an error code; one with a
 * token that is malformed, unknown, expired or revoked always gets the same answer.
 */
function refusal(authorization = ''): RequestError {
  const challenge = `Bearer realm="${REALM}"`;
  // The scheme ends where no character of a token (RFC 9110, section 5.6.2) follows: 'Bearer: x' is a malformed Bearer.
  if (!/^bearer(?![\w!#$%&'*+.^`|~-])/i.test(authorization)) {
    return new RequestError(
      'noCredentials',
      "This operation needs a token: send the header 'Authorization: Bearer <ACCESS_TOKEN>'.",
      { headers: { 'WWW-Authenticate': challenge } },
    );
  }
  return new RequestError(
    'invalidToken',
    'The access token is not valid: ask the operator of the service for a new one.',
    {
      headers: { 'WWW-Authenticate': `${challenge}, error="invalid_token"` },
    },
  );
}
