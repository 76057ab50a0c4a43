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

/** Verifies the service's own tokens, and looks each up at most once in 5 seconds. */
export class TokenVerifier {
  readonly #store: Pick<TokenStore, 'findToken' | 'markTokenUsed'>;
  readonly #onUseNotNoted: (error: unknown) => void;
  readonly #requireFailureLeft: (request: IncomingMessage) => void;
  /**
   * Keyed by the token itself, which saves a hash per request. Unknown tokens are not cached, so
   * that a new token works at once. Stale records tell which tokens were valid before.
   */
  readonly #cache = new LRUCache<string, TokenRecord>({ max: CACHE_SIZE, ttl: CACHE_TTL, noDeleteOnStaleGet: true });
  readonly #lookups = new Map<string, Promise<TokenRecord | undefined>>();

  /**
   * @param onUseNotNoted receives the error when `last used` was not stored; the token stays
   * accepted.
   * @param requireFailureLeft throws if a request may not look up a token that is not known to be
   * valid.
   */
  constructor(
    store: Pick<TokenStore, 'findToken' | 'markTokenUsed'>,
    onUseNotNoted: (error: unknown) => void,
    requireFailureLeft: (request: IncomingMessage) => void,
  ) {
    this.#store = store;
    this.#onUseNotNoted = onUseNotNoted;
    this.#requireFailureLeft = requireFailureLeft;
  }

  /** The record of a token that was verified within the last 5 seconds and is valid now. */
  known(token: string): TokenRecord | undefined {
    return ifValid(this.#cache.get(token));
  }

  /** @throws RequestError 429 if the request may not look up a token that may be invalid. */
  requireLookUpAllowed(token: string, request: IncomingMessage): void {
    if (this.#cache.get(token) !== undefined) return;
    if (ifValid(this.#cache.peek(token, { allowStale: true })) === undefined) this.#requireFailureLeft(request);
  }

  /**
   * Resolves to the token's record; undefined if it is malformed, unknown, expired or revoked.
   * Rejects with a StoreError if the store is unavailable.
   */
  async verify(token: string): Promise<TokenRecord | undefined> {
    const record = this.#cache.get(token);
    if (record !== undefined) return ifValid(record);
    return isWellFormedToken(token) ? ifValid(await this.#shared(token)) : undefined;
  }

  /** Concurrent requests with the same token share one look-up. */
  #shared(token: string): Promise<TokenRecord | undefined> {
    const running = this.#lookups.get(token);
    if (running !== undefined) return running;
    const started = this.#lookUp(token).finally(() => this.#lookups.delete(token));
    this.#lookups.set(token, started);
    return started;
  }

  async #lookUp(token: string): Promise<TokenRecord | undefined> {
    const start = performance.now();
    const record = await this.#store.findToken(hashToken(token));
    if (record === undefined) {
      this.#cache.delete(token);
      return undefined;
    }
    // The time to live counts from the start of the look-up, however slow the store is.
    this.#cache.set(token, record, { start });
    const now = Date.now();
    if (isValid(record) && now - (record.lastUsedAt ?? 0) >= USE_INTERVAL) {
      this.#store.markTokenUsed(record.name, now).catch(this.#onUseNotNoted);
    }
    return record;
  }
}

function ifValid(record: TokenRecord | undefined): TokenRecord | undefined {
  return record !== undefined && isValid(record) ? record : undefined;
}

function isValid({ expiresAt, revokedAt }: TokenRecord): boolean {
  return revokedAt === null && (expiresAt === null || Date.now() < expiresAt);
}
