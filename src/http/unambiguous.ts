import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { RequestError, type ErrorName } from '../errors.ts';

/** Headers that a request may have: those beyond are no use to any honest client. */
export const MAX_HEADERS = 100;

/**
 * Refuses requests that two readers could understand differently: Host missing, repeated or none (RFC 9112, section 3.2), a
 * repeated Authorization header, a Transfer-Encoding other than `chunked`, or HTTP/0.9, which has no headers.
 * @throws RequestError repeatedHeader, malformedHttp or headersTooLarge.
 */
export function requireUnambiguous(request: IncomingMessage): void {
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * MAX_HEADERS) {
    throw refusal('headersTooLarge', `The request must not have more than ${MAX_HEADERS} headers.`);
  }
  let hasHost = false;
  let hasAuthorization = false;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // Comparing lengths first keeps the common request free of lower-casing.
    if (name.length !== 4 && name.length !== 13 && name.length !== 17) continue;
    const lower = name.toLowerCase();
    if (lower === 'transfer-encoding') {
      // Node takes an empty one for none, and leaves other codings to its user.
      if (isChunked(rawHeaders[index + 1] ?? '') && request.httpVersion === '1.1') continue;
      throw refusal('malformedHttp', 'The Transfer-Encoding must be chunked, in HTTP/1.1 (RFC 9112, section 6.1).');
    }
    if (lower === 'authorization') {
      if (hasAuthorization) throw repeated(lower);
      hasAuthorization = true;
    } else if (lower === 'host') {
      if (hasHost) throw repeated(lower);
      hasHost = true;
      if (isHost(rawHeaders[index + 1] ?? '')) continue;
      throw refusal('malformedHttp', 'The Host header must be a name or address, and a port if any.');
    }
  }
  if (request.httpVersionMajor !== 1) {
    throw refusal('malformedHttp', 'The request is no well-formed HTTP/1.1 (RFC 9112).');
  }
  if (request.httpVersionMinor > 0 && !hasHost) {
    throw refusal('malformedHttp', 'The request has no Host header, which HTTP/1.1 requires: send it.');
  }
}

/** RFC 3986, section 3.2.2: a name, which for http must not be empty (RFC 9110, section 4.2.1), or an address in brackets; then a port. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+(?::\d*)?$/;
const ADDRESS = /^\[([^\]]*)\](?::\d*)?$/;

/** Whether a Host header, or the authority of a URL, names a host and nothing else. */
export function isHost(value: string): boolean {
  return NAME.test(value) || isIPv6(ADDRESS.exec(value)?.[1] ?? '');
}

function isChunked(value: string): boolean {
  return value.toLowerCase() === 'chunked';
}

/** Two of a header that changes what a request means: Node takes the first without a word. */
function repeated(name: string): RequestError {
  return refusal('repeatedHeader', `The header ${name} was sent more than once: send it once.`);
}

/** Who sends such a request may mean what follows it otherwise too: nothing more is read on its connection. */
function refusal(reason: ErrorName, message: string): RequestError {
  return new RequestError(reason, message, { headers: { Connection: 'close' } });
}
