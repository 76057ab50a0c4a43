import { RequestError } from './errors.ts';

/**
 * The path and query that a request target stands for (RFC 9112, section 3.2), byte for byte: a URL parser would resolve
 * `..`, so that the path of one plant could lead to another. What is no path at all, such as `*`, becomes one that the
 * contract does not have.
 * @throws RequestError malformedUrl for a target with a fragment, which no target has (section 3.2.1).
 */
export function originForm(target: string): string {
  if (target.includes('#')) {
    throw new RequestError('malformedUrl', "The URL holds a '#': leave the fragment out, or encode it as %23.");
  }
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?]+/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
