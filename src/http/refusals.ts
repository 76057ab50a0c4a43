import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { SECURITY_HEADERS } from '../contract/respond.ts';
import { RequestError, type ErrorName, type OverloadError } from '../errors.ts';
import { LIMITS } from './limits.ts';

/** Options of a refusal after which nothing more is read on its connection. */
export const CLOSE = { headers: { Connection: 'close' } };

/** What is answered to bytes that Node's parser refuses, or that did not arrive in time. */
export function refusalOf(error: ParserError): RequestError {
  const known = REFUSALS[error.code ?? ''];
  if (hasUnknownMethod(error)) return notImplemented();
  return known === undefined ? malformed() : new RequestError(...known);
}

/** What is answered to bytes that are no HTTP/1.1. */
export function malformed(options?: typeof CLOSE): RequestError {
  return new RequestError('malformedHttp', 'The request is no well-formed HTTP/1.1 (RFC 9112).', options);
}

/** What is answered to a method that the service does not know (RFC 9110, section 9.1). */
export function notImplemented(options?: typeof CLOSE): RequestError {
  return new RequestError(
    'methodNotImplemented',
    'The service knows no such method. Methods are case-sensitive.',
    options,
  );
}

/** What is answered to a URL of https that came without TLS. */
export function misdirected(): RequestError {
  return new RequestError(
    'misdirected',
    'This URL is one of https, but the request came without TLS: send the path alone.',
    CLOSE,
  );
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

/** An error of the parser, as https://nodejs.org/api/http.html#event-clienterror has it. */
export interface ParserError extends NodeJS.ErrnoException {
  /** What was read last. */
  readonly rawPacket?: Buffer;
  /** Where in it the parser has stopped. */
  readonly bytesParsed?: number;
}

/** A method in a request line, and in the beginning of one of which no more was read (RFC 9112, section 3). */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) [^ ]+ HTTP\/1\.[01]\r?$/;
const BEGINNING = /^[\w!#$%&'*+.^`|~-]+(?: [^ ]*){0,2}$/;

/** Whether the parser has stopped at a request line that is well-formed but for a method that it does not know. */
function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code === 'HPE_PAUSED_H2_UPGRADE') return true;
  if (code !== 'HPE_INVALID_METHOD' && code !== 'HPE_INVALID_CONSTANT') return false;
  const text = rawPacket?.toString('latin1') ?? '';
  const start = bytesParsed === 0 ? 0 : text.lastIndexOf('\n', bytesParsed - 1) + 1;
  const end = text.indexOf('\n', start);
  const method = REQUEST_LINE.exec(text.slice(start, end === -1 ? undefined : end))?.[1];
  // Node parses the methods of RTSP, and then misses the RTSP behind their target.
  if (code === 'HPE_INVALID_CONSTANT') return method !== undefined && !METHODS.includes(method);
  return method !== undefined || (end === -1 && BEGINNING.test(text.slice(start)));
}

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
