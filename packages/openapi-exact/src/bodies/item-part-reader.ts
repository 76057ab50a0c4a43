import { MismatchError } from '../errors/invalid-response-error.ts';
import { requirementOf } from '../errors/limits.ts';
import { quoted } from '../errors/shortened.ts';
import { declaredType, isRange, parameterValue } from '../http/media-type.ts';
import type { PartItem } from '../http/part-item.ts';
import { partKind, type PartKind } from '../http/part-kind.ts';
import { splitParts, type ReceivedPart } from '../http/split-parts.ts';
import { readJson } from '../json/read-json.ts';
import { keyOfToken } from '../json/json-pointer.ts';
import { setOwn } from '../json/set-own.ts';
import type { ValueCount } from '../json/value-count.ts';
import { RESPONSE_HEADER } from '../parameters/locations.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { byteLengths, partAt, type ByteLengths, type ItemPart, type ItemParts } from '../schema/item-parts.ts';
import type { OpenApiDocument } from '../schema/openapi-document.ts';
import { malformedBody, refuseBody, refuseBodyAt, refuseJson, tooLarge, unsupported } from './body-refusals.ts';
import { partHeadersType } from './message-parts.ts';
import { malformedMultipart } from './multipart-parser.ts';
import { PartHeaders } from './part-headers.ts';
import { requireDistinctParameters } from './receive.ts';
import type { ValidateValue } from './received-body.ts';
import { decodeUtf8, isUtf8 } from './utf8.ts';

/** A part that has arrived, and how it is read. */
export interface ArrivedPart {
  readonly reader: ItemPartReader;
  readonly received: ReceivedPart;
  readonly contentType: string;
  readonly kind: PartKind;
  /** Those of a multipart body. */
  readonly parts: readonly ArrivedPart[];
  /** Its place in the body, as a JSON pointer, and as messages name it. */
  readonly pointer: string;
  readonly what: string;
}

/** What the value of a part is checked with. */
interface PartContext {
  /** The declared media type of the body. */
  readonly declared: string;
  readonly count: ValueCount;
  readonly validate: ValidateValue;
}

/** Reads the parts at one position. */
export class ItemPartReader {
  readonly #part: ItemPart;
  readonly #headers: PartHeaders;
  readonly #text: ValueReader;
  readonly #parts: ItemPartReaders | undefined;
  readonly #bytes: ByteLengths;

  constructor(document: OpenApiDocument, part: ItemPart) {
    const { refuse } = RESPONSE_HEADER;
    this.#part = part;
    this.#headers = new PartHeaders(document, part.headers, refuse);
    this.#text = new ValueReader(document, part.schema, refuse);
    this.#parts = part.parts && new ItemPartReaders(document, part.parts);
    this.#bytes = byteLengths(document, part.schema);
  }

