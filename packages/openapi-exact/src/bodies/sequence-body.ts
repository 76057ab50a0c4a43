import type { Readable } from 'node:stream';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { RequestError } from '../errors/errors.ts';
import { isTruncated, splitEvents, splitLines, splitRecords, type ReceivedEvent } from '../http/split-items.ts';
import { readJson } from '../json/read-json.ts';
import { ValueCount } from '../json/value-count.ts';
import { splitParts } from '../http/split-parts.ts';
import type { ItemPartReaders } from './item-part-reader.ts';
import { malformedMultipart } from './multipart-parser.ts';
import { itemType } from './message-parts.ts';
import { placeInEvent } from '../schema/event-schemas.ts';
import type { Sequence } from '../schema/sequence.ts';
import { malformedBody, refuseBody, refuseJson, tooLarge } from './body-refusals.ts';
import { ItemMemory } from './item-memory.ts';
import type { BodyLimits } from './limits.ts';
import { chunksOf, MAX_SMALL_CHUNKS } from './receive.ts';
import type { MediaType, ReceivedBody, ValidateValue } from './received-body.ts';
import type { RequestMemory } from './request-memory.ts';
import { SharedIterator } from './shared-iterator.ts';
import { decodeUtf8 } from './utf8.ts';

/** The reader and limits for a stream of items. */
interface SequenceContext {
  readonly mediaType: MediaType;
  readonly limits: BodyLimits;
  readonly memory: RequestMemory;
  readonly validate: ValidateValue;
  /** What reads the parts of a multipart body, and stands between them. */
  readonly parts: { readonly readers: ItemPartReaders; readonly boundary: string } | undefined;
}

/**
 * A body of a sequential media type: each item is read when the handler asks for it, and validated
 * alone. What a handler leaves is read and validated before a successful response.
 */
export function sequenceBody(request: Readable, sequence: Sequence, context: SequenceContext): ReceivedBody {
  const items = new SharedIterator(new ItemReader(request, sequence, context).readItems());
  return {
    schemaName: context.mediaType.declared,
    value: undefined,
    contentType: context.mediaType.contentType,
    content: items,
    items,
    finish: async (isStreamed) => {
      if (isStreamed) items.requireSound();
      else await items.finish();
    },
  };
}

/** So many chunks may bring an item, however small they are. */
const CHUNKS_OF_ITEM = 4;

/** Items that are read before the event loop goes on with other work. */
const ITEMS_IN_A_ROW = 50;

/** Reads the items of one body. */
class ItemReader {
  readonly #request: Readable;
  readonly #sequence: Sequence;
  readonly #context: SequenceContext;
  readonly #memory: ItemMemory;
  /** The index of the item that arrives. */
  #index = 0;

  constructor(request: Readable, sequence: Sequence, context: SequenceContext) {
    this.#request = request;
    this.#sequence = sequence;
    this.#context = context;
    this.#memory = new ItemMemory(context.memory);
  }

