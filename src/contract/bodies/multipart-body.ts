import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ValidRequest } from '../validate.ts';
import { chunksOf } from './receive.ts';
import type { BodyLimits } from './limits.ts';
import type { CollectedParts, Part, PartReaders } from './part-readers.ts';
import { MultipartParser, type PartHead } from './multipart-parser.ts';
import type { Check, MediaType, ReceivedBody } from './received-body.ts';
import { SharedIterator } from './shared-iterator.ts';

/** The key under which the schema of one part stands beside that of the whole body. */
export function partType(mediaType: string): string {
  return `${mediaType};part`;
}

/** The key under which the schema of the headers of one part stands there. */
export function partHeadersType(mediaType: string): string {
  return `${mediaType};headers`;
}

/** A multipart body on its way in. */
interface Arriving {
  readonly request: IncomingMessage;
  readonly boundary: string;
}

/**
 * A multipart body. One of up to `limits.buffered` bytes is validated before the handler gets its
 * parts. A larger one is streamed: each field is validated when it arrives and the whole at the
 * end, which throws inside the handler's iteration.
 */
export class MultipartBody implements ReceivedBody {
  readonly #mediaType: MediaType;
  readonly #arriving: Arriving;
  readonly #readers: PartReaders;
  readonly #limits: BodyLimits;
  #parts: SharedIterator<Part> | undefined;

  constructor(mediaType: MediaType, arriving: Arriving, readers: PartReaders, limits: BodyLimits) {
    this.#mediaType = mediaType;
    this.#arriving = arriving;
    this.#readers = readers;
    this.#limits = limits;
  }

  async validate(check: Check): Promise<ValidRequest> {
    const { request, boundary } = this.#arriving;
    const { declared, contentType } = this.#mediaType;
    const { isWhole, chunks } = await readAhead(chunksOf(request, this.#limits.streamed), this.#limits.buffered);
    const parser = new MultipartParser(chunks, boundary);
    const parts = new Parts(parser, this.#readers, declared, check);
    if (!isWhole) {
      // The parameters are validated before the handler is called, and an empty body beside them.
      const valid = await check(partType(declared), {});
      this.#parts = new SharedIterator(parts.streamed());
      return { ...valid, contentType, body: this.#parts };
    }
    const { valid, held } = await parts.whole();
    this.#parts = new SharedIterator(held);
    return { ...valid, contentType, body: this.#parts };
  }

  /**
   * Reads and validates what the handler has left.
   * @throws RequestError for the rest, or again what the handler's iteration threw.
   */
  async finish(): Promise<void> {
    await this.#parts?.finish();
  }
}

/** The parts of one body. */
class Parts {
  readonly #parser: MultipartParser;
  readonly #readers: PartReaders;
  readonly #mediaType: string;
  readonly #check: Check;
  readonly #collected: CollectedParts;

  constructor(parser: MultipartParser, readers: PartReaders, mediaType: string, check: Check) {
    this.#parser = parser;
    this.#readers = readers;
    this.#mediaType = mediaType;
    this.#check = check;
    this.#collected = readers.collect();
  }

  /** Reads all parts, the files too, and validates them. */
  async whole(): Promise<{ valid: ValidRequest; held: AsyncIterator<Part> }> {
    const held: Part[] = [];
    const parts = this.streamed();
    let next = await parts.next();
    for (; next.done !== true; next = await parts.next()) {
      const { body, ...part } = next.value;
      if (body === undefined) held.push(part);
      else {
        const chunks: unknown[] = [];
        for await (const chunk of body) chunks.push(chunk);
        held.push({ ...part, body: Readable.from(chunks, { objectMode: false }) });
      }
    }
    return { valid: next.value, held: Readable.from(held)[Symbol.asyncIterator]() };
  }

  /** Hands the parts over as they arrive, and validates the whole at the end. */
  async *streamed(): AsyncGenerator<Part, ValidRequest> {
    for (let head = await this.#parser.next(); head !== undefined; head = await this.#parser.next()) {
      const part = await this.#begin(head);
      if ('value' in part) yield await this.#exact(part);
      else {
        const body = Readable.from(this.#file(head), { objectMode: false });
        // The handler may leave it unread, and then has no listener for its errors.
        body.on('error', () => undefined);
        yield { ...part, body };
        await this.#endFile(head);
      }
    }
    return this.#check(this.#mediaType, this.#collected.object());
  }

  /** A part: a field with its value, or the head of a file. */
  async #begin(head: PartHead): Promise<Part> {
    this.#collected.begin();
    const { name, filename, headers } = head;
    const reader = this.#readers.of(name);
    const contentType = reader.contentType(head);
    if (reader.headers.isDeclared) {
      await this.#check(partHeadersType(this.#mediaType), { [name]: reader.headers.read(headers) });
    }
    const part = { name, ...(filename === undefined ? {} : { filename }), contentType, headers };
    if (reader.isFile(head)) return part;
    const bytes = await this.#collected.field(this.#parser.content());
    const value = reader.read(bytes, contentType);
    this.#collected.addField(name, bytes, contentType, value);
    return { ...part, value };
  }

  async *#file({ name }: PartHead): AsyncGenerator<Buffer, void> {
    const reader = this.#readers.of(name);
    let size = 0;
    for await (const chunk of this.#parser.content()) {
      size += chunk.length;
      reader.requireSize(size);
      yield chunk;
    }
  }

  /** Skips what the handler has not read of a file. */
  async #endFile({ name }: PartHead): Promise<void> {
    const size = await this.#parser.skip();
    this.#readers.of(name).requireSize(size);
    this.#collected.addFile(name, size);
  }

  /** A field with an exact value, valid by the schema of its property. */
  async #exact(part: Part): Promise<Part> {
    const { body } = await this.#check(partType(this.#mediaType), { [part.name]: part.value });
    // The validator returns an object for an object.
    return { ...part, value: (body as Record<string, unknown>)[part.name] };
  }
}

/**
 * Reads until there are more bytes than `limit`.
 * @returns whether these are all, and all chunks again.
 */
async function readAhead(
  rest: AsyncGenerator<Buffer, void>,
  limit: number,
): Promise<{ isWhole: boolean; chunks: AsyncIterable<Buffer> }> {
  const ahead: Buffer[] = [];
  let isWhole = false;
  for (let size = 0; size <= limit && !isWhole;) {
    const { done, value } = await rest.next();
    if (done === true) isWhole = true;
    else {
      ahead.push(value);
      size += value.length;
    }
  }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    for (let chunk = ahead.shift(); chunk !== undefined; chunk = ahead.shift()) yield chunk;
    yield* rest;
  }
  return { isWhole, chunks: chunks() };
}
