import { isAnnotation } from '../schema/annotations.ts';
import type { Readable } from 'node:stream';
import { getOrInsert } from '../json/get-or-insert.ts';
import { quoted } from '../errors/shortened.ts';
import { keyOfToken, tokenOfKey } from '../json/json-pointer.ts';
import { requirementOf } from '../errors/limits.ts';
import { encodingHeaders } from '../schema/item-parts.ts';
import type { Refuse } from '../parameters/locations.ts';
import {
  isSchema,
  type Encoding,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
} from '../schema/openapi-document.ts';
import { partsOf, reachableSchemas } from '../schema/schema-graph.ts';
import { alternatives, typesOf } from '../schema/alternatives.ts';
import { FormFields } from '../parameters/form-fields.ts';
import type { PropertySchemas } from '../parameters/other-properties.ts';
import { ValueReader } from '../parameters/value-reader.ts';
import { asParameter, FormReader, MULTIPART_LOCATION } from './form-reader.ts';
import { readJson } from '../json/read-json.ts';
import type { ValueCount } from '../json/value-count.ts';
import { bodyKind, declaredType, isRange } from '../http/media-type.ts';
import type { PartHead } from './multipart-parser.ts';
import { areBytes, isOpaque, withoutOpaque } from './opaque-parts.ts';
import { PartNames } from './part-names.ts';
import { PartHeaders } from './part-headers.ts';
import { refuseBodyAt, refuseJson, tooLarge, unsupported } from './body-refusals.ts';
import { decodeUtf8, isUtf8 } from './utf8.ts';

