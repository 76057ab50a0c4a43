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
import { messageOf, RequestError } from '../../errors.ts';
import { discoverJwksUrl } from './discovery.ts';
import { fetchJson } from './fetch-json.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** In milliseconds. */
export const KEY_TIMES = {
  /** The keys are fetched anew this often, so that one that was withdrawn is soon refused. */
  refresh: 300_000,
  /** Without the provider, its last keys are good for this long. */
  maxAge: 3_600_000,
  /** Tokens with unknown keys, or without the provider, cause one attempt in this time. */
  coolDown: 10_000,
  /** An attempt may take this long, metadata included. */
  timeout: 5_000,
};

/**
 * The keys of an identity provider: jose's remote key set, refreshed by a timer so that the last keys
 * outlive an outage of the provider, with a cool-down for failed attempts too.
 */
export class ProviderKeys {
  readonly #provider: Pick<IdentityProvider, 'issuer' | 'jwksUrl'>;
  readonly #onAttempt: (failure: unknown) => void;
  readonly #coolDown: number;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #remote: ReturnType<typeof createRemoteJWKSet>;
  /** Set by jose together with the keys that it uses. */
  readonly #cache: Partial<ExportedJWKSCache> = {};
  #discovered: URL | undefined;
  #failure: ProviderFailure | undefined;
  /** When a token may cause the next attempt, by `performance.now()`. */
  #notBefore = 0;

  /**
   * Fetches the keys, now and in the background from then on.
   * @param onAttempt is told why an attempt failed, and, with undefined, of the first success and the
   * first after a failure.
   */
  constructor(
    provider: Pick<IdentityProvider, 'issuer' | 'jwksUrl'>,
    onAttempt: (failure: unknown) => void,
    { refresh, maxAge, coolDown, timeout } = KEY_TIMES,
  ) {
    this.#provider = provider;
    this.#onAttempt = onAttempt;
    this.#coolDown = coolDown;
    // The fetch below finds out the URL itself.
    this.#remote = createRemoteJWKSet(provider.jwksUrl ?? new URL(provider.issuer), {
      cacheMaxAge: maxAge,
      cooldownDuration: 0,
      timeoutDuration: timeout,
      // jose fills an empty object; its type has no name for one that is filled later.
      [jwksCache]: this.#cache as ExportedJWKSCache,
      [customFetch]: (_url, { signal }) => this.#fetchKeys(signal),
    });
    void this.#refresh();
    this.#timer = setInterval(() => void this.#refresh(), refresh).unref();
  }

  /** The keys that may be used now, another object after each fetch; undefined: none, or too old. */
  current(): object | undefined {
    return this.#remote.fresh ? this.#cache.jwks : undefined;
  }

  /**
   * Finds the key of a token.
   * @throws RequestError 503 when the provider is unavailable, JOSEError when it has no such key or
   * one that is broken.
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

  /** Ends the timer and an attempt under way. */
  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort();
  }

  async #refresh(): Promise<void> {
    this.#notBefore = 0;
    try {
      await this.#remote.reload();
      // Tokens may cause an attempt of their own at once.
      this.#notBefore = 0;
    } catch {
      // onAttempt was told.
    }
  }

  /** Fetches the keys for jose, unless the last attempt is too recent. */
  async #fetchKeys(signal: AbortSignal): Promise<Response> {
    const now = performance.now();
    if (now < this.#notBefore) throw this.#failure ?? new errors.JWKSNoMatchingKey();
    this.#notBefore = now + this.#coolDown;
    const { issuer, jwksUrl } = this.#provider;
    const either = AbortSignal.any([this.#closing.signal, signal]);
    try {
      const url = jwksUrl ?? (this.#discovered ??= await discoverJwksUrl(issuer, either));
      const keys = usableKeys(await fetchJson(url, either));
      if (this.#cache.jwks === undefined || this.#failure !== undefined) this.#onAttempt(undefined);
      this.#failure = undefined;
      return Response.json({ keys });
    } catch (cause) {
      // Perhaps the keys have moved.
      this.#discovered = undefined;
      this.#failure = new ProviderFailure(`The keys of ${issuer} cannot be fetched: ${messageOf(cause)}`, { cause });
      this.#notBefore = performance.now() + this.#coolDown;
      if (!this.#closing.signal.aborted) this.#onAttempt(this.#failure);
      throw this.#failure;
    }
  }
}

/** The keys could not be fetched. */
class ProviderFailure extends Error {}

/** The keys of a key set that can verify signatures: public, and strong enough (RFC 7518, section 3.3: 2,048 bits). */
function usableKeys(document: unknown): JWK[] {
  const keys: unknown = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : null;
  if (!Array.isArray(keys)) throw new Error('The document is no key set (RFC 7517, section 5).');
  const usable = keys.filter(
    (key: unknown): key is JWK =>
      typeof key === 'object' &&
      key !== null &&
      'kty' in key &&
      (key.kty === 'EC' ||
        key.kty === 'OKP' ||
        (key.kty === 'RSA' && 'n' in key && typeof key.n === 'string' && Buffer.byteLength(key.n, 'base64url') >= 256)),
  );
  // A provider that is being set up must not lock out everybody.
  if (usable.length === 0) throw new Error('The key set has no key that verifies signatures.');
  return usable;
}

function unavailable(cause: Error, wait: number): RequestError {
  return new RequestError(
    'providerUnavailable',
    'The identity provider is unavailable, so the access token could not be verified and nothing was done. ' +
      'Repeat the request after the seconds in Retry-After.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))) }, cause },
  );
}
