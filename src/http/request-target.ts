import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import { CLOSE, malformedRequest, misdirected } from './refusals.ts';
import type { IsProxy } from './trusted-proxies.ts';
import { isHost } from './unambiguous.ts';

/** The scheme and authority of a target in absolute form. */
const ABSOLUTE = /^https?:\/\/([^/?]+)/i;

/**
 * Rewrites a request target to origin form. Its host replaces the Host header (RFC 9112, 3.2.2).
 * @param isProxy whether a peer is a trusted proxy, which may speak TLS to the client.
 * @throws RequestError malformedUrl, malformedHttp (RFC 9112, section 3.2.4), or misdirected for
 * https without TLS (RFC 9110, section 7.4).
 */
export function takeOriginForm(request: IncomingMessage, isProxy: IsProxy): void {
  const target = request.url ?? '';
  request.url = originForm(target);
  if (target.startsWith('/')) return;
  if (target.startsWith('*') && !(target === '*' && request.method === 'OPTIONS')) throw malformedRequest(CLOSE);
  const host = ABSOLUTE.exec(target)?.[1];
  if (host === undefined) return;
  if (!isHost(host)) throw malformedRequest(CLOSE);
  if (/^https:/i.test(target) && !isProxy(request.socket.remoteAddress)) throw misdirected();
  request.headers.host = host;
}

/**
 * The path and query of a target (RFC 9112, section 3.2), byte for byte: a URL parser would resolve
 * `..`, and the path of one plant could lead to another.
 * @throws RequestError malformedUrl for a target with a fragment (section 3.2.1).
 */
function originForm(target: string): string {
  // Express's URL parser reads such a target by other rules, and cannot read some.
  if (target.includes('#')) {
    throw new ServiceError('malformedUrl', "The URL holds a '#': leave the fragment out, or encode it as %23.");
  }
  // An asterisk is for the whole server (section 3.2.4).
  if (target.startsWith('/') || target === '*') return target;
  const path = target.replace(ABSOLUTE, '');
  return path.startsWith('/') ? path : `/${path}`;
}
