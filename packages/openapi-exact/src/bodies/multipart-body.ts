import { Readable } from 'node:stream';
import { getOrInsert } from '../json/get-or-insert.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { copyJson } from '../json/copy-json.ts';
import { isSpecialKey } from '../json/special-keys.ts';
import type { ValueCount } from '../json/value-count.ts';
import { partHeadersType, partType } from './message-parts.ts';
import type { RequestMemory } from './request-memory.ts';
import type { BodyLimits } from './limits.ts';
import { essenceOf } from '../http/media-type.ts';
import { fieldsOf, isObject, own } from '../schema/openapi-document.ts';
import type { Part, PartReaders } from './part-readers.ts';
import { MultipartParser, type PartHead } from './multipart-parser.ts';
import { CollectedBytes } from './collected-bytes.ts';
import { malformedBody, refuseBody, tooLarge } from './body-refusals.ts';
import { chunksOf } from './receive.ts';
import type { MediaType, ReceivedBody, ValidateValue } from './received-body.ts';
import { SharedIterator } from './shared-iterator.ts';

/** What a multipart body is read with. */
interface MultipartContext {
  readonly mediaType: MediaType;
  readonly readers: PartReaders;
  readonly limits: BodyLimits;
  readonly memory: RequestMemory;
  readonly validate: ValidateValue;
}

/**
 * A multipart body. One of up to `limits.buffered` bytes is read as a whole and validated before
 * the handler gets its parts. A larger one is streamed: each part is validated when it arrives and
 * the whole at the end, which throws inside the handler's iteration.
 */
export async function multipartBody(
  request: Readable,
  boundary: string,
  context: MultipartContext,
): Promise<ReceivedBody> {
  const { mediaType, limits, memory } = context;
  const { declared, contentType } = mediaType;
  const { isWhole, chunks } = await readAhead(chunksOf(request, limits.streamed), limits.buffered, memory);
  const parts = new PartSequence(new MultipartParser(chunks, boundary), context, isWhole);
  const iterator = isWhole ? Readable.from(await parts.readAll())[Symbol.asyncIterator]() : parts.streamAll();
  const shared = new SharedIterator<Part>(iterator);
  const finish = (): Promise<void> => shared.finish();
  return isWhole
    ? { schemaName: declared, value: parts.object(), count: parts.wholeCount, contentType, content: shared, finish }
    : { schemaName: partType(declared), value: NO_PARTS_YET, contentType, content: shared, finish };
}

/**
 * Replaces a body that is unknown before its end, so that the parameters are validated
 * before the handler is called: the schema for one part requires none.
 */
const NO_PARTS_YET = {};

/** A part, with the bytes of a file as they arrive. */
interface ArrivingPart extends Part {
  readonly content?: AsyncIterable<Buffer>;
}

/** The parts of one body. Their values are kept for its schema, those of files without bytes. */
class PartSequence {
  /** The count of the values of the object that the parts make: they are values a second time. */
  readonly wholeCount: ValueCount;
  /** The count of the values of the parts. */
  readonly #count: ValueCount;
  readonly #parser: MultipartParser;
  readonly #readers: PartReaders;
  readonly #limits: BodyLimits;
  readonly #mediaType: string;
  readonly #isForm: boolean;
  readonly #isWhole: boolean;
  readonly #memory: RequestMemory;
  readonly #validate: ValidateValue;
  /** The fields that are texts, by name. */
  readonly #texts = new Map<string, string[]>();
  /** The other fields, and the placeholders of files. */
  readonly #values = new Map<string, unknown[]>();
  readonly #names = new Set<string>();
  #object: unknown;
  /** The size of what is kept of a stream: its fields, and the names of all parts. */
  #kept = 0;
  #parts = 0;

  /** @param isWhole whether all parts are kept at once. */
  constructor(
    parser: MultipartParser,
    { readers, limits, mediaType, memory, validate }: MultipartContext,
    isWhole: boolean,
  ) {
    this.#parser = parser;
    this.#isWhole = isWhole;
    this.#readers = readers;
    this.#limits = limits;
    this.#mediaType = mediaType.declared;
    this.#isForm = essenceOf(mediaType.contentType) === 'multipart/form-data';
    this.#memory = memory;
    this.#validate = validate;
    this.wholeCount = memory.valueCount();
    this.#count = memory.valueCount();
  }

  /** All parts, with the bytes of files in memory. */
  async readAll(): Promise<Part[]> {
    const parts: Part[] = [];
    for await (const { content, ...part } of this.#arrivingParts()) {
      if (content === undefined) parts.push(part);
      else parts.push({ ...part, body: readableOf(await joined(content)) });
    }
    return parts;
  }

