import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { described } from '../errors/described.ts';
import { isObject } from '../schema/openapi-document.ts';
import { holdIdleTimeout } from './idle-timeout.ts';

/**
 * The body of a response as a stream of bytes. Destroying it ends the body.
 * @param write the text or bytes of an item; by default the items are strings or bytes.
 * @param writeEnd what is sent behind the last item. Throws if there must be more.
 */
export function streamOf(
  body: AsyncIterable<unknown>,
  write?: (item: never) => string | Uint8Array,
  writeEnd?: () => string | Uint8Array,
): Readable {
  const source = body instanceof ReadableStream ? Readable.fromWeb(body, { objectMode: true }) : body;
  const isSent = source instanceof Readable && write === undefined && !source.readableObjectMode;
  return isSent ? source : Readable.from(new Chunks(source, write, writeEnd), { objectMode: false });
}

/**
 * The items of a body as sent. Not a generator: it could not be ended while it waits for
 * an item.
 */
class Chunks implements AsyncIterableIterator<unknown> {
  readonly #source: AsyncIterable<unknown>;
  readonly #items: AsyncIterator<unknown, unknown>;
  readonly #write: ((item: never) => string | Uint8Array) | undefined;
  /** Undefined once the end was written. */
  #writeEnd: (() => string | Uint8Array) | undefined;
  #isOver = false;

  constructor(
    source: AsyncIterable<unknown>,
    write: ((item: never) => string | Uint8Array) | undefined,
    writeEnd: (() => string | Uint8Array) | undefined,
  ) {
    this.#writeEnd = writeEnd;
    this.#source = source;
    this.#items = source[Symbol.asyncIterator]();
    this.#write = write;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown, undefined>> {
    // Node.js asks on while nothing is sent, also when the stream is destroyed.
    if (this.#isOver) return { done: true, value: undefined };
    const result: unknown = await this.#items.next();
    // As `for await` requires it. Node.js would ask such an iterator again and again.
    if (!isObject(result)) throw new TypeError(`The next() of an iterator must give an object, not ${String(result)}.`);
    if (result['done']) {
      const end = this.#writeEnd?.() ?? '';
      this.#writeEnd = undefined;
      return end.length === 0 ? { done: true, value: undefined } : { done: false, value: end };
    }
    const item = result['value'];
    // The handler's type has it that the items are of the media type.
    const sent: unknown = this.#write === undefined ? item : this.#write(item as never);
    if (typeof sent !== 'string' && !ArrayBuffer.isView(sent)) {
      throw new TypeError(`An item of a stream must be a string or bytes, not ${described(sent)}.`);
    }
    // Without anything to send, only a pause lets other work go on.
    if (sent === '' || (typeof sent !== 'string' && sent.byteLength === 0)) await nextIteration();
    return { done: false, value: sent };
  }

  async return(): Promise<IteratorResult<unknown, undefined>> {
    this.#isOver = true;
    // The iterator of a stream that was not read yet, or that waits, does not end it.
    if (this.#source instanceof Readable) this.#source.on('error', () => undefined).destroy();
    else await this.#items.return?.();
    return { done: true, value: undefined };
  }
}

/** How a stream is sent. */
interface StreamSending {
  /**
   * Whether the head is sent before the first bytes, after which an error of the stream can only
   * close the connection.
   */
  readonly isEvents: boolean;
  /** The Content-Length; undefined without one. */
  readonly length: number | undefined;
  readonly writeHead: () => void;
}

/**
 * A client that closes its side while it receives bytes may still read, and only a write shows
 * whether it does. It has left if there was no write for this time, in milliseconds.
 */
const SILENCE = 1_000;

/** Sends a stream at the client's speed. The end of either ends the other. */
export async function sendStream(
  response: ServerResponse,
  source: Readable,
  { isEvents, length, writeHead }: StreamSending,
): Promise<void> {
  const left = new AbortController();
  const leave = (): void => {
    // A source that has failed closes the response too.
    if (source.destroyed) return;
    left.abort();
    source.destroy();
  };
  const { socket } = response;
  const endIdleTimeout = holdIdleTimeout(response.req.socket);
  const timeout = socket?.timeout ?? 0;
  const leaveSoon = (): void => void socket?.setTimeout(SILENCE);
  response.once('close', leave);
  // The reader of events never closes its side alone, and no write may show soon that it has left.
  if (isEvents) socket?.once('end', leave);
  try {
    // A client that has left already closes nothing any more.
    if (response.req.method === 'HEAD' || response.destroyed) {
      writeHead();
      response.end();
      return;
    }
    if (!isEvents) await begun(source, left.signal);
    writeHead();
    if (isEvents) response.flushHeaders();
    else socket?.once('end', leaveSoon);
    await (length === undefined ? pipeline(source, response) : pipeline(source, exactly(length), response));
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    socket?.off('end', leave).off('end', leaveSoon);
    // Requests may follow on the connection, whose handlers have more time.
    if (socket?.timeout === SILENCE) socket.setTimeout(timeout);
    endIdleTimeout();
    source.on('error', () => undefined).destroy();
  }
}

/** Waits for the first bytes of a stream, or its end. Rejects with its error. */
async function begun(source: Readable, signal: AbortSignal): Promise<void> {
  await Promise.race([once(source, 'readable', { signal }), finished(source, { writable: false, signal })]);
}

/** Lets bytes pass. Throws for another number: the client would take the next response for them. */
function exactly(length: number): (chunks: AsyncIterable<string | Uint8Array>) => AsyncGenerator<string | Uint8Array> {
  return async function* (chunks) {
    let size = 0;
    for await (const chunk of chunks) {
      size += Buffer.byteLength(chunk);
      if (size > length) break;
      yield chunk;
    }
    if (size !== length) throw new Error(`The stream must have the ${length} bytes of its Content-Length.`);
  };
}
