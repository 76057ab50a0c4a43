import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../contract/authenticate.ts';
import { RequestError } from '../../errors.ts';
import type { VerifyBearer } from '../bearer.ts';
import { bearerChallenge } from '../challenge.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { subjectName } from './subject-name.ts';

/** How far the clocks of the provider and the service may be apart, in seconds. */
const CLOCK_TOLERANCE = 5;
/** The tokens remembered at a time, and their characters; beyond, the least recently used one is verified again. */
const CACHE_SIZE = 10_000;
const CACHE_LENGTH = 16 * 1024 * 1024;

/** The characters of a token's end by which it is found again: of its signature, they are as good as random. A hash of all takes longer. */
const KEY_LENGTH = 64;

/** A token whose signature and claims hold. */
interface Verified {
  readonly token: string;
  readonly principal: Principal;
  /** When it expires, in seconds since 1970 UTC. */
  readonly exp: number;
  readonly hasScope: boolean;
}

/**
 * Verifies JWT access tokens (RFC 9068, section 4) by the rules of RFC 8725. A token that holds is remembered until it expires or
 * the keys of the provider are fetched anew.
 *
 * It rejects with a RequestError 403 when a valid token lacks a required scope, and 503 when the provider's keys cannot be had.
 * @param onRefused is told why a token is refused, which the client is not; never the token.
 */
export function jwtVerifier(
  { issuer, audience, algorithms, requiredScope }: IdentityProvider,
  keys: ProviderKeys,
  onRefused: (reason: string) => void,
): VerifyBearer {
  const cache = new LRUCache<string, Verified>({
    max: CACHE_SIZE,
    maxSize: CACHE_LENGTH,
    sizeCalculation: ({ token }) => token.length,
  });
  /** The keys by which the tokens in the cache were verified. */
  let verifiedBy: object | undefined;
  const options = {
    issuer,
    audience,
    algorithms: [...algorithms],
    // Section 2.1: nothing else that the provider signs, such as an ID token, is an access token.
    typ: 'at+jwt',
    clockTolerance: CLOCK_TOLERANCE,
  };

  function cacheFor(keySet: object): LRUCache<string, Verified> {
    if (keySet !== verifiedBy) cache.clear();
    verifiedBy = keySet;
    return cache;
  }

  function admit({ hasScope, principal }: Verified): Principal {
    if (hasScope) return principal;
    throw new RequestError('insufficientScope', 'The access token lacks a scope that this operation needs.', {
      headers: {
        'WWW-Authenticate': bearerChallenge({ error: 'insufficient_scope', scope: requiredScope.join(' ') }),
      },
    });
  }

  async function verify(token: string): Promise<Principal | undefined> {
    const findKey: JWTVerifyGetKey = (...header) => keys.find(...header);
    const keySet = keys.current();
    try {
      const { payload } = await jwtVerify(token, findKey, options);
      const verified = verifiedToken(token, payload, requiredScope);
      // Not when the keys have changed meanwhile: it may have been a former one.
      if (keySet !== undefined && keySet === keys.current()) cacheFor(keySet).set(keyOf(token), verified);
      return admit(verified);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      onRefused(error.message);
      return undefined;
    }
  }

  return async (token) => {
    const keySet = keys.current();
    const known = keySet && cacheFor(keySet).get(keyOf(token));
    // An expired one goes the long way, which refuses it.
    return known?.token === token && !hasExpired(known) ? admit(known) : verify(token);
  };
}

function keyOf(token: string): string {
  return token.slice(-KEY_LENGTH);
}

/** As jose reckons it. */
function hasExpired({ exp }: Verified): boolean {
  return exp <= Math.floor(Date.now() / 1000) - CLOCK_TOLERANCE;
}

/** @throws JOSEError when a claim is not of its type. */
function verifiedToken(token: string, payload: JWTPayload, requiredScope: readonly string[]): Verified {
  // jose accepts a token without them.
  const { sub, exp, scope }: Record<string, unknown> = payload;
  if (typeof sub !== 'string' || sub === '') throw new errors.JWTInvalid('"sub" claim must be a non-empty string');
  // 1e400 is a number in JSON, and Infinity here: such a token would never expire.
  if (typeof exp !== 'number' || !Number.isFinite(exp)) throw new errors.JWTInvalid('"exp" claim must be a number');
  // RFC 9068, section 2.2.3; RFC 8693, section 4.2.
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  return {
    token,
    principal: { name: subjectName(sub) },
    exp,
    hasScope: requiredScope.every((required) => scopes.includes(required)),
  };
}
