import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECURITY_HEADERS } from './contract/respond.ts';
import { RequestError, type ErrorName, type OverloadError } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Options of a refusal after which nothing more is read on its connection. */
export const CLOSE = { headers: { Connection: 'close' } };

/** What is answered to bytes that Node's parser refuses, or that did not arrive in time. */
export function refusalOf({ code }: NodeJS.ErrnoException): RequestError {
  const known = REFUSALS[code ?? ''];
  return known === undefined ? malformed() : new RequestError(...known);
}

/** What is answered to bytes that are no HTTP/1.1. */
export function malformed(options?: typeof CLOSE): RequestError {
  return new RequestError('malformedHttp', 'The request is no well-formed HTTP/1.1 (RFC 9112).', options);
}

/** What is answered to a request that cannot be begun in time. */
export function overloaded(cause?: OverloadError): RequestError {
  return new RequestError(
    'overloaded',
    'The service has too much to do and has not begun with this request. Repeat it later.',
    { headers: { 'Retry-After': '1' }, cause },
  );
}

const REFUSALS: Readonly<Record<string, readonly [ErrorName, string]>> = {
  HPE_HEADER_OVERFLOW: ['headersTooLarge', `The request line and headers must fit into ${LIMITS.maxHeaderSize} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'requestTimeout',
    `The request must arrive in time: its headers within ${LIMITS.headersTimeout / 1000} seconds, all of it within ${LIMITS.requestTimeout / 1000}.`,
  ],
};

/** Writes an answer by hand, for there is no response object, and closes the connection. */
export function writeRefusal(socket: Socket, { status, text }: RequestError, requestId: string): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n` +
      Object.entries({
        ...SECURITY_HEADERS,
        'X-Request-Id': requestId,
        'Content-Type': 'application/json; charset=utf-8',
      })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('') +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      'Connection: close\r\n\r\n' +
      text,
  );
  // After the last byte of the answer, also when the client would keep its side open for ever.
  socket.destroySoon();
}
