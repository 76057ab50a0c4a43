import { eventSchemas, type EventSchemas } from './event-schemas.ts';
import { sequenceFormat, type SequenceFormat } from '../http/media-type.ts';
import { itemParts, itemSchemasOf, type ItemParts } from './item-parts.ts';
import type { MediaTypeObject, OpenApiDocument, Schema } from './openapi-document.ts';

/** What the contract declares for the items of a sequential media type. */
export interface Sequence {
  readonly format: SequenceFormat;
  /** The schemas of the first items, by position, as items are checked. */
  readonly prefix: readonly Schema[];
  /** The schema of all other items. */
  readonly item: Schema;
  /** The same as handlers and clients know items; the values of parts. */
  readonly typed: { readonly prefix: readonly Schema[]; readonly item: Schema };
  /** Which events have JSON as their data, whose value is checked as `{ json: value }`. */
  readonly jsonData: EventSchemas['jsonData'] | undefined;
  /** The items of a multipart body, which are parts. */
  readonly parts: ItemParts | undefined;
  readonly minItems: number;
  readonly maxItems: number;
}

/**
 * The items of a media type; undefined for one without `itemSchema`, or that is not sequential. A
 * `schema` beside it describes the array of all items (OpenAPI 3.2, section 4.14.4.2): its bounds,
 * `prefixItems` and `items` hold as well.
 */
export function sequenceOf(
  document: OpenApiDocument,
  mediaType: string,
  { schema, itemSchema, ...encodings }: MediaTypeObject,
): Sequence | undefined {
  const format = sequenceFormat(mediaType);
  if (format === undefined || itemSchema === undefined) return undefined;
  const schemas = itemSchemasOf(document, schema, itemSchema);
  const parts = format === 'parts' ? itemParts(document, schemas, encodings) : undefined;
  const prefix = parts === undefined ? schemas.prefix : parts.prefix.map(({ schema: described }) => described);
  const { item, minItems, maxItems } = schemas;
  const events = format === 'events' && prefix.length === 0 ? eventSchemas(document, item) : undefined;
  return {
    format,
    prefix,
    item: events?.checked ?? item,
    typed: { prefix, item: events?.typed ?? item },
    jsonData: events?.jsonData,
    parts,
    minItems,
    maxItems,
  };
}