  /** The items, exact and with defaults. @throws RequestError of the first that is not valid. */
  async *readItems(): AsyncGenerator<unknown, void> {
    const { minItems, maxItems } = this.#sequence;
    for await (const read of this.#sentItems()) {
      if (this.#index >= maxItems)
        throw refuseBody({ place: '', keyword: 'maxItems', limits: { greatest: String(maxItems), of: 'items' } });
      this.#memory.beginItem();
      const count = new ValueCount(this.#context.limits.values, tooManyValues, this.#memory);
      const body = this.#context.parts === undefined ? this.#validated(read(count), count) : read(count);
      this.#index += 1;
      yield body;
      // A chunk may bring thousands of items: other requests get their turn between them.
      if (this.#index % ITEMS_IN_A_ROW === 0) await nextIteration();
    }
    if (this.#index < minItems)
      throw refuseBody({ place: '', keyword: 'minItems', limits: { fewest: String(minItems), of: 'items' } });
  }

  /** @throws RequestError of the item. */
  #validated(value: unknown, count: ValueCount): unknown {
    const { jsonData, prefix } = this.#sequence;
    const name = itemType(this.#context.mediaType.declared, this.#index, prefix.length);
    if (jsonData === undefined) return this.#validItem(name, value, count);
    // The reader returns events.
    const event = value as ReceivedEvent;
    const text = Buffer.from(event.data);
    const refuse = refuseJson(`The data of item ${this.#index} of the request body`, `${this.#pointer}/data`);
    const withJson = (): ReceivedEvent => {
      const json = readJson(text, event.data, refuse, count);
      // The schema admits no other data.
      const valid = this.#validItem(name, { ...event, data: { json } }, count) as { data: { json: string } };
      return { ...valid, data: valid.data.json };
    };
    if (jsonData === 'all') return withJson();
    if (Array.isArray(jsonData))
      return jsonData.includes(event.event) ? withJson() : this.#validItem(name, event, count);
    try {
      return this.#validItem(name, { ...event }, count);
    } catch (error) {
      if (!(error instanceof RequestError) || !isJsonText(event.data)) throw error;
      return withJson();
    }
  }

  #validItem(name: string, value: unknown, count: ValueCount): unknown {
    const isWrapped = this.#sequence.jsonData !== undefined;
    const placeInBody = (checked: string): string => this.#pointer + (isWrapped ? placeInEvent(checked) : checked);
    return this.#context.validate(name, value, count, placeInBody).body;
  }

  get #pointer(): string {
    return `/${this.#index}`;
  }

  /** The items as they arrive, each to be read with a count of its values. */
  async *#sentItems(): AsyncGenerator<(count: ValueCount) => unknown, void> {
    const { streamed } = this.#context.limits;
    const allowedChunks = (): number => MAX_SMALL_CHUNKS + this.#index * CHUNKS_OF_ITEM;
    const chunks = chunksOf(this.#request, streamed, 0, allowedChunks);
    const refuse = (): Error => malformedBody('The request body must begin with a record separator (RFC 7464).');
    switch (this.#sequence.format) {
      case 'lines':
        for await (const line of splitLines(chunks, this.#hold)) yield this.#jsonReader(line);
        return;
      case 'records':
        for await (const record of splitRecords(chunks, this.#hold, refuse)) {
          yield this.#jsonReader(record, isTruncated(record));
        }
        return;
      case 'parts':
        yield* this.#sentParts(chunks);
        return;
      default:
        for await (const event of splitEvents(chunks, this.#hold, this.#decode)) yield () => ({ ...event });
    }
  }

  /** The parts of a multipart body, which are validated when they are read. */
  async *#sentParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<(count: ValueCount) => unknown, void> {
    const { parts, limits, mediaType, validate } = this.#context;
    if (parts === undefined) throw new Error('The parts of this body have no boundary.');
    for await (const received of splitParts(chunks, parts.boundary, this.#hold, malformedMultipart)) {
      const arrived = await parts.readers.arrive(received, this.#index, '', limits.parts);
      yield (count) => arrived.reader.read(arrived, { declared: mediaType.declared, count, validate });
    }
  }

  readonly #hold = (bytes: number): void => {
    const { item } = this.#context.limits;
    if (bytes > item) throw tooLarge(`Item ${this.#index} of the request body must not be larger than ${item} bytes.`);
    this.#memory.holdBytes(bytes);
  };

  readonly #decode = (bytes: Uint8Array): string =>
    decodeUtf8(asBuffer(bytes), `Item ${this.#index} of the request body`, this.#pointer);

  #jsonReader(bytes: Uint8Array, isCut = false): (count: ValueCount) => unknown {
    return (count) => {
      const what = `Item ${this.#index} of the request body`;
      const text = this.#decode(bytes);
      if (isCut) throw malformedBody(`${what} must end with a line feed (RFC 7464, section 2.4).`, this.#pointer);
      return readJson(bytes, text, refuseJson(what, this.#pointer), count);
    };
  }
}

function tooManyValues(what: string): Error {
  return tooLarge(`An item of the request body must not have more than ${what}.`);
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
