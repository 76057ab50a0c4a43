import type { Socket } from 'node:net';
import type { RequestError } from 'openapi-exact';
import { ServiceError, type ErrorName, type OverloadError } from '../errors.ts';
import { errorText, JSON_TYPE } from './error-response.ts';
import { LIMITS } from './limits.ts';
import { http } from './node-http.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Options of a refusal that closes the connection. */
export const CLOSE = { headers: { Connection: 'close' } };

/** The refusal of bytes that Node's parser refuses, or that did not arrive in time. */
export function refusalOf(error: ParserError): RequestError {
  const known = NODE_REFUSALS[error.code ?? ''];
  if (hasUnknownMethod(error)) return notImplemented();
  return known === undefined ? malformedRequest() : new ServiceError(...known);
}

/** The refusal of bytes that are not HTTP/1.1. */
export function malformedRequest(options?: typeof CLOSE): RequestError {
  return new ServiceError('malformedHttp', 'The request is not well-formed HTTP/1.1 (RFC 9112).', options);
}

/** The refusal of an unknown method (RFC 9110, section 9.1). */
export function notImplemented(options?: typeof CLOSE): RequestError {
  return new ServiceError(
    'methodNotImplemented',
    'The service does not know this method. Methods are case-sensitive.',
    options,
  );
}

/** The refusal of an https URL that was sent without TLS. */
export function misdirected(): RequestError {
  return new ServiceError(
    'misdirected',
    'The URL says https, but the request came without TLS: send the path alone.',
    CLOSE,
  );
}

/** The refusal of a request that cannot be begun in time. */
export function serviceOverloaded(cause?: OverloadError): RequestError {
  return new ServiceError(
    'overloaded',
    'The service is overloaded and nothing was done. Repeat the request after the seconds in Retry-After.',
    { headers: { 'Retry-After': '1' }, cause },
  );
}

const NODE_REFUSALS: Readonly<Record<string, readonly [ErrorName, string]>> = {
  HPE_HEADER_OVERFLOW: ['headersTooLarge', `The request line and headers must fit into ${LIMITS.maxHeaderSize} bytes.`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'requestTimeout',
    `The request must arrive in time: its headers within ${LIMITS.headersTimeout / 1000} seconds, all of it within ${LIMITS.requestTimeout / 1000}.`,
  ],
};

/** An error of the parser (https://nodejs.org/api/http.html#event-clienterror). */
interface ParserError extends NodeJS.ErrnoException {
  /** What was read last. */
  readonly rawPacket?: Buffer;
  /** Where in it the parser has stopped. */
  readonly bytesParsed?: number;
}

/** A request line, and the beginning of one (RFC 9112, section 3). */
const REQUEST_LINE = /^([\w!#$%&'*+.^`|~-]+) [^ ]+ HTTP\/1\.[01]\r?$/;
const BEGINNING = /^[\w!#$%&'*+.^`|~-]+(?: [^ ]*){0,2}$/;

/** Whether the parser stopped at a well-formed request line with an unknown method. */
function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code === 'HPE_PAUSED_H2_UPGRADE') return true;
  const isRefusedLater = code === 'HPE_INVALID_CONSTANT' || code === 'HPE_INVALID_VERSION';
  if (code !== 'HPE_INVALID_METHOD' && !isRefusedLater) return false;
  const text = rawPacket?.toString('latin1') ?? '';
  // A wrong version is noticed behind the end of its line.
  const stopped = code === 'HPE_INVALID_VERSION' ? bytesParsed - 1 : bytesParsed;
  const start = stopped <= 0 ? 0 : text.lastIndexOf('\n', stopped - 1) + 1;
  const end = text.indexOf('\n', start);
  const method = REQUEST_LINE.exec(text.slice(start, end === -1 ? undefined : end))?.[1];
  // Node's parser knows the methods of RTSP and HTTP/2's PRI, and refuses the rest of their line.
  if (isRefusedLater) return method !== undefined && !http.METHODS.includes(method);
  return method !== undefined || (end === -1 && BEGINNING.test(text.slice(start)));
}

/** Writes a response without a response object and closes the connection. */
export function writeRefusal(socket: Socket, refusal: RequestError, requestId: string): void {
  const { status } = refusal;
  const text = errorText(refusal);
  const headers = {
    ...SECURITY_HEADERS,
    'X-Request-Id': requestId,
    'Content-Type': JSON_TYPE,
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${text}`);
  // Closes after the last byte, even if the client keeps its side open.
  socket.destroySoon();
}