  /** Hands the parts over as they arrive, and validates the whole at the end. */
  async *streamAll(): AsyncGenerator<Part, void> {
    for await (const { content, ...part } of this.#arrivingParts()) {
      if (content === undefined) {
        yield part;
        continue;
      }
      const body = Readable.from(content, { objectMode: false });
      // The handler may leave it unread, and then has no listener for its errors.
      body.on('error', () => undefined);
      yield { ...part, body };
    }
    this.#validate(this.#mediaType, this.object(), this.wholeCount);
  }

  /** The parts as they arrive. */
  async *#arrivingParts(): AsyncGenerator<ArrivingPart, void> {
    for (let head = await this.#nextHead(); head !== undefined; head = await this.#nextHead()) {
      const part = await this.#beginPart(head);
      if (part === undefined) continue;
      if ('value' in part) {
        if (this.#readers.isProperty(part.name)) yield* this.#exactFields(part);
      } else {
        yield { ...part, content: this.#file(head, this.#parser.partContent()) };
        await this.#endFile(head);
      }
    }
    yield* this.#composed();
  }

  /** A part for each property that was sent in pieces, such as `a[b]` and `a[c]`. */
  *#composed(): Generator<Part, void> {
    const fields = this.#fields();
    for (const [name, value] of Object.entries(fieldsOf(fields))) {
      if (!this.#names.has(name)) yield* this.#exactFields({ name, contentType: 'text/plain', headers: {}, value });
    }
  }

  /** The fields that are texts, as the object that their names and styles make. */
  #fields(): unknown {
    this.#object ??= this.#readers.form.formValue(this.#texts, this.wholeCount);
    if (!this.wholeCount.isPlain) this.#count.isPlain = false;
    return this.#object;
  }

  /**
   * The head of the next part with the name of its property. A form alone requires parts to be
   * named.
   */
  async #nextHead(): Promise<PartHead | undefined> {
    const head = await this.#parser.nextPart();
    if (head === undefined) return undefined;
    const name = this.#isForm ? head.name : this.#readers.names.partName(head);
    return { ...head, name: this.#readers.propertyName(name) };
  }

