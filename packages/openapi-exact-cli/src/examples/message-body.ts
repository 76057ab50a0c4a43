import { describesArray, isVersion32, sequenceFormat, sequenceOf, type Sequence } from 'openapi-exact/contract';
import { exactValue } from './exact-value.ts';
import { partsExample, type ItemPartExample } from './item-parts.ts';
import type { Schemas } from './json-schema.ts';
import { isObject, objectOf, writeJson, type Json, type JsonObject, textOf } from './json-value.ts';
import { isJson, JSON_TYPE, pairs, styleOf, writableMembers } from './parameter-style.ts';
import { examplesOf, resolve } from './source-document.ts';
import { FlatSchemas } from './flat-schemas.ts';
import { validValue } from './generate-value.ts';

/** A text with a character of each length in UTF-8. */
export const TEXT = 'ä "b" €😀';

/** A part of a multipart body. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A body: what a handler has or gets, and its bytes. */
export interface MessageBody {
  /** The media type as the contract has it, and as a message has it. */
  readonly declared: string;
  readonly contentType: string;
  readonly schema: Json;
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'bytes' | 'events' | 'items' | 'parts';
  /** A value, a text, bytes, parts with names, events, items, or parts without names. */
  readonly value: Json | Buffer | readonly Part[] | readonly ItemPartExample[];
  readonly bytes: Buffer;
  /** The fields of a form or multipart body, and how the contract describes them. */
  readonly fields?: { readonly value: JsonObject; readonly mediaType: JsonObject };
}

