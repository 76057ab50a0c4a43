import type { OutgoingHttpHeader, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { stringify } from 'lossless-json';
import { JsonBody } from '../json/json-body.ts';
import { beforeClosing, dropRest } from '../bodies/receive.ts';
import { isUtf8 } from '../bodies/utf8.ts';
import { bodyKind, essenceOf, parameterValue, type BodyKind } from '../http/media-type.ts';
import { eventText } from './event-stream.ts';
import { ItemBody } from './item-body.ts';
import { sendStream, streamOf } from './response-stream.ts';

/**
 * A response as a value: what handlers return.
 * @example
 * const headers = { Location: '/todos/7' };
 * const value: ResponseValue = { status: 201, headers, body: { id: 7n } };
 */
export interface ResponseValue {
  readonly status: number;
  /**
   * They win over those that every response has, and are added to `Vary`. Only `Set-Cookie` repeats
   * for an array. A Content-Length is sent with streams, whose size it must be, to HEAD, and with a
   * 304, Transfer-Encoding and Trailer never. Undefined means no header.
   */
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  /** The media type of the body; `application/json` by default. */
  readonly contentType?: string | undefined;
  /**
   * A JSON value, or for other media types a string, bytes, or a stream of bytes; for
   * `text/event-stream` an async iterable of events, and where the contract has an `itemSchema` one
   * of its items.
   */
  readonly body?: unknown;
}

/**
 * A response of node:http, or of Express, whose `locals` may hold the `requestId` that is returned.
 */
type Answerable = ServerResponse & { readonly locals?: Readonly<Record<string, unknown>> };

/**
 * Headers of every response: no caching, no sniffing, no framing (OWASP REST Security Cheat Sheet).
 */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
} satisfies Readonly<Record<string, string>>;

/** Headers that Node.js writes by the way in which it sends the content. */
const FRAMING = ['transfer-encoding', 'trailer'];

const POLICY = 'Content-Security-Policy';

/** The same as names and values in turn, which Node writes faster than an object. */
const SECURITY_HEADER_LIST: readonly OutgoingHttpHeader[] = Object.entries(SECURITY_HEADERS).flat();
/** Those beside a policy that a middleware in front has set, such as helmet. */
const HEADERS_BESIDE_POLICY: readonly OutgoingHttpHeader[] = Object.entries(SECURITY_HEADERS)
  .filter(([name]) => name !== POLICY)
  .flat();

const DEFAULT_TYPE = 'application/json';

/**
 * Writes a handler's response, and drops what was left of the request.
 * @returns for a stream, which may read the request, a promise of its end, also when the client
 * leaves, which destroys the stream. It rejects with the error of the stream. Undefined for any
 * other body.
 */
export function respond(response: Answerable, value: ResponseValue): Promise<void> | undefined {
  const { req: request } = response;
  const streamed = writeResponse(response, value);
  if (streamed === undefined) dropRest(request);
  return streamed?.then(() => {
    dropRest(request);
  });
}

/** @returns a promise of the end of a stream; undefined for any other body. */
function writeResponse(response: Answerable, value: ResponseValue): Promise<void> | undefined {
  const { status, headers, contentType = DEFAULT_TYPE, body } = value;
  if (body === undefined) {
    // Without it Node.js sends chunks, and a larger one would take in the next response.
    const isKnown = status === 204 || status === 304 || response.req.method === 'HEAD';
    const length = isKnown ? [] : ['Content-Length', '0'];
    writeHead(response, status, headerList(response, headers, ...length));
    end(response, headers, '', 'latin1');
    return undefined;
  }
  const kind = bodyKind(contentType);
  const content = contentOf(contentType, kind, body);
  if (typeof content === 'string') requireUtf8(contentType, content);
  const type = (body instanceof ItemBody ? body.contentType : undefined) ?? withCharset(contentType, kind);
  if (content instanceof Readable) {
    return sendStream(response, content, {
      isEvents: kind === 'events',
      length: lengthIn(headers),
      writeHead: () => {
        writeHead(response, status, headerList(response, headers, 'Content-Type', type));
      },
    });
  }
  const length = Buffer.byteLength(content);
  const own = ['Content-Type', type, 'Content-Length', String(length)];
  writeHead(response, status, headerList(response, headers, ...own));
  const sent = response.req.method === 'HEAD' ? '' : content;
  // ASCII is the same in both encodings, and Node writes Latin-1 faster.
  end(response, headers, sent, length === content.length ? 'latin1' : 'utf8');
  return undefined;
}

