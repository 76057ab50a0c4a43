// The items of streams as texts, and as values of the client.
/* global LosslessJSON */
import { isObject } from './example.js';

/** How an item is written in each format; a part has boundaries, which the client chooses. */
const WRITERS = {
  lines: (item) => `${jsonOf(item)}\n`,
  // RFC 7464: a record separator before each, a line feed behind.
  records: (item) => `\x1E${jsonOf(item)}\n`,
  events: eventText,
};

/** Items in the format of a stream, as they are sent; undefined for parts. */
export function streamText({ format }, items) {
  const write = WRITERS[format];
  return write && items.map(write).join('');
}

/** An event (HTML, "Server-sent events"): a line for each field, and for each line of its data. */
function eventText({ event, id, retry, data }) {
  const fields = Object.entries({ event, id, retry }).filter(([, value]) => value !== undefined);
  const text = typeof data === 'string' ? data : data === undefined ? '' : jsonOf(data);
  const lines = text.split('\n').map((line) => ['data', line]);
  return `${[...fields, ...lines].map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
}

/** Items as they are edited in every format: JSON, one in each line. */
export function itemLines(items) {
  return items.map(jsonOf).join('\n');
}

/** The items of edited lines; undefined for any other text. */
export function itemsIn(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  try {
    return lines.map((line) => LosslessJSON.parse(line));
  } catch {
    return undefined;
  }
}

/** The items that an example shows: a list, one item, or their text, which need not be JSON. */
export function exampleItems(contract, stream, value) {
  const items = typeof value === 'string' ? itemsIn(value.replaceAll('\x1E', '')) : [value].flat();
  return items?.map((item) => typedItem(contract, stream, item));
}

/** An item as clients know it: where the data of an event is JSON, it is its value. */
function typedItem(contract, stream, item) {
  if (!isObject(item) || typeof item.data !== 'string' || dataSchemas(contract, stream).length === 0) return item;
  const [data] = itemsIn(item.data.replaceAll('\n', ' ')) ?? [];
  // In some events of a choice, it may be any text.
  return typeof data === 'object' && data !== null ? { ...item, data } : item;
}

/** The schemas of the JSON in the data of events. */
function dataSchemas(contract, { format, item }) {
  const schemas = format === 'events' ? memberSchemas(contract, partsOf(contract, item), 'data') : [];
  return schemas.map(({ contentSchema }) => contentSchema).filter((schema) => schema !== undefined);
}

/** The schemas of the member of an object at a place. */
function memberSchemas(contract, schemas, name) {
  return partsOf(contract, { anyOf: schemas.flatMap((schema) => propertyOf(schema, name)) });
}

/** The schemas of a property by its name. */
function propertyOf({ properties = {}, patternProperties = {}, additionalProperties }, name) {
  const matching = Object.keys(patternProperties).filter((pattern) => new RegExp(pattern, 'u').test(name));
  const found = [properties[name], ...matching.map((pattern) => patternProperties[pattern])];
  return found.every((schema) => schema === undefined) ? [additionalProperties] : found;
}

/** A schema and all that it is composed of. */
function partsOf(contract, schema, outer = []) {
  const followed = contract.follow(schema);
  if (!isObject(followed) || outer.includes(schema)) return [];
  const { allOf = [], oneOf = [], anyOf = [] } = followed;
  const within = [...outer, schema];
  return [followed, ...[...allOf, ...oneOf, ...anyOf].flatMap((part) => partsOf(contract, part, within))];
}

function jsonOf(value) {
  return LosslessJSON.stringify(value) ?? '';
}