const KINDS: readonly (readonly [RegExp, MessageBody['kind']])[] = [
  [JSON_TYPE, 'json'],
  [/^application\/x-www-form-urlencoded/i, 'form'],
  [/^multipart\//i, 'multipart'],
  [/^text\/event-stream/i, 'events'],
  [/^(text\/|[^;]*[/+]xml\s*(;|$))/i, 'text'],
];

/** The kind of a media type. */
function kindOf(mediaType: string): MessageBody['kind'] {
  return KINDS.find(([pattern]) => pattern.test(mediaType))?.[1] ?? 'bytes';
}

/** Whether a text is XML, which a server need not check. */
export function isXml(mediaType: string): boolean {
  return /^[^;]*[/+]xml\s*(;|$)/i.test(mediaType);
}

/** The media types of a `content`, the ones that are easiest to check exactly first. */
export function byPreference(content: JsonObject): string[] {
  const order = ['json', 'form', 'multipart', 'text', 'events', 'bytes'];
  const rank = (type: string): number => (type.includes('*') ? 10 : 0) + order.indexOf(kindOf(type));
  return Object.keys(content).toSorted((a, b) => rank(a) - rank(b));
}

/** A body of a media type; undefined when no valid value was found. */
export function bodyOf(schemas: Schemas, declared: string, mediaType: JsonObject): MessageBody | undefined {
  const sequence = sequenceIn(schemas.document.view, declared, mediaType);
  if (sequence?.parts !== undefined) {
    const made = partsExample(schemas, declared, sequence.parts, TEXT);
    return made && { declared, schema: {}, kind: 'parts', ...made };
  }
  if (sequence !== undefined) return itemsBody(schemas, declared, sequence);
  const schema = mediaType['schema'] ?? {};
  const examples = examplesOf(schemas.document.view, mediaType);
  const contentType = concrete(declared, schemas, schema);
  const kind = kindOf(contentType);
  const make = (text: string): Json | undefined => validValue(schemas, schema, text, examples);
  const base = { declared, contentType, schema, kind };
  if (kind === 'json') {
    const found = make(TEXT);
    const value = found === undefined ? undefined : exactValue(schemas, schema, found);
    return value === undefined ? undefined : { ...base, value, bytes: Buffer.from(writeJson(value)) };
  }
  if (kind === 'text') {
    const found = make(TEXT);
    const isStructured = found === undefined || (typeof found === 'object' && found !== null);
    // An array or object has no text that the specification knows, and XML no type.
    const value = isStructured || (typeof found !== 'string' && isXml(contentType)) ? TEXT : found;
    return { ...base, value, bytes: Buffer.from(textOf(value)) };
  }
  if (kind === 'events') {
    const value = [{ data: 'first' }, { event: 'more', id: '2', data: 'two\nlines' }];
    return { ...base, value, bytes: Buffer.from('data: first\n\nevent: more\nid: 2\ndata: two\ndata: lines\n\n') };
  }
  if (kind === 'bytes' || kind === 'items' || kind === 'parts') {
    const bytes = Buffer.from([0, 255, 13, 10, 128, 1]);
    return { ...base, value: bytes, bytes };
  }
  const isStyled = Object.values(objectOf(mediaType['encoding'])).some((encoding) => 'style' in objectOf(encoding));
  // In some styles of parts, a text could be several items.
  const found = make(kind === 'form' ? 'a b+c&d=é' : isStyled ? 'ä' : TEXT);
  // A schema that says nothing allows any fields.
  const value = typeof found === 'string' ? { field: found } : found;
  // A text for a multipart body is about its bytes.
  const isValid = isObject(value) && schemas.judge(schema)(value) === undefined;
  if (!isObject(value) || !(isValid || (kind === 'multipart' && typeof found === 'string'))) return undefined;
  const writable = kind === 'form' ? writableMembers(value, true) : value;
  return withFields(schemas, base, schemas.judge(schema)(writable) === undefined ? writable : value, mediaType);
}

/** A body of a sequential media type; undefined for any other. */
function sequenceIn(view: JsonObject, declared: string, mediaType: JsonObject): Sequence | undefined {
  // Safe: the library serves the document, or refuses it.
  const document = view as never;
  const isImplied = isVersion32(view) && describesArray(document, mediaType['schema']);
  const { itemSchema = mediaType['x-itemSchema'] ?? (isImplied ? {} : undefined) } = mediaType;
  return sequenceOf(document, declared, { ...mediaType, itemSchema } as never);
}

function itemsBody(
  schemas: Schemas,
  declared: string,
  { typed, jsonData, minItems, maxItems }: Sequence,
): MessageBody | undefined {
  const bounds = { minItems, ...(maxItems < Infinity && { maxItems }) };
  // What the library makes of schemas is JSON.
  const schema = { type: 'array', prefixItems: typed.prefix, items: typed.item, ...bounds } as unknown as JsonObject;
  const found = validValue(schemas, { ...schema, minItems: Math.max(1, minItems) }, TEXT, []);
  if (!Array.isArray(found)) return undefined;
  // Its items are those of an array of the same schema.
  const value = exactValue(schemas, schema, found) as Json[];
  const isJson = jsonData !== undefined;
  return { declared, contentType: declared, schema, kind: 'items', value, bytes: itemsBytes(declared, value, isJson) };
}

/** Writes items as their media type asks for. @param isJson whether events may have JSON data. */
export function itemsBytes(declared: string, items: readonly Json[], isJson = false): Buffer {
  const format = sequenceFormat(declared);
  const written = items.map((item) => {
    if (format === 'lines') return `${writeJson(item)}\n`;
    if (format === 'records') return `\x1e${writeJson(item)}\n`;
    const { event, id, retry, data } = objectOf(item);
    const fields = Object.entries({ event, id, retry }).filter(([, field]) => field !== undefined);
    const text = isJson && typeof data !== 'string' && data !== undefined ? writeJson(data) : textOf(data);
    return [
      ...fields.map(([name, field]) => `${name}: ${textOf(field)}\n`),
      ...text.split('\n').map((line) => `data: ${line}\n`),
      '\n',
    ].join('');
  });
  return Buffer.from(written.join(''));
}

/** A form or multipart body with these fields. */
export function withFields(
  schemas: Schemas,
  body: Omit<MessageBody, 'value' | 'bytes'>,
  value: JsonObject,
  mediaType: JsonObject,
): MessageBody {
  const [essence = ''] = body.contentType.split(';');
  const written = body.kind === 'form' ? form(value, mediaType) : multipart(schemas, value, mediaType, essence);
  return { ...body, fields: { value, mediaType }, ...written };
}

/** A media type that a range of the contract covers. */
function concrete(declared: string, { document: { view } }: Schemas, schema: Json): string {
  if (!declared.includes('*')) return declared;
  if (declared.startsWith('text/')) return 'text/plain';
  if (declared.startsWith('image/')) return 'image/png';
  if (declared.includes('*+')) return declared.replace('*+', 'problem+');
  const { type, format } = objectOf(resolve(view, schema));
  if (declared.startsWith('application/') || declared.startsWith('*/')) {
    return type === 'string' && format === 'binary' ? 'application/octet-stream' : 'application/json';
  }
  return declared.replace('*', 'x-any');
}

/** Writes a form (OpenAPI 3.1.1, section 4.8.14.4). */
/** A form in the encoding of HTML, by the encoding of its properties. */
export function form(value: JsonObject, mediaType: JsonObject): Pick<MessageBody, 'value' | 'bytes'> {
  const text = (scalar: Json): string => formEncoded(textOf(scalar));
  const fields = Object.entries(value).flatMap(([name, property]) => {
    const encoding = objectOf(objectOf(mediaType['encoding'])[name]);
    const isStyled = 'style' in encoding || 'explode' in encoding || 'allowReserved' in encoding;
    // Without a style an object is JSON.
    if (!isStyled && (isObject(property) || isJson(textOf(encoding['contentType']))))
      return [`${formEncoded(name)}=${formEncoded(writeJson(property))}`];
    return pairs(formEncoded(name), property, text, styleOf(encoding, 'query'));
  });
  return { value, bytes: Buffer.from(fields.join('&')) };
}

function formEncoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}

