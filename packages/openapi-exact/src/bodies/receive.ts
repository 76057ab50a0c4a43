import type { IncomingMessage } from 'node:http';
import { finished, Readable } from 'node:stream';
import { codeOf, messageOf, RequestError } from '../errors/errors.ts';
import { quoted } from '../errors/shortened.ts';
import { BODY_KINDS, bodyKind, mediaTypeParameters } from '../http/media-type.ts';
import { bodyTooLarge, bodyTooSmall, CLOSE, tooLarge } from './body-refusals.ts';
import { CollectedBytes } from './collected-bytes.ts';

/** Maximum length of a Content-Type, in characters. */
const MAX_CONTENT_TYPE = 8 * 1024;

/**
 * A body may have so many chunks, and more where they have so many bytes each on average. What
 * arrives before the body is read may count as one.
 */
export const MAX_SMALL_CHUNKS = 1_000;
const SMALL_CHUNK = 64;

/**
 * A request has a body when it has Transfer-Encoding or a Content-Length that is not 0 (RFC 9112,
 * section 6), which may also be written 00.
 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** @throws RequestError malformedHttp for transfer codings that Node.js leaves in the body. */
export function requireChunked({ headers }: IncomingMessage): void {
  const { 'transfer-encoding': coding = 'chunked' } = headers;
  if (coding.trim().toLowerCase() === 'chunked') return;
  throw new RequestError('malformedHttp', 'The Transfer-Encoding must be chunked, without another coding.', {
    headers: CLOSE,
  });
}

/**
 * Requires that no parameter of a media type, such as the boundary, has two values.
 * @throws RequestError malformedBody.
 */
export function requireDistinctParameters(contentType: string): void {
  if (contentType.length > MAX_CONTENT_TYPE) {
    throw new RequestError('malformedBody', `The Content-Type must have at most ${MAX_CONTENT_TYPE} characters.`);
  }
  const known = new Set<string>();
  for (const [name] of mediaTypeParameters(contentType)) {
    if (known.has(name)) {
      throw new RequestError('malformedBody', `The Content-Type must have the parameter ${quoted(name)} once.`);
    }
    known.add(name);
  }
}

/**
 * The stream of a body: the request, or the bytes that another middleware has kept of it as
 * `rawBody` or `body`.
 * @throws Error for a body that was read and not kept as it came.
 */
export function bodySource(
  request: IncomingMessage & { readonly rawBody?: unknown; readonly body?: unknown },
): Readable {
  if (!request.readableDidRead) return request;
  const kept = [request.rawBody, request.body].find(
    (value) => typeof value === 'string' || value instanceof Uint8Array,
  );
  if (kept !== undefined) return streamOf(Buffer.from(kept));
  throw new Error(
    'The request body was read before, as express.json() does: mount contractMiddleware in front of such middleware.',
  );
}

function streamOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      this.push(bytes);
      this.push(null);
    },
  });
}

/**
 * An empty text, form or file is sent with its Content-Type and a Content-Length of 0. JSON, XML
 * and multipart bodies are never empty: without content there is none.
 */
export function isEmptyBody({ headers }: IncomingMessage): boolean {
  const { 'content-type': contentType = '', 'content-length': length } = headers;
  return Number(length) === 0 && contentType !== '' && BODY_KINDS[bodyKind(contentType)].mayBeEmpty;
}

/**
 * Discards the first chunk of a body that has no announced length.
 * @returns false if there is none. A body announced with `Expect` is not empty (RFC 9110, section
 * 10.1.1).
 */
export async function discardFirstChunk(request: IncomingMessage): Promise<boolean> {
  const { 'transfer-encoding': coding, expect } = request.headers;
  if (coding === undefined || expect !== undefined) return true;
  return (await nextChunk(request, request[Symbol.asyncIterator]())) !== undefined;
}

/**
 * Refuses a body that is not empty.
 * @throws RequestError unexpectedBody, or malformedHttp for invalid chunks.
 */
export async function requireNoBody(request: IncomingMessage): Promise<void> {
  if (!(await discardFirstChunk(request))) return;
  throw new RequestError('unexpectedBody', 'This operation takes no request body: send none.', { headers: CLOSE });
}

/**
 * The bytes of a body as they arrive, at the reader's speed. `dropRest` drops what a reader leaves.
 * @param limit the most bytes. @param least the fewest.
 * @param allowedChunks how many small chunks it may have by now.
 * @throws RequestError bodyTooLarge, invalidBody, malformedHttp; Error after the response.
 */
export async function* chunksOf(
  request: Readable,
  limit: number,
  least = 0,
  allowedChunks = (): number => MAX_SMALL_CHUNKS,
): AsyncGenerator<Buffer, void> {
  const chunks = request[Symbol.asyncIterator]();
  let size = 0;
  let count = 0;
  for (let chunk = await nextChunk(request, chunks); chunk !== undefined; chunk = await nextChunk(request, chunks)) {
    size += chunk.length;
    count += 1;
    if (size > limit) throw bodyTooLarge(limit);
    if (size < count * SMALL_CHUNK && count > allowedChunks()) throw tooManyChunks();
    yield chunk;
  }
  if (size < least) throw bodyTooSmall(least);
}

/** Requests that were answered before they had arrived. */
const DROPPED = new WeakSet<Readable>();

