import { fetchJson } from './fetch-json.ts';
import { isLoopback, readProviderUrl } from './provider-url.ts';

/**
 * Reads the URL of an identity provider's keys from its metadata (OpenID Connect Discovery 1.0,
 * section 4; RFC 8414, section 3).
 * @throws Error when the request fails, the issuer differs or the URL is not allowed.
 */
export async function discoverJwksUrl(issuer: string, signal: AbortSignal): Promise<URL> {
  const metadata = await fetchMetadata(new URL(issuer), signal);
  // Prevents one provider from impersonating another (section 4.3; RFC 8414, section 3.3).
  const { issuer: named } = metadata;
  if (named !== issuer) {
    // Often it differs in a final slash only.
    const shown = JSON.stringify(named ?? null).slice(0, 200);
    throw new Error(`The metadata of ${issuer} name another issuer: ${shown}`);
  }
  const text = metadata['jwks_uri'];
  const url = typeof text === 'string' ? readProviderUrl(text) : undefined;
  // A remote provider must not direct requests to this machine.
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
      // The first error is the useful one for most operators.
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
