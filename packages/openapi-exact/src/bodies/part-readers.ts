import type { Readable } from 'node:stream';
import type { Encoding, MediaTypeObject, OpenApiDocument, Schema } from '../document/openapi-document.ts';
import { alternatives, typesOf } from '../parameters/alternatives.ts';
import { FormFields } from '../parameters/form-fields.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { asParameter, FormReader, MULTIPART } from './form-reader.ts';
import { parseJson } from '../numbers/parse-json.ts';
import { declaredType, essenceOf, kindOf } from '../document/media-type.ts';
import type { PartHead } from './multipart-parser.ts';
import { isOf, OPAQUE, withoutOpaque } from './opaque-parts.ts';
import { PartHeaders } from './part-headers.ts';
import { decodeUtf8, tooLarge, unsupported } from './receive.ts';

/** A part of a multipart body, as handlers get it. A field has a `value`, a file has a `body`. */
export interface Part {
  readonly name: string;
  /** Without a path; a name that the client has chosen. */
  readonly filename?: string;
  readonly contentType: string;
  /** All headers of the part, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly value?: unknown;
  /** To be read before the next part is asked for. */
  readonly body?: Readable;
}

/** What the parts of a multipart body may be, by their names. */
export class PartReaders {
  /** The schema of the whole body. */
  readonly whole: Schema;
  /** The schema of one part at a time: its properties are the parts, none is required. */
  readonly schema: Schema;
  /** The same for the headers of one part. */
  readonly headers: Schema;
  /** Reads the fields that are texts. */
  readonly form: FormReader;
  readonly #document: OpenApiDocument;
  readonly #readers = new Map<string, PartReader>();

  constructor(document: OpenApiDocument, mediaType: MediaTypeObject) {
    this.#document = document;
    this.whole = withoutOpaque(document, mediaType);
    this.form = new FormReader(document, { ...mediaType, schema: this.whole }, MULTIPART);
    const parts = [...this.form.properties].map(([name, schema]): [string, Schema] => {
      const reader = new PartReader(document, name, schema, mediaType.encoding?.[name] ?? {});
      this.#readers.set(name, reader);
      return [name, reader.schema];
    });
    this.schema = { type: 'object', properties: Object.fromEntries(parts) };
    const headers = [...this.#readers].map(([name, reader]) => [name, reader.headers.schema]);
    this.headers = { type: 'object', properties: Object.fromEntries(headers) };
  }

  /** The reader of the parts of one name; a name that is not declared is a text. */
  of(name: string): PartReader {
    return this.#readers.get(name) ?? new PartReader(this.#document, name, {}, {});
  }

  /** Whether a part has a name that the schema declares. */
  declares(name: string): boolean {
    return this.#readers.has(name);
  }
}

/** Reads the parts of one name. */
export class PartReader {
  /** The schema of one part. */
  readonly schema: Schema;
  readonly isArray: boolean;
  /** Whether a list in one part stands for its items, none of which is a list. */
  readonly isFlat: boolean;
  /** The fewest bytes of a file. */
  readonly minLength: number;
  readonly headers: PartHeaders;
  readonly #name: string;
  readonly #isFile: boolean;
  readonly #reader: ValueReader;
  readonly #contentType: string | undefined;
  /** The most bytes of a file. */
  readonly #maxLength: number;
  /** Reads an array or object in one part; undefined without a style that says so. */
  readonly #styled: FormFields | undefined;

  constructor(document: OpenApiDocument, name: string, schema: Schema, encoding: Encoding) {
    const all = alternatives(document, schema);
    const arrays = all.filter((one) => typesOf(one).includes('array'));
    const items = { anyOf: arrays.map((one) => one['items'] ?? {}) };
    const parts = arrays.length > 0 ? alternatives(document, items) : all;
    const files = parts.filter(
      (one) => isBinary(one) || isOf(encoding.contentType, typesOf(one).length === 0 ? OPAQUE : ['bytes']),
    );
    this.#name = name;
    this.headers = new PartHeaders(document, name, encoding.headers);
    this.#contentType = encoding.contentType;
    const [parameter] = asParameter(name, schema, encoding);
    this.#styled = parameter?.explode === false ? new FormFields(document, [parameter], MULTIPART) : undefined;
    this.isArray = arrays.length > 0;
    this.isFlat = this.isArray && !parts.some((one) => typesOf(one).includes('array'));
    this.#isFile = files.length > 0;
    // With a filename, any part is a file.
    const sized = files.length === 0 ? parts : files;
    this.#maxLength = Math.max(...sized.map((one) => numberOr(one['maxLength'], Infinity)));
    this.minLength = Math.max(0, ...parts.map((one) => numberOr(one['minLength'], 0)));
    this.schema = this.isArray ? { anyOf: [items, { type: 'array', items }] } : schema;
    this.#reader = new ValueReader(document, this.isArray ? items : schema, MULTIPART.refuse);
  }

  /**
   * Whether a part is a file: it has a filename or another type than text and JSON, or its schema
   * says so.
   */
  isFile({ filename, contentType }: PartHead): boolean {
    const kind = kindOf(contentType ?? 'text/plain');
    if (kind === 'json' && !this.#isFile) return false;
    return this.#isFile || filename !== undefined || (kind !== 'text' && kind !== 'json' && kind !== 'xml');
  }

  /**
   * The media type of a part.
   * @throws RequestError unsupportedMediaType when it is none of those that `encoding` allows.
   */
  contentType({ contentType, filename }: PartHead): string {
    const allowed = this.#contentType?.split(',').map((one) => one.trim());
    if (contentType === undefined) {
      const [only, ...others] = allowed ?? [];
      if (only !== undefined && others.length === 0) return only;
      return filename === undefined ? 'text/plain' : 'application/octet-stream';
    }
    if (allowed !== undefined && declaredType(allowed, contentType) === undefined) {
      throw unsupported(`The part '${this.#name}' must be ${allowed.join(' or ')}, not ${essenceOf(contentType)}.`, {});
    }
    return contentType;
  }

  /**
   * The value of a field, with numbers as `LosslessNumber`s.
   * @throws RequestError malformedBody or invalidBody.
   */
  read(bytes: Uint8Array, contentType: string): unknown {
    if (/;\s*charset=(?!"?utf-8)/i.test(contentType)) {
      throw unsupported(`The part '${this.#name}' must be in UTF-8.`, {});
    }
    const text = decodeUtf8(bytes, `The part '${this.#name}'`);
    if (kindOf(contentType) === 'json') return parseJson(text, `the part '${this.#name}'`);
    if (this.#styled !== undefined) return this.#styled.read(new Map([[this.#name, [text]]]))[this.#name];
    return this.#reader.text(text, this.#name);
  }

  /** @throws RequestError bodyTooLarge when a file has more bytes than its schema allows. */
  requireSize(size: number): void {
    if (size <= this.#maxLength) return;
    throw tooLarge(`The part '${this.#name}' must not be larger than ${this.#maxLength} bytes.`);
  }
}

/** A string of bytes: `format: binary`, or a `contentMediaType` without encoding (OpenAPI 3.1). */
function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

function numberOr(value: unknown, preset: number): number {
  return typeof value === 'number' ? value : preset;
}
