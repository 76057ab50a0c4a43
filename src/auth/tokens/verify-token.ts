import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { hashToken, isWellFormedToken } from './token.ts';
import type { TokenRecord, TokenStore } from './token-store.ts';

/** A revoked token is dead this soon, in milliseconds. */
const CACHE_TTL = 5_000;
/** The tokens remembered at a time; beyond, the least recently used one is looked up again. */
const CACHE_SIZE = 10_000;
/** `last used` is written this often, in milliseconds, so that using a token costs no write each time. */
const USE_INTERVAL = 60_000;

/**
/**
 * Verifies a token: its record, or undefined when it is malformed, unknown, expired or revoked.
 * Rejects with a RequestError when it may not be looked up for this request, and with a StoreError
 * when the store cannot tell.
 */
export type VerifyToken = (token: string, request: IncomingMessage) => Promise<TokenRecord | undefined>;

/**
 * A verifier that asks the store once in 5 seconds for each token.
 * @param onUseNotNoted is told when `last used` could not be written, which does not refuse the token.
 * @param requireLookUp throws when a token that was not valid before may not be looked up for a request.
 */
export function tokenVerifier(
  store: TokenStore,
  onUseNotNoted: (error: unknown) => void,
  requireLookUp: (request: IncomingMessage) => void,
): VerifyToken {
  // By the tokens themselves, which are in memory with each request anyway: hashing them takes a microsecond of each. Unknown tokens
  // are not remembered: a token works from the moment it is created.
  // What is out of date tells which tokens were valid when they were last asked for.
  const cache = new LRUCache<string, TokenRecord>({ max: CACHE_SIZE, ttl: CACHE_TTL, noDeleteOnStaleGet: true });
  const lookups = new Map<string, Promise<TokenRecord | undefined>>();

  async function lookUp(token: string): Promise<TokenRecord | undefined> {
    const start = performance.now();
    const record = await store.findToken(hashToken(token));
    if (record === undefined) {
      cache.delete(token);
      return undefined;
    }
    // Its time counts from the question: however slow the store, an answer is never older than the limit.
    cache.set(token, record, { start });
    const now = Date.now();
    if (isValid(record) && now - (record.lastUsedAt ?? 0) >= USE_INTERVAL) {
      store.markTokenUsed(record.name, now).catch(onUseNotNoted);
    }
    return record;
  }

  /** Requests that come while a look-up is on its way wait for that one. */
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