  /** A field with its value, or the head of a file; undefined for a file that was not chosen. */
  async #beginPart(head: PartHead): Promise<Part | undefined> {
    if (++this.#parts > this.#limits.parts) {
      throw tooLarge(`The request body must not have more than ${this.#limits.parts} parts.`);
    }
    const { name, filename, headers } = head;
    const reader = this.#readers.readerOf(name, this.#count);
    // Parts with a style are texts, whatever their media type is (OpenAPI 3.1.1, section 4.8.15).
    const isStyled = this.#readers.isStyled(name);
    const isFile = !isStyled && reader.takesFile(head);
    this.#requireName(head, isFile);
    this.#keep(name.length);
    this.#count.addName(name);
    if (isSpecialKey(name)) this.#count.isPlain = false;
    // Browsers send an input without a file so (HTML standard, section 4.10.22.4).
    if (this.#isForm && isFile && filename === '' && (await this.#parser.isEmpty())) return undefined;
    if (this.#isWhole) this.#memory.addPart(headers, isFile);
    const contentType = reader.contentType(head);
    if (reader.headers.isDeclared) {
      this.#validate(
        partHeadersType(this.#mediaType),
        { [name]: reader.headers.headerValues(headers, this.#count) },
        this.#count,
      );
    }
    const part = { name, ...(filename === undefined ? {} : { filename }), contentType, headers };
    if (isFile) return part;
    const bytes = await this.#readField();
    const text = reader.fieldText(name, bytes, contentType);
    // A piece of a property is a text, which becomes a value with the other pieces.
    const isJson = this.#readers.isProperty(name) && reader.isJson(text, contentType);
    const value = reader.fieldValue(name, text, isJson, this.#count);
    if (isJson) appendTo(this.#values, name, value);
    else appendTo(this.#texts, name, text);
    return { ...part, value };
  }

  /** @throws RequestError for a part that may not have its name, or that must not be repeated. */
  #requireName({ type, name }: PartHead, isFile: boolean): void {
    if (this.#isForm && (name === '' || type !== 'form-data')) {
      const message =
        'Each part of a form must have the Content-Disposition form-data with a name (RFC 7578, section 4.2).';
      throw malformedBody(message);
    }
    // A copy of an object with such a property would have another prototype.
    if (name === '__proto__') throw refuseBody({ place: '', keyword: 'additionalProperties', limits: 'prototypePart' });
    this.#readers.form.requireStyle(name);
    if (!this.#readers.allowsPart(name, isFile)) {
      throw refuseBody({ place: `/${tokenOfKey(name)}`, keyword: 'additionalProperties', limits: 'undeclared' });
    }
    const isRepeated =
      this.#names.has(name) && this.#readers.declares(name) && !this.#readers.readerOf(name, this.#count).isArray;
    if (isRepeated) throw refuseBody({ place: `/${tokenOfKey(name)}`, keyword: 'type', limits: 'once' });
    this.#names.add(name);
  }

  /** The bytes of a field. */
  async #readField(): Promise<Buffer> {
    const collected = new CollectedBytes();
    for await (const chunk of this.#parser.partContent()) {
      this.#keep(chunk.length);
      collected.addChunk(chunk);
    }
    return collected.takeBytes();
  }

  /** Adds to what is kept until the end of the body. @throws RequestError bodyTooLarge. */
  #keep(size: number): void {
    this.#kept += size;
    if (this.#kept <= this.#limits.buffered) return;
    throw tooLarge(
      `The fields of the request body, with the names of its parts, must not be larger than ${this.#limits.buffered} bytes in all.`,
    );
  }

  async *#file({ name }: PartHead, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const reader = this.#readers.readerOf(name, this.#count);
    let size = 0;
    for await (const chunk of content) {
      size += chunk.length;
      reader.requireSize(name, size);
      yield chunk;
    }
  }

  /** Skips what the handler has not read of a file. */
  async #endFile({ name }: PartHead): Promise<void> {
    const size = await this.#parser.skip();
    const reader = this.#readers.readerOf(name, this.#count);
    reader.requireSize(name, size);
    // Its placeholder in the object is a text as short as the schema allows.
    appendTo(this.#values, name, 'x'.repeat(Math.min(size, reader.minLength)));
  }

  /**
   * The object that the schema of the body describes.
   * @throws RequestError invalidBody when a name is repeated whose property takes no array.
   */
  object(): unknown {
    const texts = this.#fields();
    if (!this.#count.isPlain) this.wholeCount.isPlain = false;
    if (!isObject(texts)) return texts;
    const values = [...this.#values].map(([name, given]): [string, unknown] => {
      const { isArray, isFlat } = this.#readers.readerOf(name, this.#count);
      const text = own(texts, name);
      const all = [...(text === undefined ? [] : [text].flat()), ...(isFlat ? given.flat() : given)];
      if (isArray) return [name, all];
      if (all.length === 1 || !this.#readers.declares(name)) return [name, all.length === 1 ? all[0] : all];
      throw refuseBody({ place: `/${tokenOfKey(name)}`, keyword: 'type', limits: 'once' });
    });
    return { ...texts, ...Object.fromEntries(values) };
  }

  /** The fields of a part, with exact values that are valid: one for each item of a list. */
  #exactFields(part: Part): readonly Part[] {
    // Completed in place: the whole is checked as it was sent.
    const sent = { [part.name]: copyJson(part.value) };
    const { body } = this.#validate(partType(this.#mediaType), sent, this.#count);
    // The validator returns an object for an object.
    const value = (body as Record<string, unknown>)[part.name];
    const values: readonly unknown[] =
      this.#readers.readerOf(part.name, this.#count).isFlat && Array.isArray(value) ? value : [value];
    return values.map((item) => ({ ...part, value: item }));
  }
}

async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const collected = new CollectedBytes();
  for await (const chunk of chunks) collected.addChunk(chunk);
  return collected.takeBytes();
}

/** A stream of bytes that are in memory: a body may have many. */
function readableOf(bytes: Buffer): Readable {
  return new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes);
      this.push(null);
    },
  });
}

/** A part of multipart/mixed has no name, so that no property describes it. */
function appendTo<T>(fields: Map<string, T[]>, name: string, value: T): void {
  if (name !== '') getOrInsert(fields, name, () => []).push(value);
}

/**
 * Reads until there are more bytes than `limit`.
 * @returns whether these are all, and all chunks again.
 */
async function readAhead(
  laterChunks: AsyncGenerator<Buffer, void>,
  limit: number,
  memory: RequestMemory,
): Promise<{ isWhole: boolean; chunks: AsyncIterable<Buffer> }> {
  const readBytes = new CollectedBytes();
  let isWhole = false;
  for (let size = 0; size <= limit && !isWhole;) {
    const { done, value } = await laterChunks.next();
    if (done === true) isWhole = true;
    else {
      memory.addBytes(value.length);
      readBytes.addChunk(value);
      size += value.length;
    }
  }
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield readBytes.takeBytes();
    yield* laterChunks;
  }
  return { isWhole, chunks: chunks() };
}
