import { createLocalJWKSet, errors, type CryptoKey, type JWK, type JWTVerifyGetKey } from 'jose';
import { messageOf, RequestError } from '../errors.ts';
import { discoverJwksUrl } from './discovery.ts';
import { fetchJson } from './fetch-json.ts';
import type { IdentityProvider } from './identity-provider.ts';

/** The keys that a provider has at a time. Another object means other keys. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The keys of an identity provider, followed as they change. */
export interface ProviderKeys {
  /** Those that may be used now; undefined: there are none yet, or they are too old. */
  readonly current: () => KeySet | undefined;
  /**
   * Finds the key of a token.
   * @throws RequestError 503 when it cannot be told, JOSEError when the provider has no such key.
   */
  readonly find: (...token: Parameters<JWTVerifyGetKey>) => Promise<{ set: KeySet; key: CryptoKey }>;
  /** Ends what is on its way. */
  readonly close: () => void;
}

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
 * Fetches the keys of a provider, now and in the background from then on. jose's own cache refuses every token when the provider cannot be
 * asked for a while; these keys outlive its failures for an hour.
 * @param onAttempt is told why an attempt failed, and, with undefined, of the first success and the first after a failure.
 */
export function providerKeys(
  { issuer, jwksUrl }: Pick<IdentityProvider, 'issuer' | 'jwksUrl'>,
  onAttempt: (failure: unknown) => void,
  { refresh, maxAge, coolDown, timeout } = KEY_TIMES,
): ProviderKeys {
  const closing = new AbortController();
  let held: { readonly set: KeySet; readonly text: string; readonly at: number } | undefined;
  let discovered: URL | undefined;
  let running: Promise<void> | undefined;
  let failure: Error | undefined;
  /** When a token may cause the next attempt. */
  let notBefore = 0;

  async function attempt(): Promise<void> {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeout)]);
    // Their age counts from the question: however slow the provider, they are never older than the limit.
    const at = performance.now();
    try {
      const url = jwksUrl ?? (discovered ??= await discoverJwksUrl(issuer, signal));
      const keys = usableKeys(await fetchJson(url, signal));
      const text = JSON.stringify(keys);
      const isNews = held === undefined || failure !== undefined;
      held = { set: held?.text === text ? held.set : createLocalJWKSet({ keys }), text, at };
      failure = undefined;
      if (isNews) onAttempt(undefined);
    } catch (cause) {
      // Perhaps the keys have moved.
      discovered = undefined;
      failure = new Error(`The keys of ${issuer} cannot be fetched: ${messageOf(cause)}`, { cause });
      notBefore = performance.now() + coolDown;
      if (!closing.signal.aborted) onAttempt(failure);
    }
  }

  /** All that wait for keys wait for the same attempt. */
  function attemptOnce(): Promise<void> {
    running ??= attempt().finally(() => (running = undefined));
    return running;
  }

  /** Has the keys fetched because of a token, if it is time. @throws RequestError 503 when the last attempt failed. */
  async function fetchForToken(): Promise<KeySet> {
    const isOverdue = current() === undefined && failure === undefined;
    if (running !== undefined || isOverdue || performance.now() >= notBefore) {
      if (running === undefined) notBefore = performance.now() + coolDown;
      await attemptOnce();
    }
    if (failure === undefined && held !== undefined) return held.set;
    throw unavailable(failure, notBefore - performance.now());
  }

  function current(): KeySet | undefined {
    return held !== undefined && performance.now() - held.at < maxAge ? held.set : undefined;
  }

  void attemptOnce();
  const timer = setInterval(() => void attemptOnce(), refresh).unref();
  return {
    current,
    find: async (...token) => {
      const set = current() ?? (await fetchForToken());
      try {
        return { set, key: await findIn(set, token) };
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        const newer = await fetchForToken();
        if (newer === set) throw error;
        return { set: newer, key: await findIn(newer, token) };
      }
    },
    close: () => {
      clearInterval(timer);
      closing.abort();
    },
  };
}

/** @throws JOSEError when the set has no such key, or one that is broken: what it signed is not valid. */
async function findIn(set: KeySet, token: Parameters<JWTVerifyGetKey>): Promise<CryptoKey> {
  try {
    return await set(...token);
  } catch (cause) {
    if (cause instanceof errors.JOSEError) throw cause;
    throw new errors.JWKSInvalid(`The key of the provider cannot be used: ${messageOf(cause)}`, { cause });
  }
}

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

function unavailable(cause: Error | undefined, wait: number): RequestError {
  return new RequestError(
    'providerUnavailable',
    'The identity provider is unavailable, so the access token could not be verified and nothing was done. ' +
      'Repeat the request after the seconds in Retry-After.',
    { headers: { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))) }, cause },
  );
}