/**
 * Drops the rest of a request that is answered, since the next one on the connection comes behind
 * it. Node.js does so only for a body that is still unread.
 */
export function dropRest(request: IncomingMessage): void {
  if (request.complete) return;
  DROPPED.add(request);
  request.removeAllListeners('readable');
  request.resume();
}

/**
 * The most that is read after a response that closes the connection: bytes, where a chunk counts
 * as a small one at least, and milliseconds.
 */
const MOST_REST = 1_048_576;
const LONGEST_REST = 1_000;

/**
 * Calls back when the connection of a refused request may be closed: a client that is still sending
 * may lose the response with it (RFC 9112, section 9.6). `dropRest` reads until then.
 */
export function beforeClosing(request: IncomingMessage, close: () => void): void {
  let size = 0;
  const countBytes = (chunk: Buffer): void => {
    size += Math.max(chunk.length, SMALL_CHUNK);
    if (size > MOST_REST) end();
  };
  const timer = setTimeout(end, LONGEST_REST);
  const forget = finished(request, { writable: false }, end);
  request.on('data', countBytes);
  function end(): void {
    clearTimeout(timer);
    forget();
    request.off('data', countBytes);
    // Until the socket is closed, Node.js would read all that the system holds.
    request.pause();
    request.socket.pause();
    close();
  }
}

/**
 * Reads a body as a whole. The bytes are not to be kept: they may be a part of a larger buffer.
 * @throws RequestError as `chunksOf` does, or overloaded.
 */
export function readWhole(
  request: Readable,
  limit: number,
  memory: { addBytes(bytes: number): void },
): Promise<Buffer> {
  return new WholeBody(request, limit, memory).received;
}

/** A body that is read as a whole, by events: an iterator takes several promises for each chunk. */
class WholeBody {
  readonly received: Promise<Buffer>;
  readonly #request: Readable;
  readonly #limit: number;
  readonly #memory: { addBytes(bytes: number): void };
  readonly #chunks = new CollectedBytes();
  #resolve: (bytes: Buffer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #size = 0;
  #count = 0;

  constructor(request: Readable, limit: number, memory: { addBytes(bytes: number): void }) {
    this.#request = request;
    this.#limit = limit;
    this.#memory = memory;
    this.received = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    if (request.destroyed) this.#fail(refusalOf(request.errored ?? prematureEnd()));
    else {
      request.on('data', this.#addChunk).on('end', this.#finish).on('error', this.#failWith);
      request.on('close', this.#close);
    }
  }

  readonly #addChunk = (chunk: Buffer): void => {
    this.#size += chunk.length;
    this.#count += 1;
    try {
      if (DROPPED.has(this.#request)) throw answeredEarly();
      if (this.#size > this.#limit) throw bodyTooLarge(this.#limit);
      if (this.#count > MAX_SMALL_CHUNKS && this.#size < this.#count * SMALL_CHUNK) throw tooManyChunks();
      this.#memory.addBytes(chunk.length);
      this.#chunks.addChunk(chunk);
    } catch (error) {
      // Only errors are thrown here.
      this.#fail(error as Error);
    }
  };

  readonly #finish = (): void => {
    this.#stop();
    if (DROPPED.has(this.#request)) this.#reject(answeredEarly());
    else this.#resolve(this.#chunks.takeView());
  };

  readonly #failWith = (error: Error): void => {
    this.#fail(refusalOf(error));
  };

  readonly #close = (): void => {
    this.#fail(refusalOf(prematureEnd()));
  };

  #fail(error: Error): void {
    this.#stop();
    // A request without a listener for its error would end the process.
    this.#request.on('error', () => undefined);
    this.#reject(error);
  }

  #stop(): void {
    this.#request.off('data', this.#addChunk).off('end', this.#finish).off('error', this.#failWith);
    this.#request.off('close', this.#close);
  }
}

function prematureEnd(): Error {
  return new Error('The request has ended before its body.');
}

function tooManyChunks(): RequestError {
  return tooLarge(
    `The request body must not come in more than ${MAX_SMALL_CHUNKS} chunks of less than ${SMALL_CHUNK} bytes on average.`,
  );
}

/** The error of a reader that goes on after the response. */
export function answeredEarly(): Error {
  return new Error('The request was answered before its body was read to the end.');
}

/** @param chunks of a request without encoding, which are Buffers. */
async function nextChunk(request: Readable, chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  // A first call would stop the dropping, and a later one take the end of the rest for the end.
  const next = DROPPED.has(request) ? undefined : await nextResult(chunks);
  if (next === undefined || DROPPED.has(request)) throw answeredEarly();
  return next.done === true ? undefined : next.value;
}

/** @throws RequestError for what the iterator throws. */
async function nextResult(chunks: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer, unknown>> {
  try {
    return await chunks.next();
  } catch (cause) {
    throw refusalOf(cause);
  }
}

/** The refusal of a body that ends with an error. */
function refusalOf(cause: unknown): RequestError {
  const [reason, message] =
    codeOf(cause) === 'ECONNRESET'
      ? (['malformedHttp', 'The request body did not arrive as its headers announced it.'] as const)
      : (['internal', messageOf(cause)] as const);
  return new RequestError(reason, message, { headers: CLOSE, cause });
}
