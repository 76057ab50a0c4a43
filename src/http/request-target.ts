import type { IncomingMessage } from 'node:http';
import { RequestError } from '../errors.ts';
import { CLOSE, malformed, misdirected } from './refusals.ts';
import { isHost } from './unambiguous.ts';

/** The scheme and authority of a target in absolute form. */
const ABSOLUTE = /^https?:\/\/([^/?]+)/i;

/**
 * Makes a request one for a path and query of this server: where its target names a host as well, that counts and its Host header
 * does not (RFC 9112, section 3.2.2).
 * @param isProxied whether the request came through a proxy that is believed, which may have had it over TLS.
 * @throws RequestError malformedUrl; misdirected for a URL of https that came without TLS (RFC 9110, section 7.4); malformedHttp where the host is none, or has a user before it (RFC 9110, section 4.2.4), and for an asterisk
 * that does not stand alone behind OPTIONS (RFC 9112, section 3.2.4).
 */
export function takeOriginForm(request: IncomingMessage, isProxied: boolean): void {
  const target = request.url ?? '';
  request.url = originForm(target);
  if (target.startsWith('/')) return;
  if (target.startsWith('*') && !(target === '*' && request.method === 'OPTIONS')) throw malformed(CLOSE);
  const host = ABSOLUTE.exec(target)?.[1];
  if (host === undefined) return;
  if (!isHost(host)) throw malformed(CLOSE);
  if (/^https:/i.test(target) && !isProxied) throw misdirected();
  request.headers.host = host;
}

/**
 * The path and query that a request target stands for (RFC 9112, section 3.2), byte for byte: a URL parser would resolve
 * `..`, so that the path of one plant could lead to another. What is no path at all, such as `*`, becomes one that the
 * contract does not have.
 * @throws RequestError malformedUrl for a target with a fragment, which no target has (section 3.2.1).
 */
function originForm(target: string): string {
  if (target.includes('#')) {
    throw new RequestError('malformedUrl', "The URL holds a '#': leave the fragment out, or encode it as %23.");
  }
  if (target.startsWith('/')) return target;
  const rest = target.replace(ABSOLUTE, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
