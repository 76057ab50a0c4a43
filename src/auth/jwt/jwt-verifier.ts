import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Principal } from 'openapi-exact';
import { ServiceError } from '../../errors.ts';
import { bearerChallenge } from '../bearer.ts';
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
 * or the keys are refreshed.
 */
export class JwtVerifier {
  readonly #options: JWTVerifyOptions;
  readonly #requiredScope: readonly string[];
  readonly #keys: ProviderKeys;
  readonly #onRefused: (reason: string) => void;
  readonly #cache = new LRUCache<string, Verified>({
    max: CACHE_SIZE,
    maxSize: CACHE_LENGTH,
    sizeCalculation: ({ token }) => token.length,
  });
  /** The keys that verified the cached tokens. */
  #verifiedBy: object | undefined;

  /** @param onRefused receives the reason, which the client does not get; never the token. */
  constructor(
    { issuer, audience, algorithms, requiredScope }: IdentityProvider,
    keys: ProviderKeys,
    onRefused: (reason: string) => void,
  ) {
    this.#options = {
      issuer,
      audience,
      algorithms: [...algorithms],
      // Excludes other signed tokens, such as ID tokens (RFC 9068, section 2.1).
      typ: 'at+jwt',
      clockTolerance: CLOCK_TOLERANCE,
    };
    this.#requiredScope = requiredScope;
    this.#keys = keys;
    this.#onRefused = onRefused;
  }

  /**
   * Resolves to the principal of a valid token, else to undefined. Rejects with a RequestError: 403
   * for a missing scope, 503 if the keys are unavailable.
   */
  async verify(token: string): Promise<Principal | undefined> {
    const keySet = this.#keys.current();
    const known = keySet && this.#cacheFor(keySet).get(cacheKey(token));
    // Full verification refuses an expired token.
    return known?.token === token && !hasExpired(known) ? this.#admit(known) : this.#verifyFully(token);
  }

  async #verifyFully(token: string): Promise<Principal | undefined> {
    const findKey: JWTVerifyGetKey = (...header) => this.#keys.find(...header);
    const keySet = this.#keys.current();
    try {
      const { payload } = await jwtVerify(token, findKey, this.#options);
      const verified = verifiedToken(token, payload, this.#requiredScope);
      // If the keys changed during verification, an old key may have verified the token.
      if (keySet !== undefined && keySet === this.#keys.current())
        this.#cacheFor(keySet).set(cacheKey(token), verified);
      return this.#admit(verified);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      this.#onRefused(error.message);
      return undefined;
    }
  }

  /** The cache, which tokens that other keys have verified leave. */
  #cacheFor(keySet: object): LRUCache<string, Verified> {
    if (keySet !== this.#verifiedBy) this.#cache.clear();
    this.#verifiedBy = keySet;
    return this.#cache;
  }

  /** @throws RequestError 403 for a token without a required scope. */
  #admit({ hasScope, principal }: Verified): Principal {
    if (hasScope) return principal;
    const challenge = bearerChallenge({ error: 'insufficient_scope', scope: this.#requiredScope.join(' ') });
    throw new ServiceError('insufficientScope', 'The access token lacks a scope that this operation needs.', {
      headers: { 'WWW-Authenticate': challenge },
    });
  }
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
