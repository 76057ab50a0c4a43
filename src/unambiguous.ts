import type { IncomingMessage } from 'node:http';
import { RequestError } from './errors.ts';

/** Headers that a request may have: those beyond are no use to any honest client. */
export const MAX_HEADERS = 100;

/** Headers that change what a request means; Node takes the first of several without a word. */
const SINGLE = new Set(['host', 'authorization']);

/**
 * Refuses requests that two readers could understand differently: Host missing or repeated (RFC 9112, section 3.2), a
 * repeated Authorization header, or HTTP/0.9, which has no headers.
 * @throws RequestError repeatedHeader, malformedHttp or headersTooLarge.
 */
export function requireUnambiguous(request: IncomingMessage): void {
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw new RequestError('headersTooLarge', `The request must not have more than ${MAX_HEADERS} headers.`, {
      headers: { Connection: 'close' },
    });
  }
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
