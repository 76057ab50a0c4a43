import type { IncomingMessage } from 'node:http';
import { RequestError } from './errors.ts';

/** Headers that change what a request means; Node takes the first of several without a word. */
const SINGLE = new Set(['host', 'authorization']);

/**
 * Refuses requests that two readers could understand differently: Host missing or repeated (RFC 9112, section 3.2), a
 * repeated Authorization header, or HTTP/0.9, which has no headers.
 * @throws RequestError repeatedHeader or malformedHttp.
 */
export function requireUnambiguous(request: IncomingMessage): void {
  const { rawHeaders } = request;
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first keeps the common request free of lower-casing.
    if (name.length !== 4 && name.length !== 13) continue;
    const lower = name.toLowerCase();
    if (!SINGLE.has(lower)) continue;
    if (seen.has(lower)) {
      throw new RequestError('repeatedHeader', `The header ${lower} was sent more than once: send it once.`);
    }
    seen.add(lower);
  }
  if (request.httpVersionMajor !== 1) {
    throw new RequestError('malformedHttp', 'The request is no well-formed HTTP/1.1 (RFC 9112).');
  }
  if (request.httpVersionMinor > 0 && !seen.has('host')) {
    throw new RequestError('malformedHttp', 'The request has no Host header, which HTTP/1.1 requires: send it.');
  }
}
