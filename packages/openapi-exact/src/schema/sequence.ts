import { eventSchemas, type EventSchemas } from './event-schemas.ts';
import { sequenceFormat, type SequenceFormat } from '../http/media-type.ts';
import { list, type MediaTypeObject, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { partsOf } from './schema-graph.ts';

/** What the contract declares for the items of a sequential media type. */
export interface Sequence {
  readonly format: SequenceFormat;
  /** The schemas of the first items, by position, as items are checked. */
  readonly prefix: readonly Schema[];
  /** The schema of all other items. */
  readonly item: Schema;
  /** The same as handlers and clients know items. */
  readonly typed: { readonly prefix: readonly Schema[]; readonly item: Schema };
  /** Which events have JSON as their data, whose value is checked as `{ json: value }`. */
  readonly jsonData: EventSchemas['jsonData'] | undefined;
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
  { schema, itemSchema }: MediaTypeObject,
): Sequence | undefined {
  const format = sequenceFormat(mediaType);
  if (format === undefined || format === 'parts' || itemSchema === undefined) return undefined;
  const arrays = partsOf(document, schema);
  const length = Math.max(0, ...arrays.map(({ prefixItems }) => list(prefixItems).length));
  const prefix = Array.from({ length }, (_, index) =>
    together([itemSchema, ...arrays.map(({ prefixItems, items }) => list(prefixItems)[index] ?? items)]),
  );
  const item = together([itemSchema, ...arrays.map(({ items }) => items)]);
  const events = format === 'events' && length === 0 ? eventSchemas(document, item) : undefined;
  return {
    format,
    prefix,
    item: events?.checked ?? item,
    typed: { prefix, item: events?.typed ?? item },
    jsonData: events?.jsonData,
    minItems: Math.max(0, ...arrays.map(({ minItems }) => Number(minItems ?? 0))),
    maxItems: Math.min(...arrays.map(({ maxItems }) => Number(maxItems ?? Infinity))),
  };
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
