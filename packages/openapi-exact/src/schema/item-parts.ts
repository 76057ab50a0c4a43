import { sequenceFormat } from '../http/media-type.ts';
import { partKinds, type PartKind, type PartReading } from '../http/part-kind.ts';
import { alternatives, typesOf } from './alternatives.ts';
import {
  list,
  resolve,
  type Encoding,
  type Encodings,
  type Header,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from './openapi-document.ts';
import { partsOf } from './schema-graph.ts';

/** What the contract says of the parts at one position of a multipart body without names. */
export interface ItemPart extends PartReading {
  /** What its schema's name has behind the name of the body's schema, such as `;item0`. */
  readonly name: string;
  /** The schema of its value. */
  readonly schema: Schema;
  /** The media types and ranges that it may have. */
  readonly mediaTypes: readonly string[];
  readonly kinds: ReadonlySet<PartKind>;
  readonly headers: readonly Parameter[];
  /** The parts of a multipart body within it. */
  readonly parts: ItemParts | undefined;
}

/** The parts of a multipart body without names, by position. */
export interface ItemParts {
  readonly prefix: readonly ItemPart[];
  /** All further parts. */
  readonly item: ItemPart;
  readonly minItems: number;
  readonly maxItems: number;
}

/** The schemas of items by position, and how many there may be. */
export interface ItemSchemas {
  readonly prefix: readonly Schema[];
  readonly item: Schema;
  readonly minItems: number;
  readonly maxItems: number;
}

/** How many bytes a part may have. */
export interface ByteLengths {
  readonly fewest: number;
  readonly most: number;
}

/** How many bytes the alternatives of a schema allow, by `minLength` and `maxLength`. */
export function byteLengths(document: OpenApiDocument, schema: Schema): ByteLengths {
  const all = alternatives(document, schema);
  return {
    fewest: Math.min(...all.map(({ minLength }) => Number(minLength ?? 0))),
    most: Math.max(...all.map(({ maxLength }) => Number(maxLength ?? Infinity))),
  };
}

/** The part at a position. */
export function partAt({ prefix, item }: ItemParts, index: number): ItemPart {
  return prefix[index] ?? item;
}

/** All descriptions of parts, those of parts within parts included. */
export function allParts({ prefix, item }: ItemParts): readonly ItemPart[] {
  return [...prefix, item].flatMap((part) => [part, ...(part.parts === undefined ? [] : allParts(part.parts))]);
}

/**
 * The parts of a multipart body whose items have these schemas.
 * @param outer the name of the part that it is the content of; '' for a body.
 */
export function itemParts(
  document: OpenApiDocument,
  schemas: ItemSchemas,
  { prefixEncoding = [], itemEncoding = {} }: Encodings,
  outer = '',
): ItemParts {
  const { minItems, maxItems } = schemas;
  const length = Math.max(schemas.prefix.length, prefixEncoding.length);
  const prefix = Array.from({ length }, (_, index) =>
    itemPart(
      document,
      `${outer};item${index}`,
      schemas.prefix[index] ?? schemas.item,
      prefixEncoding[index] ?? itemEncoding,
    ),
  );
  return { prefix, item: itemPart(document, `${outer};item`, schemas.item, itemEncoding), minItems, maxItems };
}

/** Whether a schema is that of an array, whose items are those of a sequence in OpenAPI 3.2. */
export function describesArray(document: OpenApiDocument, schema: unknown): boolean {
  const parts = partsOf(document, schema);
  const types = parts.flatMap(({ type = [] }) => type);
  return types.length > 0 ? types.includes('array') : parts.some((part) => 'prefixItems' in part || 'items' in part);
}

/**
 * The schemas of the items of an array, one for each position.
 * @param itemSchema holds for each item, too.
 */
export function itemSchemasOf(document: OpenApiDocument, schema: unknown, itemSchema?: Schema): ItemSchemas {
  const arrays = partsOf(document, schema);
  const length = Math.max(0, ...arrays.map(({ prefixItems }) => list(prefixItems).length));
  const prefix = Array.from({ length }, (_, index) =>
    together([itemSchema, ...arrays.map(({ prefixItems, items }) => list(prefixItems)[index] ?? items)]),
  );
  return {
    prefix,
    item: together([itemSchema, ...arrays.map(({ items }) => items)]),
    minItems: Math.max(0, ...arrays.map(({ minItems }) => Number(minItems ?? 0))),
    maxItems: Math.min(...arrays.map(({ maxItems }) => Number(maxItems ?? Infinity))),
  };
}

function itemPart(document: OpenApiDocument, name: string, schema: Schema, encoding: Encoding): ItemPart {
  const { contentType, headers } = encoding;
  const all = alternatives(document, schema);
  const mediaTypes = contentType?.split(',').map((type) => type.trim()) ?? [...new Set(all.flatMap(defaultTypes))];
  // Only an encoding describes parts within a part, so that their depth has an end.
  const hasParts = contentType !== undefined && mediaTypes.some((type) => sequenceFormat(type) === 'parts');
  const reading = { hasParts, isEncoded: all.every(({ contentEncoding }) => contentEncoding !== undefined) };
  return {
    ...reading,
    name,
    schema,
    mediaTypes,
    kinds: partKinds(reading, mediaTypes),
    headers: encodingHeaders(document, headers),
    parts: hasParts ? itemParts(document, itemSchemasOf(document, schema), encoding, name) : undefined,
  };
}

/** The headers that an encoding declares of a part. The encoding itself names the Content-Type. */
export function encodingHeaders(document: OpenApiDocument, headers: Encoding['headers'] = {}): readonly Parameter[] {
  return Object.entries(headers)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => ({ ...resolve<Header>(document, header), name, in: 'header' }));
}

/** The media types of a value by its schema (OpenAPI 3.2, section 4.15.1); any without a type. */
function defaultTypes(schema: Schema): readonly string[] {
  const { format, contentMediaType, contentEncoding } = schema;
  if (contentEncoding !== undefined || format === 'binary') return ['application/octet-stream'];
  if (typeof contentMediaType === 'string') return [contentMediaType];
  const types = typesOf(schema).filter((type) => type !== 'null');
  return types.length === 0
    ? ['*/*']
    : types.map((type) => (type === 'object' || type === 'array' ? 'application/json' : 'text/plain'));
}

/** One schema for several that hold together. */
function together(schemas: readonly unknown[]): Schema {
  const asserting = schemas.filter((schema) => schema !== undefined && schema !== true && !isEmpty(schema));
  const [only = {}, ...others] = asserting.map((schema) => (schema === false ? { not: {} } : schema));
  // Each is a schema of the document.
  return (others.length === 0 ? only : { allOf: [only, ...others] }) as Schema;
}

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}
