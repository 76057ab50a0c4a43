import { declaredType, isRange, parameterValue } from '../http/media-type.ts';
import type { PartItem } from '../http/part-item.ts';
import { partKind, typeOfValue, type PartReading } from '../http/part-kind.ts';
import { splitParts, type ReceivedPart } from '../http/split-parts.ts';
import { joined, PartWriter, withBoundary, type WrittenPart } from '../http/written-part.ts';
import type { Place } from '../schema/places.ts';
import type { BodyWriter } from './request-items.ts';
import type { PartShape, PartShapes, Shape } from './shape.ts';

/** What the parts of a response are read with. */
interface PartsReading {
  /** The most bytes of a part. */
  readonly limit: number;
  /** Makes the error for a part that the contract does not describe; `what` ends its sentence. */
  readonly mistake: (what: string) => Error;
  /** The value of a part's JSON. @throws the error of `mistake`. */
  readonly parseItem: (json: string, index: number, place: Place | undefined) => unknown;
  readonly placeOf: (shape: Shape) => Place | undefined;
}

const SCALAR = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/**
 * The parts of a multipart body as they arrive. Ending the iteration cancels the stream.
 * @param received the Content-Type of the body.
 * @throws the error of `mistake`, and that of the stream.
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  received: string,
  shapes: PartShapes,
  reading: PartsReading,
): AsyncGenerator<PartItem, void> {
  const { limit, mistake } = reading;
  const boundary = parameterValue(received, 'boundary');
  if (boundary === undefined) throw mistake('has no boundary in its Content-Type.');
  let index = 0;
  const hold = (bytes: number): void => {
    if (bytes > limit) throw mistake(`has a part ${index} of more than ${limit} bytes.`);
  };
  const refuse = (problem: string): Error => mistake(`${problem}.`);
  for await (const part of splitParts(chunks, boundary, hold, refuse)) {
    yield await partItem(part, index, shapeAt(shapes, index), reading);
    index += 1;
  }
}

async function partItem(
  { headers, content }: ReceivedPart,
  index: number,
  shape: PartShape,
  reading: PartsReading,
): Promise<PartItem> {
  const { types } = shape;
  const [only = ''] = types;
  const contentType = headers.get('content-type') ?? (types.length === 1 && !isRange(only) ? only : 'text/plain');
  const declared = declaredType(types, contentType);
  if (declared === undefined)
    throw reading.mistake(`has a part ${index} of the type '${contentType}', not ${types.join(' or ')}.`);
  const kind = partKind(kindsOf(shape), declared, contentType);
  const item = { contentType, headers: Object.fromEntries(headers) };
  if (kind === 'bytes') return { ...item, value: content.slice() };
  if (kind === 'parts' && shape.parts !== undefined) {
    const parts: PartItem[] = [];
    for await (const part of readParts(onlyChunk(content), contentType, shape.parts, reading)) parts.push(part);
    return { ...item, value: parts };
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  const isJson = kind === 'json' || (kind === 'text' && shape.hasScalars === true && SCALAR.test(text));
  return { ...item, value: isJson ? reading.parseItem(text, index, reading.placeOf(shape.value ?? {})) : text };
}

async function* onlyChunk(chunk: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(chunk);
}

/** What the parts of a request are written with. */
interface PartsWriting {
  /** The JSON value of a part's value. @throws TypeError or RangeError with its name. */
  readonly encodeValue: (value: unknown, shape: Shape, name: string) => unknown;
  readonly exactJson: (value: unknown) => string;
}

/** Writes the parts of one multipart body, in turn. */
export class PartsWriter implements BodyWriter {
  /** The media type with the boundary. */
  readonly contentType: string;
  readonly #shapes: PartShapes;
  readonly #writing: PartsWriting;
  readonly #name: string;
  readonly #written: PartWriter;
  #index = 0;

  /** @param name of the body in messages. */
  constructor(type: string, shapes: PartShapes, writing: PartsWriting, name = 'body') {
    const { contentType, boundary } = withBoundary(type);
    this.contentType = contentType;
    this.#shapes = shapes;
    this.#writing = writing;
    this.#name = name;
    this.#written = new PartWriter(boundary);
  }

  /** The bytes of the next part. @throws TypeError or RangeError with its name. */
  itemBytes(item: unknown): Uint8Array<ArrayBuffer> {
    const name = `${this.#name}[${this.#index}]`;
    const part = this.#part(item, shapeAt(this.#shapes, this.#index), name);
    this.#index += 1;
    try {
      return this.#written.partBytes(part);
    } catch (cause) {
      throw new TypeError(`${name} cannot be sent: ${cause instanceof Error ? cause.message : ''}.`, { cause });
    }
  }

  endBytes(): Uint8Array<ArrayBuffer> {
    return this.#written.endBytes();
  }

  /** The bytes of a body with these parts. @throws TypeError or RangeError as `itemBytes` does. */
  bodyBytes(items: readonly unknown[]): Uint8Array<ArrayBuffer> {
    return joined([...items.map((item) => this.itemBytes(item)), this.endBytes()]);
  }

  #part(item: unknown, shape: PartShape, name: string): WrittenPart {
    if (typeof item !== 'object' || item === null || !('value' in item))
      throw new TypeError(`${name} must be a part such as { value: 'text' }.`);
    // As the contract's types have it.
    const { value, contentType, headers = {} } = item as PartialPart;
    const { types, value: valueShape = {} } = shape;
    const type = contentType ?? typeOfValue(kindsOf(shape), types, value);
    const declared = type === undefined ? undefined : declaredType(types, type);
    if (type === undefined || declared === undefined)
      throw new TypeError(`${name}.contentType must be ${types.join(' or ')}.`);
    const texts = Object.entries(headers)
      .filter(([header, text]) => text !== undefined && header.toLowerCase() !== 'content-type')
      .map(([header, text]): [string, string] => [header, String(text)]);
    const kind = partKind(kindsOf(shape), declared, type);
    if (kind === 'parts' && shape.parts !== undefined) {
      if (!Array.isArray(value)) throw new TypeError(`${name}.value must be a list of parts.`);
      const inner = new PartsWriter(type, shape.parts, this.#writing, `${name}.value`);
      return { contentType: inner.contentType, headers: texts, content: inner.bodyBytes(value) };
    }
    if (kind === 'bytes') {
      if (!(value instanceof Uint8Array)) throw new TypeError(`${name}.value must be a Uint8Array.`);
      return { contentType: type, headers: texts, content: value };
    }
    const encoded = this.#writing.encodeValue(value, valueShape, `${name}.value`);
    const text = kind !== 'json' && typeof encoded === 'string' ? encoded : this.#writing.exactJson(encoded);
    return { contentType: type, headers: texts, content: new TextEncoder().encode(text) };
  }
}

interface PartialPart {
  readonly value: unknown;
  readonly contentType?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

function shapeAt({ prefix = [], item }: PartShapes, index: number): PartShape {
  return prefix[index] ?? item;
}

function kindsOf({ parts, isEncoded }: PartShape): PartReading {
  return { hasParts: parts !== undefined, isEncoded: isEncoded === true };
}
