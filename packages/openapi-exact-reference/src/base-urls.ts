import type { Request } from 'express';

/** A name (RFC 3986, section 3.2.2) or an address in brackets, and a port if any: one host. */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * The URLs of a contract for a client: the scheme and host of its request, or a trusted proxy's,
 * with the base paths. Undefined for an invalid host, or for hosts from several proxies.
 * @param basePaths without trailing slash; `''` for the root.
 */
export function baseUrlsOf(request: Request, basePaths: readonly string[]): string[] | undefined {
  // Each proxy adds a host. Express takes the first, which a client may have forged.
  if (request.app.enabled('trust proxy') && request.get('X-Forwarded-Host')?.includes(',') === true) return undefined;
  const { protocol, host } = request;
  // X-Forwarded-* may hold any text, and HTTP/1.0 allows a missing Host, unlike Express's types.
  if (!['http', 'https'].includes(protocol) || typeof host !== 'string' || !HOST.test(host)) return undefined;
  if (!URL.canParse(`${protocol}://${host}`)) return undefined;
  const { origin } = new URL(`${protocol}://${host}`);
  return basePaths.map((path) => `${origin}${path === '' ? '/' : path}`.replace(/\/$/, ''));
}
