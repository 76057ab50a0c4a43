import { RequestError } from '../errors/errors.ts';

/** An absolute form up to its path: the scheme, a host without user information, and a port. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/**
 * The path and the query of a target in origin or absolute form (RFC 9112, section 3.2), or of `*`.
 * @throws RequestError malformedUrl for a host that other readers end elsewhere: Express takes the
 * path of `http://host;/admin` for `;/admin`, so that a guard of `/admin` would let it pass.
 */
export function pathAndQuery(target: string): [path: string, query: string] {
  const url = /^https?:\/\//i.test(target) ? withoutOrigin(target) : target;
  const end = url.indexOf('?');
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
}

function withoutOrigin(target: string): string {
  const [origin] = ORIGIN.exec(target) ?? [];
  if (origin !== undefined) return target.slice(origin.length);
  throw new RequestError(
    'malformedUrl',
    'The request target must be a path, or a URL such as http://host:80/path, whose host is a name or an address.',
  );
}
