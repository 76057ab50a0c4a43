// Finds the streams of items (OpenAPI 3.2, "Sequential Media Types") among media types.

/** The media types of JSON Lines and NDJSON. */
const JSON_LINES = /^application\/(?:x-)?(?:jsonl|jsonlines|json-lines|ndjson)$/;

/**
 * What a sequential media type has in it; undefined for any other.
 * @returns its `format`, and `item`, the schema of each item.
 */
export function streamOf(contract, type, { itemSchema, 'x-itemSchema': extension, schema }) {
  const format = formatOf(type);
  if (format === undefined) return undefined;
  const { isVersion32 } = contract;
  // Since 3.2, an array as the schema of a sequential media type describes its items, too.
  const { prefixItems, items = prefixItems && {} } = isVersion32 ? contract.unwrapped(schema) : {};
  // A file of an earlier version may be part of a contract of 3.2.
  const item = (isVersion32 ? itemSchema : undefined) ?? extension ?? items;
  return item === undefined ? undefined : { format, item };
}

function formatOf(mediaType) {
  const [type] = mediaType.trim().toLowerCase().split(/\s*;/);
  if (JSON_LINES.test(type)) return 'lines';
  if (/^application\/json-seq$|\+json-seq$/.test(type)) return 'records';
  if (type === 'text/event-stream') return 'events';
  return /^multipart\/(?!form-data|\*)/.test(type) ? 'parts' : undefined;
}
