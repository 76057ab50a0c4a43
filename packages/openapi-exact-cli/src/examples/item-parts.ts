import {
  PartWriter,
  declaredType,
  isRange,
  joined,
  partAt,
  partKind,
  valueSchema,
  withBoundary,
  type ItemPart,
  type ItemParts,
  type PartKind,
} from 'openapi-exact/contract';
import { exactValue } from './exact-value.ts';
import { validValue } from './generate-value.ts';
import type { Schemas } from './json-schema.ts';
import { isObject, textOf, writeJson, type Json, type JsonObject } from './json-value.ts';

/** A part of a multipart body without names: what a handler has or gets. */
export interface ItemPartExample {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Json | Buffer | readonly ItemPartExample[];
}

/** The parts of a multipart body, and its bytes. */
export interface PartsExample {
  readonly value: readonly ItemPartExample[];
  readonly contentType: string;
  readonly bytes: Buffer;
}

const BYTES = Buffer.from([0, 255, 13, 10, 128, 1]);

/** A multipart body without names, with a part for each position; undefined without a valid one. */
export function partsExample(
  schemas: Schemas,
  mediaType: string,
  parts: ItemParts,
  text: string,
): PartsExample | undefined {
  const { prefix, minItems, maxItems } = parts;
  const length = Math.min(Math.max(1, prefix.length, minItems), maxItems);
  const { contentType, boundary } = withBoundary(
    mediaType.includes('boundary=') ? mediaType : `${mediaType}; boundary=boundary-of-a-part`,
  );
  const writer = new PartWriter(boundary);
  const made: ItemPartExample[] = [];
  const written: Uint8Array[] = [];
  for (let index = 0; index < length; index++) {
    const part = partAt(parts, index);
    const found = partExample(schemas, part, text);
    // The items behind a prefix may be forbidden.
    if (found === undefined && index >= minItems && index > 0) break;
    if (found === undefined) return undefined;
    const { example, content } = found;
    made.push(example);
    written.push(writer.partBytes({ ...example, headers: Object.entries(example.headers), content }));
  }
  return { value: made, contentType, bytes: Buffer.from(joined([...written, writer.endBytes()])) };
}

interface MadePart {
  readonly example: ItemPartExample;
  readonly content: Uint8Array;
}

function partExample(schemas: Schemas, part: ItemPart, text: string): MadePart | undefined {
  const headers = headerTexts(schemas, part, text);
  const contentType = concrete(part.mediaTypes);
  const kind = partKind(part, declaredType(part.mediaTypes, contentType) ?? contentType, contentType);
  if (kind === 'parts' && part.parts !== undefined) {
    const within = partsExample(
      schemas,
      `${contentType}; boundary=within${part.name.replaceAll(';', '-')}`,
      part.parts,
      text,
    );
    return (
      within && { example: { contentType: within.contentType, headers, value: within.value }, content: within.bytes }
    );
  }
  // The schemas of a contract are JSON.
  const schema = part.schema as unknown as JsonObject;
  if (kind === 'bytes') {
    const value = bytesOf(schema);
    return { example: { contentType, headers, value }, content: value };
  }
  const found = validValue(schemas, schema, text, []);
  const exact = found === undefined ? undefined : exactValue(schemas, schema, found);
  const value = valueOf(kind, exact, text);
  if (value === undefined) return undefined;
  const content = Buffer.from(kind === 'json' ? writeJson(value) : textOf(value));
  return { example: { contentType, headers, value }, content };
}

/** The value of a part that is a text, or of JSON. A text of an array or object has no form. */
function valueOf(kind: PartKind, value: Json | undefined, text: string): Json | undefined {
  if (kind === 'json') return value;
  const isScalar = value !== undefined && !isObject(value) && !Array.isArray(value);
  return isScalar && (kind === 'text' || typeof value === 'string') ? value : text;
}

function bytesOf({ minLength = 0, maxLength = Infinity }: JsonObject): Buffer {
  const padded = Buffer.concat([BYTES, Buffer.alloc(Math.max(0, Number(minLength) - BYTES.length))]);
  return padded.subarray(0, Number(maxLength));
}

/** The values of the headers that a part must have. */
function headerTexts(schemas: Schemas, part: ItemPart, text: string): Record<string, string> {
  const required = part.headers.filter((header) => header.required === true);
  return Object.fromEntries(
    required.map((header) => {
      // The schemas of a contract are JSON.
      const schema = valueSchema(schemas.document.view as never, header) as unknown as JsonObject;
      const value = validValue(schemas, schema, 'a', []) ?? text;
      return [header.name.toLowerCase(), Array.isArray(value) ? value.map(textOf).join(',') : textOf(value)];
    }),
  );
}

/** A media type that the first of some includes. */
function concrete([first = '*/*']: readonly string[]): string {
  if (!isRange(first)) return first;
  const samples = ['application/json', 'text/plain', 'image/png'];
  return samples.find((type) => declaredType([first], type) !== undefined) ?? first.replace('*', 'x-any');
}
