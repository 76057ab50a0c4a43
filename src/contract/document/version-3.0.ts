import type { Node } from './bundle.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/**
 * Turns a document of OpenAPI 3.0 into one of 3.1, in place. Bundling has removed what stands
 * beside references, which 3.0 ignores. `format: binary` and `byte` stay strings with a format.
 * @param schemas all schemas of the document.
 */
export function convertFrom30(document: OpenApiDocument, schemas: readonly Node[]): void {
  document.openapi = '3.1.0';
  for (const schema of schemas) {
    convertNullable(schema);
    convertBound(schema, 'minimum', 'exclusiveMinimum');
    convertBound(schema, 'maximum', 'exclusiveMaximum');
  }
}

/** `nullable` has an effect beside `type` only, and an `enum` must list null (3.0.3, 4.7.24.1). */
function convertNullable(schema: Node): void {
  const { type, nullable } = schema;
  if (nullable === true && typeof type === 'string' && type !== 'null') schema['type'] = [type, 'null'];
  delete schema['nullable'];
}

/** In 3.0, `exclusiveMinimum` says whether `minimum` itself is excluded. */
function convertBound(schema: Node, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && bound in schema) {
    schema[exclusive] = schema[bound];
    Reflect.deleteProperty(schema, bound);
  } else Reflect.deleteProperty(schema, exclusive);
}
