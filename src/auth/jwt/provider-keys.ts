import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  type CryptoKey,
  type ExportedJWKSCache,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import { messageOf, ServiceError } from '../../errors.ts';
import { discoverJwksUrl } from './discovery.ts';
import { fetchJson } from './fetch-json.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** Intervals and timeouts, in milliseconds. */
export const KEY_TIMES = {
  /** Interval between refreshes: a withdrawn key is refused after one of them. */
  refresh: 300_000,
  /** How long the last keys stay valid while the provider is unavailable. */
  maxAge: 3_600_000,
  /** Interval of attempts without keys, and the shortest between those that tokens cause. */
  coolDown: 10_000,
  /** Timeout of one attempt, metadata included. */
  timeout: 5_000,
};

/**
 * The keys of an identity provider: jose's remote key set, refreshed by a timer so that the last
 * keys outlive an outage of the provider, with a cool-down for failed attempts too.
 */
export class ProviderKeys {
  readonly #provider: Pick<IdentityProvider, 'issuer' | 'jwksUrl'>;
  readonly #onAttempt: (failure: unknown) => void;
  readonly #times: typeof KEY_TIMES;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  /** Set by jose together with the keys that it uses. */
  readonly #cache: Partial<ExportedJWKSCache> = {};
  #discovered: URL | undefined;
  #failure: ProviderFailure | undefined;
  /** When a token may cause the next attempt, by `performance.now()`. */
  #notBefore = 0;

  /**
   * Fetches the keys now and keeps refreshing them in the background, sooner while there are none.
   * @param onAttempt receives the error of each failed attempt, and undefined for the first success
   * and the first after a failure.
   */
  constructor(
    provider: Pick<IdentityProvider, 'issuer' | 'jwksUrl'>,
    onAttempt: (failure: unknown) => void,
    times = KEY_TIMES,
  ) {
    this.#provider = provider;
    this.#onAttempt = onAttempt;
    this.#times = times;
    // `#fetchKeys` determines the real URL.
    this.#remote = createRemoteJWKSet(provider.jwksUrl ?? new URL(provider.issuer), {
      cacheMaxAge: times.maxAge,
      cooldownDuration: 0,
      timeoutDuration: times.timeout,
      // jose fills this empty object later; its type does not describe the empty state.
      [jwksCache]: this.#cache as ExportedJWKSCache,
      [customFetch]: (_url, { signal }) => this.#fetchKeys(signal),
    });
    void this.#refresh();
  }

  /** The current keys, a new object after each fetch; undefined if missing or too old. */
  current(): object | undefined {
    return this.#remote.fresh ? this.#cache.jwks : undefined;
  }

  /**
   * Finds the key of a token.
   * @throws RequestError 503 when the provider is unavailable, JOSEError for an unknown or broken
   * key.
   */
  async find(...token: Parameters<JWTVerifyGetKey>): Promise<CryptoKey> {
    try {
      return await this.#remote(...token);
    } catch (cause) {
      if (cause instanceof ProviderFailure) throw unavailable(cause, this.#notBefore - performance.now());
      if (cause instanceof errors.JOSEError) throw cause;
      throw new errors.JWKSInvalid(`The key of the provider cannot be used: ${messageOf(cause)}`, { cause });
    }
  }

  /** Stops the timer and aborts a running attempt. */
  close(): void {
    clearTimeout(this.#timer);
    this.#closing.abort();
  }

  async #refresh(): Promise<void> {
    this.#notBefore = 0;
    try {
      await this.#remote.reload();
    } catch {
      // onAttempt has reported the error.
    }
    // Tokens may cause an attempt at once.
    this.#notBefore = 0;
    if (this.#closing.signal.aborted) return;
    const { refresh, coolDown } = this.#times;
    const pause = this.current() === undefined ? coolDown : refresh;
    this.#timer = setTimeout(() => void this.#refresh(), pause).unref();
  }

  /** Fetches the keys for jose, unless the last attempt is too recent. */
  async #fetchKeys(signal: AbortSignal): Promise<Response> {
    const now = performance.now();
    if (now < this.#notBefore) throw this.#failure ?? new errors.JWKSNoMatchingKey();
    this.#notBefore = now + this.#times.coolDown;
    const { issuer, jwksUrl } = this.#provider;
    const either = AbortSignal.any([this.#closing.signal, signal]);
    try {
      const url = jwksUrl ?? (this.#discovered ??= await discoverJwksUrl(issuer, either));
      const keys = usableKeys(await fetchJson(url, either));
      if (this.#cache.jwks === undefined || this.#failure !== undefined) this.#onAttempt(undefined);
      this.#failure = undefined;
      return Response.json({ keys });
    } catch (cause) {
      // The provider may have moved its keys.
      this.#discovered = undefined;
      this.#failure = new ProviderFailure(`The keys of ${issuer} cannot be fetched`, { cause });
      this.#notBefore = performance.now() + this.#times.coolDown;
      if (!this.#closing.signal.aborted) this.#onAttempt(this.#failure);
      throw this.#failure;
    }
  }
}

/** The keys could not be fetched. */
class ProviderFailure extends Error {}

/** Public keys of sufficient strength. */
function usableKeys(document: unknown): JWK[] {
  const keys: unknown = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : null;
  if (!Array.isArray(keys)) throw new Error('The document is not a key set (RFC 7517, section 5).');
  const usable = keys.filter(
    (key: unknown): key is JWK =>
      typeof key === 'object' &&
      key !== null &&
      'kty' in key &&
      (key.kty === 'EC' ||
        key.kty === 'OKP' ||
        (key.kty === 'RSA' && 'n' in key && typeof key.n === 'string' && isStrong(key.n))),
  );
  // Keeps the previous keys: an incomplete key set must not invalidate all tokens.
  if (usable.length === 0) throw new Error('The key set has no key that verifies signatures.');
  return usable;
}

/**
 * True for a modulus of 2,048 bits or more (RFC 7518, section 3.3). jose has no JOSEError for a
 * shorter one. Leading zeros and characters other than base64url's add no bits.
 */
function isStrong(modulus: string): boolean {
  return BigInt(`0x0${Buffer.from(modulus, 'base64url').toString('hex')}`) >= 2n ** 2_047n;
}

function unavailable(cause: Error, wait: number): ServiceError {
  return new ServiceError(
    'providerUnavailable',
    'The identity provider is unavailable, so the access token could not be verified and nothing was done. ' +
      'Repeat the request after the seconds in Retry-After.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))) }, cause },
  );
}
