import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { ServiceError, type ErrorName } from '../errors.ts';
import { LIMITS } from './limits.ts';
import { CLOSE, malformedRequest } from './refusals.ts';

/**
 * Refuses requests that two parsers could read differently: a missing, repeated or malformed Host
 * (RFC 9112, section 3.2), a Transfer-Encoding other than `chunked`, and HTTP/0.9. openapi-exact
 * refuses a repeated Authorization or Content-Type.
 * @throws RequestError repeatedHeader, malformedHttp or headersTooLarge.
 */
export function requireUnambiguous(request: IncomingMessage): void {
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * LIMITS.maxHeaders) {
    throw ambiguousRequest('headersTooLarge', `The request must not have more than ${LIMITS.maxHeaders} headers.`);
  }
  let hasHost = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    // Comparing lengths first keeps the common request free of lower-casing.
    if (name.length !== 4 && name.length !== 17) continue;
    const lower = name.toLowerCase();
    if (lower === 'transfer-encoding') {
      // Node ignores an empty value and does not decode other codings.
      if (/^chunked$/i.test(value) && request.httpVersion === '1.1') continue;
      throw ambiguousRequest(
        'malformedHttp',
        'The Transfer-Encoding must be chunked, in HTTP/1.1 (RFC 9112, section 6.1).',
      );
    }
    if (lower !== 'host') continue;
    if (hasHost) throw ambiguousRequest('repeatedHeader', 'The header Host was sent more than once: send it once.');
    hasHost = true;
    if (!isHost(value)) {
      throw ambiguousRequest('malformedHttp', 'The Host header must be a name or address, and a port if any.');
    }
  }
  if (request.httpVersionMajor !== 1) throw malformedRequest(CLOSE);
  if (request.httpVersionMinor > 0 && !hasHost) {
    throw ambiguousRequest('malformedHttp', 'The request has no Host header, which HTTP/1.1 requires: send it.');
  }
}

/** A name (RFC 3986, 3.2.2; not empty: RFC 9110, 4.2.1), or an address in brackets; then a port. */
const HOST_NAME = /^(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+(?::\d*)?$/;
const ADDRESS = /^\[([^\]]*)\](?::\d*)?$/;

/** Whether a Host header, or the authority of a URL, names a host and nothing else. */
export function isHost(value: string): boolean {
  return HOST_NAME.test(value) || isIPv6(ADDRESS.exec(value)?.[1] ?? '');
}

/** Closes the connection: what follows an ambiguous request is ambiguous too. */
function ambiguousRequest(reason: ErrorName, message: string): ServiceError {
  return new ServiceError(reason, message, CLOSE);
}