/** @param headers names and values in turn. */
function writeHead(response: Answerable, status: number, headers: OutgoingHttpHeader[]): void {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, headers);
    return;
  }
  // Given a list beside headers that are set, such as Express's own, Node removes and appends each.
  for (let index = 0; index < headers.length; index += 2) {
    response.setHeader(String(headers[index]), headers[index + 1] ?? '');
  }
  response.writeHead(status);
}

/** Sends the content. A response that closes the connection ends once its request has arrived. */
function end(
  response: Answerable,
  headers: ResponseValue['headers'],
  content: string | Uint8Array,
  encoding: BufferEncoding,
): void {
  if (response.req.complete || headers?.['Connection'] !== 'close') {
    response.end(content, encoding);
    return;
  }
  if (content.length === 0) response.flushHeaders();
  else response.write(content, encoding);
  beforeClosing(response.req, () => response.end());
}

/** The Content-Length that a handler gives; NaN unless it is a number. */
function lengthIn(headers: ResponseValue['headers'] = {}): number | undefined {
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-length') ?? [];
  return value === undefined ? undefined : Number(value);
}

/**
 * Names and values in turn. A name that occurs again replaces the earlier one, in any case.
 * @param content the headers of the content, which no own ones replace.
 */
function headerList(
  response: Answerable,
  own: ResponseValue['headers'],
  ...content: readonly string[]
): OutgoingHttpHeader[] {
  const headers = [...(response.hasHeader(POLICY) ? HEADERS_BESIDE_POLICY : SECURITY_HEADER_LIST)];
  const requestId = response.locals?.['requestId'];
  if (typeof requestId === 'string') headers.push('X-Request-Id', requestId);
  for (const name in own) {
    const value = own[name];
    if (value === undefined) continue;
    const lower = name.toLowerCase();
    if (placeOf(lower, content) !== -1 || FRAMING.includes(lower)) continue;
    if (lower === 'vary') {
      // The library may have named Accept in it, and CORS Origin.
      response.appendHeader(name, asText(value));
      continue;
    }
    const known = placeOf(lower, headers);
    if (known !== -1) headers.splice(known, 2);
    headers.push(name, lower === 'set-cookie' && Array.isArray(value) ? value.map(asText) : asText(value));
  }
  headers.push(...content);
  return headers;
}

/** The index of a name in a list of names and values, or -1. */
function placeOf(lower: string, headers: readonly OutgoingHttpHeader[]): number {
  for (let index = 0; index < headers.length; index += 2) {
    const name = String(headers[index]);
    if (name.length === lower.length && name.toLowerCase() === lower) return index;
  }
  return -1;
}

function asText(value: unknown): string {
  return String(value);
}

function withCharset(contentType: string, kind: BodyKind): string {
  const isPlain = !contentType.includes(';') && kind !== 'events';
  const isText = essenceOf(contentType) === DEFAULT_TYPE || contentType.startsWith('text/');
  return isPlain && isText ? `${contentType}; charset=utf-8` : contentType;
}

/** Texts are sent as UTF-8. @throws Error for another charset, unless the text is ASCII. */
function requireUtf8(contentType: string, text: string): void {
  if (!contentType.includes(';') || isUtf8(contentType)) return;
  const charset = parameterValue(contentType, 'charset') ?? '';
  const isAscii = Buffer.byteLength(text) === text.length && !/^(?:utf|ucs)/i.test(charset);
  if (!isAscii) throw new Error(`A text is sent as UTF-8: return bytes for the charset ${charset}.`);
}

/** @throws Error when the body is none of the media type's. */
function contentOf(contentType: string, kind: BodyKind, body: unknown): string | Uint8Array | Readable {
  if (body instanceof JsonBody) return body.text;
  if (kind === 'json') return stringify(body) ?? 'null';
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (body instanceof ItemBody) return streamOf(body.source, body.writeItem, body.writeEnd);
  if (isAsyncIterable(body)) return streamOf(body, kind === 'events' ? eventText : undefined);
  throw new Error(`A body of the type ${contentType} must be a string, bytes or a stream of bytes.`);
}

/** Ends a body that is not sent. */
export function discard({ body }: Pick<ResponseValue, 'body'>): void {
  if (isAsyncIterable(body))
    streamOf(body instanceof ItemBody ? body.source : body)
      .on('error', () => undefined)
      .destroy();
}

/** True for bytes and streams, which have no schema. */
export function isBytes(body: unknown): boolean {
  return body instanceof Uint8Array || isAsyncIterable(body);
}

/** True for a web ReadableStream too. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
