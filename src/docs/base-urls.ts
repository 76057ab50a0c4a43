import type { Request } from 'express';
import { isHost } from '../http/unambiguous.ts';

/**
 * The URLs under which a client reaches the contract: the scheme and host of its request, or those that a trusted proxy names, with
 * the base paths of the contract. Undefined when the request names no host that a URL can have, or proxies name several.
 */
export function baseUrlsOf(request: Request, basePaths: readonly string[]): string[] | undefined {
  // Several proxies, or a client and a proxy, have each added a host; Express takes the first, which may be the client's.
  if (request.app.enabled('trust proxy') && request.get('X-Forwarded-Host')?.includes(',') === true) return undefined;
  const { protocol, host } = request;
  // X-Forwarded-Proto and -Host may hold anything, the Host header of HTTP/1.0 may be missing, whatever Express's types say.
  if (!['http', 'https'].includes(protocol) || typeof host !== 'string' || !isHost(host)) return undefined;
  if (!URL.canParse(`${protocol}://${host}`)) return undefined;
  const { origin } = new URL(`${protocol}://${host}`);
  return basePaths.map((path) => `${origin}${path === '' ? '/' : path}`.replace(/\/$/, ''));
}