/**
 * A part of a multipart body, as handlers get it. A field has a `value`, a file has a `body`.
 * @example
 * for await (const { filename, body: file } of body) {
 *   if (file !== undefined) await save(filename, file);
 * }
 */
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
  /** The names of parts without one. */
  readonly names: PartNames;
  readonly #document: OpenApiDocument;
  readonly #readers = new Map<string, PartReader>();
  /** Those of names that are not declared, by the schemas that describe them. */
  readonly #otherReaders = new WeakMap<PropertySchemas, PartReader>();

  constructor(document: OpenApiDocument, mediaType: MediaTypeObject) {
    this.#document = document;
    this.whole = withoutOpaque(document, mediaType);
    this.form = new FormReader(document, { ...mediaType, schema: this.whole }, MULTIPART_LOCATION);
    const parts = [...this.form.properties].map(([name, schema]): [string, Schema] => {
      const reader = new PartReader(document, name, schema, mediaType.encoding?.[name] ?? {});
      this.#readers.set(name, reader);
      return [name, reader.schema];
    });
    this.names = new PartNames(this.#readers);
    this.schema = { type: 'object', properties: Object.fromEntries(parts), ...this.#otherParts() };
    const headers = [...this.#readers].map(([name, reader]) => [name, reader.headers.schema]);
    this.headers = { type: 'object', properties: Object.fromEntries(headers) };
  }

  /** The reader of the parts of one name. @param count of the values of the message. */
  readerOf(name: string, count: ValueCount): PartReader {
    const reader = this.#readers.get(name);
    if (reader !== undefined) return reader;
    const other = this.form.otherProperties.schemasOf(name, count);
    const anyOf = other.schemas;
    return getOrInsert(this.#otherReaders, other, () => new PartReader(this.#document, name, { anyOf }, {}));
  }

  /**
   * The name of the property that a part is: a part `files[]` or `files[0]` is a file of the list
   * `files`, as it would be an item of a list of texts.
   */
  propertyName(name: string): string {
    const [, list = ''] = /^([^[]+)\[\d*\]$/.exec(name) ?? [];
    const reader = this.declares(name) ? undefined : this.#readers.get(list);
    return reader?.isFile === true && reader.isArray && !this.isStyled(name) ? list : name;
  }

  /** Whether the schema allows a part of this name, which for a field may have keys in brackets. */
  allowsPart(name: string, isFile: boolean): boolean {
    if (this.declares(name) || name === '') return true;
    // A file has no pieces.
    if (this.#readers.get(/^[^[]+(?=\[)/.exec(name)?.[0] ?? '')?.isFile === true && !this.isStyled(name)) return false;
    return isFile ? this.form.otherProperties.allowsName(name) : this.form.allowsText(name);
  }

  /** What describes the parts of names that are not declared, where one schema does. */
  #otherParts(): Schema {
    const [object = {}, ...furtherObjects] = alternatives(this.#document, this.whole);
    if (furtherObjects.length > 0) return {};
    const partOf = (schema: unknown): unknown =>
      isSchema(schema) ? new PartReader(this.#document, '', schema, {}).schema : {};
    const { patternProperties, additionalProperties } = object;
    const patterns = Object.entries(patternProperties ?? {}).map(([pattern, schema]) => [pattern, partOf(schema)]);
    return { patternProperties: Object.fromEntries(patterns), additionalProperties: partOf(additionalProperties) };
  }

  /** Whether a part is a whole property: a part with keys in brackets is a piece of a property. */
  isProperty(name: string): boolean {
    return this.declares(name) || !this.form.hasKeys(name);
  }

  /** Whether a part is a piece of a property by a style of `encoding`. */
  isStyled(name: string): boolean {
    return !this.declares(name) && this.form.isEncoded(name);
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
  /** Whether a part with a list adds the list's items to the value. */
  readonly isFlat: boolean;
  /** The fewest bytes of a file. */
  readonly minLength: number;
  /** Whether a part is a field, whose value is validated. */
  readonly hasValue: boolean;
  /** The media types of `encoding`, or those that the schema has by default. */
  readonly mediaTypes: readonly string[];
  readonly headers: PartHeaders;
  /** Whether a part is a file by its schema. */
  readonly isFile: boolean;
  /** Whether the schema says nothing, so that a part itself says whether it is a file. */
  readonly #isOpen: boolean;
  /** Whether a part may be an array or object, beside a scalar. */
  readonly #isStructured: boolean;
  readonly #reader: ValueReader;
  /** The media types that `encoding` allows. */
  readonly #allowed: readonly string[] | undefined;
  /** The most bytes of a file. */
  readonly #maxLength: number;
  /** Reads an array or object in one part; undefined without a style that says so. */
  readonly #styled: FormFields | undefined;

  constructor(document: OpenApiDocument, name: string, schema: Schema, encoding: Encoding) {
    const all = alternatives(document, schema);
    const arrays = all.filter((alternative) => typesOf(alternative).includes('array'));
    const [array = {}, ...furtherArrays] = arrays;
    const items: unknown =
      furtherArrays.length === 0
        ? (array['items'] ?? {})
        : { anyOf: arrays.map((alternative) => alternative['items'] ?? {}) };
    const parts = arrays.length > 0 ? alternatives(document, items) : all;
    const files = parts.filter(
      (part) => isBinary(part) || (typesOf(part).length === 0 ? isOpaque : areBytes)(encoding.contentType),
    );
    this.headers = new PartHeaders(document, encodingHeaders(document, encoding.headers), refuseHeaderOf(name));
    this.#allowed = encoding.contentType?.split(',').map((mediaType) => mediaType.trim());
    const [parameter] = asParameter(name, schema, encoding);
    this.#styled = parameter?.explode === false ? new FormFields(document, [parameter], MULTIPART_LOCATION) : undefined;
    this.isArray = arrays.length > 0;
    this.isFlat = this.isArray && !parts.some((part) => typesOf(part).includes('array'));
    this.isFile = files.length > 0;
    this.#isOpen = !this.isFile && parts.every(isOpen);
    this.#isStructured = this.isArray || parts.some(isStructured);
    this.hasValue = !this.isFile && !this.#isOpen;
    this.mediaTypes = this.#allowed ?? [...new Set(parts.flatMap(defaultTypes))];
    const sized = files.length === 0 ? parts : files;
    this.#maxLength = Math.max(...sized.map((part) => numberOr(part['maxLength'], Infinity)));
    this.minLength = Math.max(0, ...parts.map((part) => numberOr(part['minLength'], 0)));
    this.schema = this.isArray ? listedSchema(document, items, this.isFlat) : schema;
    this.#reader = new ValueReader(document, this.isArray ? items : schema, MULTIPART_LOCATION.refuse);
  }

  /**
   * Whether a part is a file. Its schema or `encoding` says so; where they leave it open, the
   * client decides.
   */
  takesFile({ filename, contentType = 'text/plain' }: PartHead): boolean {
    if (!this.#isOpen) return this.isFile;
    const kind = bodyKind(contentType);
    if (kind === 'json') return false;
    return filename !== undefined || (kind !== 'text' && kind !== 'xml');
  }

  /**
   * The media type of a part. A part that names none has the only type that `encoding` allows.
   * @throws RequestError unsupportedMediaType when it is none of those that `encoding` allows, or
   * when a file does not tell which of them it is.
   */
  contentType(head: PartHead): string {
    const { contentType } = head;
    const allowed = this.#allowed;
    if (contentType === undefined) {
      const [only, ...furtherTypes] = allowed ?? [];
      if (only !== undefined && furtherTypes.length === 0 && !isRange(only)) return only;
      const isFile = this.takesFile(head);
      const preset = isFile && head.filename !== undefined ? 'application/octet-stream' : 'text/plain';
      if (!isFile || allowed === undefined || declaredType(allowed, preset) !== undefined) return preset;
      throw unsupported(`The part ${quoted(head.name)} must have the Content-Type ${allowed.join(' or ')}.`, {});
    }
    if (allowed !== undefined && declaredType(allowed, contentType) === undefined) {
      throw unsupported(
        `The part ${quoted(head.name)} must be ${allowed.join(' or ')}, not ${quoted(contentType)}.`,
        {},
      );
    }
    return contentType;
  }

  /**
   * The text of a field.
   * @throws RequestError unsupportedMediaType or malformedBody unless it is UTF-8.
   */
  fieldText(name: string, bytes: Buffer, contentType: string): string {
    const what = `The part ${quoted(name)}`;
    if (!isUtf8(contentType)) throw unsupported(`${what} must be in UTF-8.`, {});
    return decodeUtf8(bytes, what, `/${tokenOfKey(name)}`);
  }

  /**
   * Whether the text of a field is JSON because its part says so: where `encoding` allows the type,
   * or for an array or object that the schema allows. A scalar is a text, whatever its part says.
   */
  isJson(text: string, contentType: string): boolean {
    if (bodyKind(contentType) !== 'json' || this.#styled !== undefined) return false;
    if (this.#allowed !== undefined || this.#isOpen || !this.#reader.isScalar) return true;
    return this.#isStructured && /^\s*[[{]/.test(text);
  }

  /**
   * The value of a field, with numbers as `LosslessNumber`s.
   * @param count of the values of the message.
   * @throws RequestError malformedBody or invalidBody.
   */
  fieldValue(name: string, text: string, isJson: boolean, count: ValueCount): unknown {
    if (isJson)
      return readJson(Buffer.from(text), text, refuseJson(`The part ${quoted(name)}`, `/${tokenOfKey(name)}`), count);
    if (this.#styled !== undefined) return this.#styled.fieldValues(new Map([[name, [text]]]), count)[name];
    return this.#reader.text(text, tokenOfKey(name), count);
  }

  /** @throws RequestError bodyTooLarge when a file has more bytes than its schema allows. */
  requireSize(name: string, size: number): void {
    if (size <= this.#maxLength) return;
    throw tooLarge(`The part ${quoted(name)} must not be larger than ${this.#maxLength} bytes.`);
  }
}

/** Refuses the values of the headers of a part. */
function refuseHeaderOf(part: string): Refuse {
  return ({ place, keyword, limits }) => {
    const message = `The header '${keyOfToken(place)}' of the part '${part}' ${requirementOf(limits)}.`;
    return refuseBodyAt(`/${tokenOfKey(part)}`, keyword, 'invalidBody', message);
  };
}

/**
 * The schema of a part that is one item of a list, or a list of items.
 * @param isFlat whether no item is a list, so that the value tells which of both it is.
 */
function listedSchema(document: OpenApiDocument, items: unknown, isFlat: boolean): Schema {
  const listed = { anyOf: [items, { type: 'array', items }] };
  const hasDefaults =
    isSchema(items) && [...reachableSchemas(document, [items])].some((schema) => schema['default'] !== undefined);
  if (!isFlat || !hasDefaults) return listed;
  // Defaults are those of schemas that hold for every value, not of alternatives.
  const ofObjects = partsOf(document, items).map((part) =>
    Object.fromEntries(OF_PROPERTIES.filter((key) => key in part).map((key) => [key, part[key]])),
  );
  return { ...listed, items, allOf: ofObjects };
}

/** Keywords that describe the properties of objects, and nothing else. */
const OF_PROPERTIES = ['properties', 'patternProperties', 'additionalProperties'];

/** A string of bytes: `format: binary`, or a `contentMediaType` without encoding (OpenAPI 3.1). */
function isBinary({ format, contentMediaType, contentEncoding }: Schema): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** The media types of a part by its schema (OpenAPI 3.1.1, section 4.8.15.1); none for any. */
function defaultTypes(schema: Schema): readonly string[] {
  const { contentMediaType } = schema;
  if (isBinary(schema)) return [typeof contentMediaType === 'string' ? contentMediaType : 'application/octet-stream'];
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.map((type) => (type === 'object' || type === 'array' ? 'application/json' : 'text/plain'));
}

/** True for a schema that allows an array or object. */
function isStructured(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('array') || types.includes('object');
}

function isOpen(schema: Schema): boolean {
  return Object.keys(schema).every(isAnnotation);
}

function numberOr(value: unknown, preset: number): number {
  return typeof value === 'number' ? value : preset;
}