/**
 * Writes multipart/form-data (RFC 7578); items of an array are parts of one name. In another type,
 * parts whose media type tells them apart have no name.
 */
function multipart(
  { document }: Schemas,
  value: JsonObject,
  mediaType: JsonObject,
  contentType: string,
): Pick<MessageBody, 'value' | 'bytes' | 'contentType'> {
  const flat = new FlatSchemas(document, 0);
  const properties = objectOf(flat.flatten(mediaType['schema'] ?? {}, 0)['properties']);
  const isForm = /^multipart\/form-data/i.test(contentType);
  const types = Object.keys({ ...properties, ...value }).map((name) => encodingOf(mediaType, name)['contentType']);
  const isNamed = (name: string): boolean => {
    const own = textOf(encodingOf(mediaType, name)['contentType']);
    return isForm || own.includes(',') || types.includes(undefined) || types.filter((type) => type === own).length > 1;
  };
  const parts = Object.entries(value).map(([name, property]): { sent: Part[]; received: Part[] } => {
    const encoding = encodingOf(mediaType, name);
    const isStyled = isForm && !document.is30 && ('style' in encoding || 'explode' in encoding);
    if (isStyled) return styledParts(name, property, encoding);
    const schema = properties[name] ?? {};
    const items = Array.isArray(property) ? property : [property];
    const itemSchema = Array.isArray(property) ? (flat.flatten(schema, 0)['items'] ?? {}) : schema;
    const made = items.map((item) => partOf(name, item, flat.flatten(itemSchema, 0), encoding));
    const sent = isNamed(name) ? made : made.map(({ filename: _, ...part }) => part);
    return { sent, received: sent };
  });
  const boundary = 'boundary-of-a-part';
  const chunks = parts
    .flatMap(({ sent }) => sent)
    .flatMap((part) => [
      Buffer.from(`--${boundary}\r\nContent-Type: ${part.contentType}\r\n`),
      Buffer.from(isNamed(part.name) ? dispositionOf(part) : ''),
      Buffer.from('\r\n'),
      part.bytes,
      Buffer.from('\r\n'),
    ]);
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return {
    value: parts.flatMap(({ received }) => received),
    bytes,
    contentType: `${contentType}; boundary=${boundary}`,
  };
}

function encodingOf(mediaType: JsonObject, name: string): JsonObject {
  return objectOf(objectOf(mediaType['encoding'])[name]);
}

function dispositionOf({ name, filename }: Part): string {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${file}\r\n`;
}

/** The parts of a property in a style of its encoding, and those that a handler gets of it. */
function styledParts(name: string, value: Json, encoding: JsonObject): { sent: Part[]; received: Part[] } {
  const text = (scalar: Json): string => textOf(scalar);
  const textPart = (part: string, content: string): Part => {
    return { name: part, contentType: 'text/plain', bytes: Buffer.from(content) };
  };
  const sent = pairs(name, value, text, styleOf(encoding, 'query')).map((pair) => {
    const end = pair.indexOf('=');
    // The parts of a form are not percent-encoded.
    return textPart(
      pair.slice(0, end),
      pair
        .slice(end + 1)
        .replaceAll('%20', ' ')
        .replaceAll('%7C', '|'),
    );
  });
  const received = [value].flat().map((item) => textPart(name, textOf(item)));
  return { sent, received: sent.length === 0 ? [] : received };
}

function partOf(name: string, value: Json, schema: JsonObject, encoding: JsonObject): Part {
  const { contentType } = encoding;
  const [declared] = typeof contentType === 'string' && !contentType.includes('*') ? contentType.split(/\s*,\s*/) : [];
  const isFile =
    schema['format'] === 'binary' ||
    'contentMediaType' in schema ||
    Object.keys(schema).every((key) => key === 'description');
  if (isFile) {
    const bytes = Buffer.from([0, 255, 13, 10, 128, 1]);
    return { name, filename: 'a file.bin', contentType: declared ?? 'application/octet-stream', bytes };
  }
  const isText = typeof value !== 'object' || value === null;
  const bytes = Buffer.from(textOf(value));
  return { name, contentType: declared ?? (isText ? 'text/plain' : 'application/json'), bytes };
}
