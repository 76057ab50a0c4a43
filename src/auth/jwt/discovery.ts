import { fetchJson } from './fetch-json.ts';
import { isLoopback, readProviderUrl } from './provider-url.ts';

/**
 * Asks an identity provider where its keys are (OpenID Connect Discovery 1.0, section 4; RFC 8414, section 3).
 * @throws Error when it cannot be asked, or answers for another issuer, or with a URL that must not be used.
 */
export async function discoverJwksUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  const metadata = await fetchMetadata(new URL(issuer), signal);
  // Section 4.3 and section 3.3: else somebody could speak for another provider.
  if (metadata['issuer'] !== issuer) throw new Error(`The metadata of ${issuer} are those of another issuer.`);
  const text = metadata['jwks_uri'];
  const url = typeof text === 'string' ? readProviderUrl(text) : undefined;
  // A provider elsewhere has no say about what is asked of this machine.
  if (url === undefined || (isLoopback(url) && !isLoopback(new URL(issuer)))) {
    throw new Error(`The metadata of ${issuer} have no jwks_uri with https.`);
  }
  return url;
}

async function fetchMetadata(issuer: URL, signal: AbortSignal): Promise<Record<string, unknown>> {
  const path = issuer.pathname.replace(/\/$/, '');
  const openId = withPath(issuer, `${path}/.well-known/openid-configuration`);
  const oauth = withPath(issuer, `/.well-known/oauth-authorization-server${path}`);
  const metadata = await fetchJson(openId, signal).catch((cause: unknown) =>
    fetchJson(oauth, signal).catch(() => {
      // What is said of the first is what most operators need.
      throw cause;
    }),
  );
  return typeof metadata === 'object' && metadata !== null ? { ...metadata } : {};
}

/** Resolving `//a/b` against a URL would lead to another host. */
function withPath(issuer: URL, path: string): URL {
  const url = new URL(issuer);
  url.pathname = path;
  return url;
}
