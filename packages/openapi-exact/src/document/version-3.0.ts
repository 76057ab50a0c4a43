import type { Bundle, DocumentNode } from './bundle.ts';
import { fieldsOf, isObject, isVersion30, isVersion32, type OpenApiDocument } from '../schema/openapi-document.ts';

/**
 * Turns a document of OpenAPI 3.0 into one of 3.1, in place; 3.2 stays 3.2. Bundling has removed
 * the keywords beside references, which 3.0 ignores. `format: binary` and `byte` stay strings with
 * a format.
 * @param bundle the objects of the document.
 */
export function convertToVersion31(document: OpenApiDocument, { nodes, schemas }: Bundle): void {
  if (isVersion30(document)) {
    for (const schema of schemas) convertSchema(schema);
    for (const { content } of nodes.get('requestBody') ?? []) convertContent(content);
  }
  document.openapi = isVersion32(document) ? '3.2.0' : '3.1.0';
  for (const schema of schemas) {
    // JSON Schema, which 3.1 uses, does not have this keyword.
    delete schema['nullable'];
    // Authors write null, or a remark, for no default.
    if (!isOfType(schema['default'], schema)) delete schema['default'];
    // In 3.1, it is a number. A boolean, which authors keep from 3.0, has one possible meaning.
    convertBound(schema, 'minimum', 'exclusiveMinimum');
    convertBound(schema, 'maximum', 'exclusiveMaximum');
  }
}

/** In 3.0, `encoding` has styles for url-encoded forms only (3.0.3, section 4.7.15.1). */
function convertContent(content: unknown): void {
  for (const [type, mediaType] of Object.entries(fieldsOf(content))) {
    if (/urlencoded/i.test(type) || !isObject(mediaType) || !isObject(mediaType['encoding'])) continue;
    for (const encoding of Object.values(mediaType['encoding'])) {
      for (const key of ['style', 'explode', 'allowReserved']) {
        if (isObject(encoding)) Reflect.deleteProperty(encoding, key);
      }
    }
  }
}

function convertSchema(schema: DocumentNode): void {
  const { type, nullable } = schema;
  // It has an effect beside `type` only, and an `enum` must list null (3.0.3, section 4.7.24.1).
  if (nullable === true && typeof type === 'string' && type !== 'null') schema['type'] = [type, 'null'];
}

/** False for a value of another type than those that a schema names. */
export function isOfType(value: unknown, { type }: DocumentNode): boolean {
  const names: unknown[] = value === null ? ['null'] : Array.isArray(value) ? ['array'] : [typeof value];
  if (typeof value === 'bigint' || typeof value === 'number') names.push('number');
  if (typeof value === 'bigint' || Number.isInteger(value)) names.push('integer');
  return type === undefined || [type].flat().some((name) => names.includes(name));
}

/** In 3.0, `exclusiveMinimum` says whether `minimum` itself is excluded. */
function convertBound(schema: DocumentNode, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && bound in schema) {
    schema[exclusive] = schema[bound];
    Reflect.deleteProperty(schema, bound);
  } else Reflect.deleteProperty(schema, exclusive);
}
