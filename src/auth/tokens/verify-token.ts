import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { hashToken, isWellFormedToken } from './token.ts';
import type { TokenRecord, TokenStore } from './token-store.ts';

/** A revoked token is refused within this time, in milliseconds. */
const CACHE_TTL = 5_000;
/** Maximum number of cached tokens. The least recently used is evicted. */
const CACHE_SIZE = 10_000;
/** Minimum time between two updates of a token's `last used`, in milliseconds. */
const USE_INTERVAL = 60_000;

/**
 * Verifies a token. Resolves to its record, or to undefined if it is malformed, unknown, expired or
 * revoked. Rejects with a RequestError if this request may not cause a look-up, and with a
 * StoreError if the store is unavailable.
 */
export type VerifyToken = (token: string, request: IncomingMessage) => Promise<TokenRecord | undefined>;

/**
 * Creates a verifier that looks each token up at most once in 5 seconds.
 * @param onUseNotNoted receives the error when `last used` was not stored; the token stays
 * accepted.
 * @param requireLookUp throws if a request may not look up a token that is not known to be valid.
 */
export function tokenVerifier(
  store: Pick<TokenStore, 'findToken' | 'markTokenUsed'>,
  onUseNotNoted: (error: unknown) => void,
  requireLookUp: (request: IncomingMessage) => void,
): VerifyToken {
  // Keyed by the token itself, which saves a hash per request. Unknown tokens are not cached, so
  // that a new token works at once. Stale records tell which tokens were valid before.
  const cache = new LRUCache<string, TokenRecord>({ max: CACHE_SIZE, ttl: CACHE_TTL, noDeleteOnStaleGet: true });
  const lookups = new Map<string, Promise<TokenRecord | undefined>>();

  async function lookUp(token: string): Promise<TokenRecord | undefined> {
    const start = performance.now();
    const record = await store.findToken(hashToken(token));
    if (record === undefined) {
      cache.delete(token);
      return undefined;
    }
    // The time to live counts from the start of the look-up, however slow the store is.
    cache.set(token, record, { start });
    const now = Date.now();
    if (isValid(record) && now - (record.lastUsedAt ?? 0) >= USE_INTERVAL) {
      store.markTokenUsed(record.name, now).catch(onUseNotNoted);
    }
    return record;
  }

  /** Concurrent requests with the same token share one look-up. */
  function shared(token: string): Promise<TokenRecord | undefined> {
    const running = lookups.get(token);
    if (running !== undefined) return running;
    const started = lookUp(token).finally(() => lookups.delete(token));
    lookups.set(token, started);
    return started;
  }

  return async (token, request) => {
    const record = cache.get(token);
    if (record !== undefined) return ifValid(record);
    if (!isWellFormedToken(token)) return undefined;
    if (ifValid(cache.peek(token, { allowStale: true })) === undefined) requireLookUp(request);
    return ifValid(await shared(token));
  };
}

function ifValid(record: TokenRecord | undefined): TokenRecord | undefined {
  return record !== undefined && isValid(record) ? record : undefined;
}

function isValid({ expiresAt, revokedAt }: TokenRecord): boolean {
  return revokedAt === null && (expiresAt === null || Date.now() < expiresAt);
}
