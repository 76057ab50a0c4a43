import { described } from '../errors/described.ts';
import { messageOf } from '../errors/errors.ts';
import { declaredType } from '../http/media-type.ts';
import { partKind, typeOfValue } from '../http/part-kind.ts';
import { joined, PartWriter, withBoundary, type WrittenPart } from '../http/written-part.ts';
import type { JsonBody } from '../json/json-body.ts';
import { ValueCount } from '../json/value-count.ts';
import { PartHeaders } from '../bodies/part-headers.ts';
import { checkedText, headerText } from '../parameters/header-text.ts';
import { RESPONSE_HEADER } from '../parameters/locations.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { byteLengths, partAt, type ByteLengths, type ItemPart, type ItemParts } from '../schema/item-parts.ts';
import { isObject, type OpenApiDocument } from '../schema/openapi-document.ts';

/** What checks parts by their names behind that of the body, such as `;item0`. */
export interface PartCheck {
  /** The value as it is sent. @throws MismatchError for one that its schema does not describe. */
  readonly checkedValue: (name: string, value: unknown) => JsonBody;
  /** @throws MismatchError. */
  readonly checkHeaders: (name: string, values: Readonly<Record<string, unknown>>, count: ValueCount) => void;
}

/** Writes the parts of a multipart body, by position. */
export class ItemPartWriters {
  readonly #parts: ItemParts;
  readonly #writers: ReadonlyMap<ItemPart, ItemPartWriter>;

  constructor(document: OpenApiDocument, parts: ItemParts) {
    this.#parts = parts;
    this.#writers = new Map([...parts.prefix, parts.item].map((part) => [part, new ItemPartWriter(document, part)]));
  }

  /**
   * A part as it is sent.
   * @throws Error that says what the handler must give, as the end of a sentence.
   */
  writtenPart(index: number, item: unknown, check: PartCheck): WrittenPart {
    const writer = this.#writers.get(partAt(this.#parts, index));
    if (writer === undefined) throw new Error('There is no writer for a part.');
    return writer.writtenPart(item, check);
  }

  /** The content of a multipart body that is a part itself. @throws Error as `writtenPart` does. */
  contentBytes(items: readonly unknown[], boundary: string, check: PartCheck): Uint8Array {
    const { minItems, maxItems } = this.#parts;
    if (items.length < minItems) throw new Error(`it must have at least ${minItems} parts`);
    if (items.length > maxItems) throw new Error(`it must have at most ${maxItems} parts`);
    const written = new PartWriter(boundary);
    const parts = items.map((item, index) => {
      try {
        return written.partBytes(this.writtenPart(index, item, check));
      } catch (cause) {
        throw new Error(`its part ${index} is not as described: ${messageOf(cause)}`, { cause });
      }
    });
    return joined([...parts, written.endBytes()]);
  }
}

/** Writes the parts at one position. */
class ItemPartWriter {
  readonly #part: ItemPart;
  readonly #headers: PartHeaders;
  readonly #isScalar: boolean;
  readonly #parts: ItemPartWriters | undefined;
  readonly #bytes: ByteLengths;

  constructor(document: OpenApiDocument, part: ItemPart) {
    const { refuse } = RESPONSE_HEADER;
    this.#part = part;
    this.#headers = new PartHeaders(document, part.headers, refuse);
    this.#isScalar = new ValueReader(document, part.schema, refuse).isScalar;
    this.#parts = part.parts && new ItemPartWriters(document, part.parts);
    this.#bytes = byteLengths(document, part.schema);
  }

  /** @throws Error as {@link ItemPartWriters.writtenPart} does. */
  writtenPart(item: unknown, check: PartCheck): WrittenPart {
    if (!isObject(item) || !('value' in item))
      throw new TypeError(`it must be a part such as { value: 'text' }, not ${described(item)}`);
    const { value, headers } = item;
    const { mediaTypes } = this.#part;
    const contentType = item['contentType'] ?? typeOfValue(this.#part, mediaTypes, value);
    if (typeof contentType !== 'string') throw new TypeError(`its contentType must be ${mediaTypes.join(' or ')}`);
    const declared = declaredType(mediaTypes, contentType);
    if (declared === undefined)
      throw new TypeError(`its contentType must be ${mediaTypes.join(' or ')}, not ${contentType}`);
    const written = { headers: this.#headerTexts(headers, check) };
    const kind = partKind(this.#part, declared, contentType);
    if (kind !== 'parts' || this.#parts === undefined)
      return { ...written, contentType, content: this.#content(kind, value, check) };
    if (!Array.isArray(value)) throw new TypeError(`its value must be a list of parts, not ${described(value)}`);
    const multipart = withBoundary(contentType);
    const content = this.#parts.contentBytes(value, multipart.boundary, check);
    return { ...written, contentType: multipart.contentType, content };
  }

  #content(kind: string, value: unknown, { checkedValue }: PartCheck): Uint8Array {
    const { name } = this.#part;
    if (kind === 'bytes') {
      if (!(value instanceof Uint8Array))
        throw new TypeError(`its value must be a Uint8Array, not ${described(value)}`);
      if (value.length > this.#bytes.most) throw new RangeError(`it must have at most ${this.#bytes.most} bytes`);
      // The schema of bytes says little more than their number: a text is checked in their place.
      checkedValue(name, 'x'.repeat(Math.min(value.length, this.#bytes.fewest)));
      return value;
    }
    if (kind === 'json') return Buffer.from(checkedValue(name, value).text);
    if (!this.#isScalar) {
      if (typeof value !== 'string') throw new TypeError(`its value must be a text, not ${described(value)}`);
      return Buffer.from(value);
    }
    const json = checkedValue(name, value);
    return Buffer.from(typeof json.value === 'string' ? json.value : json.text);
  }

  #headerTexts(given: unknown, { checkHeaders }: PartCheck): WrittenPart['headers'] {
    if (given !== undefined && !isObject(given))
      throw new TypeError(`its headers must be an object, not ${described(given)}`);
    const declared = new Map(this.#part.headers.map((header) => [header.name.toLowerCase(), header]));
    const texts = Object.entries(given ?? {})
      .filter(([name, value]) => value !== undefined && name.toLowerCase() !== 'content-type')
      .map(([name, value]): [string, string] => [
        name,
        checkedText(name, headerText(name, value, declared.get(name.toLowerCase()) ?? {})),
      ]);
    if (!this.#headers.isDeclared) return texts;
    const count = new ValueCount();
    const byName = Object.fromEntries(texts.map(([name, text]) => [name.toLowerCase(), text]));
    checkHeaders(this.#part.name, this.#headers.headerValues(byName, count), count);
    return texts;
  }
}