  /**
   * Finds out how a part is read, and splits a multipart body within it.
   * @param mostParts the most parts of such a body.
   * @throws RequestError unsupportedMediaType, malformedBody, or bodyTooLarge.
   */
  async arrive(received: ReceivedPart, pointer: string, mostParts: number): Promise<ArrivedPart> {
    const what = `Part ${pointer.slice(1)} of the request body`;
    const { mediaTypes } = this.#part;
    const sent = received.headers.get('content-type');
    if (sent !== undefined) requireDistinctParameters(sent);
    const [only = ''] = mediaTypes;
    const contentType = sent ?? (mediaTypes.length === 1 && !isRange(only) ? only : 'text/plain');
    const declared = declaredType(mediaTypes, contentType);
    if (declared === undefined)
      throw unsupported(`${what} must be ${mediaTypes.join(' or ')}, not ${quoted(contentType)}.`, {});
    const kind = partKind(this.#part, declared, contentType);
    if (kind !== 'bytes' && kind !== 'parts' && !isUtf8(contentType))
      throw unsupported(`${what} must be in UTF-8.`, {});
    const parts =
      kind === 'parts' && this.#parts !== undefined
        ? await this.#parts.arriveWithin(received.content, contentType, pointer, mostParts)
        : [];
    return { reader: this, received, contentType, kind, parts, pointer, what };
  }

  /**
   * The part with its value, exact and valid.
   * @throws RequestError malformedBody, invalidBody, bodyTooLarge.
   */
  read(arrived: ArrivedPart, context: PartContext): PartItem {
    const { received, contentType } = arrived;
    context.count.addToCount(received.headers.size);
    const headers: Record<string, string> = {};
    for (const [name, value] of received.headers) setOwn(headers, name, value);
    this.#validateHeaders(headers, arrived, context);
    return { contentType, headers, value: this.#value(arrived, context) };
  }

  #value(arrived: ArrivedPart, context: PartContext): unknown {
    const { received, kind, parts, pointer, what } = arrived;
    if (kind === 'parts') return parts.map((part) => part.reader.read(part, context));
    const { content } = received;
    if (kind === 'bytes') {
      const { length } = content;
      if (length > this.#bytes.most) throw tooLarge(`${what} must not be larger than ${this.#bytes.most} bytes.`);
      // The schema of bytes says little more than their number: a text is checked in their place.
      this.#validate('x'.repeat(Math.min(length, this.#bytes.fewest)), arrived, context);
      return new Uint8Array(content);
    }
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const text = decodeUtf8(bytes, what, pointer);
    if (kind === 'json')
      return this.#validate(readJson(bytes, text, refuseJson(what, pointer), context.count), arrived, context);
    context.count.addToCount();
    // A text whose schema is that of an array or object has no value that it describes.
    if (!this.#text.isScalar) return text;
    return this.#validate(this.#scalar(text, arrived, context), arrived, context);
  }

  #scalar(text: string, { kind, pointer }: ArrivedPart, { count }: PartContext): unknown {
    if (kind === 'xml') return text;
    try {
      return this.#text.text(text, '', count);
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      throw refuseBody({ place: pointer, keyword: error.keyword, limits: error.limits }, text);
    }
  }

  #validate(value: unknown, { pointer }: ArrivedPart, { declared, count, validate }: PartContext): unknown {
    return validate(`${declared}${this.#part.name}`, value, count, (place) => pointer + place).body;
  }

  #validateHeaders(
    headers: Readonly<Record<string, string>>,
    { pointer, what }: ArrivedPart,
    { declared, count, validate }: PartContext,
  ): void {
    if (!this.#headers.isDeclared) return;
    try {
      const values = this.#headers.headerValues(headers, count);
      validate(partHeadersType(`${declared}${this.#part.name}`), values, count, (place) => pointer + place);
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const { place, keyword, limits } = error;
      const message = `The header '${keyOfToken(place.slice(1))}' of ${what.toLowerCase()} ${requirementOf(limits)}.`;
      throw refuseBodyAt(pointer + place, keyword, 'invalidBody', message);
    }
  }
}

/** The readers of the parts of a multipart body, by position. */
export class ItemPartReaders {
  readonly #parts: ItemParts;
  readonly #readers: ReadonlyMap<ItemPart, ItemPartReader>;

  constructor(document: OpenApiDocument, parts: ItemParts) {
    this.#parts = parts;
    this.#readers = new Map([...parts.prefix, parts.item].map((part) => [part, new ItemPartReader(document, part)]));
  }

  /** @see ItemPartReader.arrive */
  arrive(received: ReceivedPart, index: number, outer: string, mostParts: number): Promise<ArrivedPart> {
    const reader = this.#readers.get(partAt(this.#parts, index));
    if (reader === undefined) throw new Error('There is no reader for a part.');
    return reader.arrive(received, `${outer}/${index}`, mostParts);
  }

  /** The parts of a multipart body that is a part itself. @param pointer to that part. */
  async arriveWithin(
    content: Uint8Array,
    contentType: string,
    pointer: string,
    mostParts: number,
  ): Promise<readonly ArrivedPart[]> {
    const { minItems, maxItems } = this.#parts;
    const boundary = parameterValue(contentType, 'boundary');
    if (boundary === undefined)
      throw malformedBody('The Content-Type of a multipart part must have a boundary.', pointer);
    const arrived: ArrivedPart[] = [];
    // The whole part is in memory, and has been counted.
    for await (const received of splitParts(onlyChunk(content), boundary, () => undefined, malformedMultipart)) {
      if (arrived.length >= mostParts) throw tooLarge(`A part must not have more than ${mostParts} parts.`);
      if (arrived.length >= maxItems)
        throw refuseBody({ place: pointer, keyword: 'maxItems', limits: { greatest: String(maxItems), of: 'items' } });
      arrived.push(await this.arrive(received, arrived.length, pointer, mostParts));
    }
    if (arrived.length < minItems)
      throw refuseBody({ place: pointer, keyword: 'minItems', limits: { fewest: String(minItems), of: 'items' } });
    return arrived;
  }
}

async function* onlyChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(chunk);
}
