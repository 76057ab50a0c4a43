import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Principal } from 'openapi-exact';
import { ServiceError } from '../../errors.ts';
import { bearerChallenge, type VerifyBearer } from '../bearer.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ProviderKeys } from './provider-keys.ts';
import { subjectName } from './subject-name.ts';

/** Tolerated difference between the clocks of provider and service, in seconds. */
const CLOCK_TOLERANCE = 5;
/** Maximum number of cached tokens, and of their characters. The least recently used is evicted. */
const CACHE_SIZE = 10_000;
const CACHE_LENGTH = 16 * 1024 * 1024;

/**
 * A token's last characters, which are its cache key: they belong to the signature and are as good
 * as random. Hashing the whole token takes longer.
 */
const KEY_LENGTH = 64;

/** A token with a valid signature and valid claims. */
interface Verified {
  readonly token: string;
  readonly principal: Principal;
  /** Expiry, in seconds since 1970 UTC. */
  readonly exp: number;
  readonly hasScope: boolean;
}

/**
 * Verifies JWT access tokens (RFC 9068, section 4; RFC 8725). Caches a valid token until it expires
 * or the keys are refreshed. Rejects with a RequestError: 403 for a missing scope, 503 if the keys
 * are unavailable.
 * @param onRefused receives the reason, which the client does not get; never the token.
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
  /** The keys that verified the cached tokens. */
  let verifiedBy: object | undefined;
  const options = {
    issuer,
    audience,
    algorithms: [...algorithms],
    // Excludes other signed tokens, such as ID tokens (RFC 9068, section 2.1).
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
    throw new ServiceError('insufficientScope', 'The access token lacks a scope that this operation needs.', {
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
      // If the keys changed during verification, an old key may have verified the token.
      if (keySet !== undefined && keySet === keys.current()) cacheFor(keySet).set(cacheKey(token), verified);
      return admit(verified);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      onRefused(error.message);
      return undefined;
    }
  }

  return async (token) => {
    const keySet = keys.current();
    const known = keySet && cacheFor(keySet).get(cacheKey(token));
    // Full verification refuses an expired token.
    return known?.token === token && !hasExpired(known) ? admit(known) : verify(token);
  };
}

function cacheKey(token: string): string {
  return token.slice(-KEY_LENGTH);
}

/** The same comparison as jose's. */
function hasExpired({ exp }: Verified): boolean {
  return exp <= Math.floor(Date.now() / 1000) - CLOCK_TOLERANCE;
}

/** @throws JOSEError when a claim has the wrong type. */
function verifiedToken(token: string, payload: JWTPayload, requiredScope: readonly string[]): Verified {
  // jose does not require these claims.
  const { sub, exp, scope }: Record<string, unknown> = payload;
  if (typeof sub !== 'string' || sub === '') throw new errors.JWTInvalid('"sub" claim must be a non-empty string');
  // JSON's 1e400 parses as Infinity: such a token would never expire.
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
