import type { Node } from './bundle.ts';
import type { OpenApiDocument } from './openapi-document.ts';

/**
 * Turns a document of OpenAPI 3.0 into one of 3.1, in place. Bundling has removed what stands
 * beside references, which 3.0 ignores. `format: binary` and `byte` stay strings with a format.
 * @param schemas all schemas of the document.
 */
export function convertToVersion31(document: OpenApiDocument, schemas: readonly Node[]): void {
  if (document.openapi.startsWith('3.0')) {
    document.openapi = '3.1.0';
    for (const schema of schemas) convertSchema(schema);
  }
  // In 3.1, it has no effect; validators know it all the same.
  for (const schema of schemas) delete schema['nullable'];
}

function convertSchema(schema: Node): void {
  const { type, nullable } = schema;
  // It has an effect beside `type` only, and an `enum` must list null (3.0.3, section 4.7.24.1).
  if (nullable === true && typeof type === 'string' && type !== 'null') schema['type'] = [type, 'null'];
  convertBound(schema, 'minimum', 'exclusiveMinimum');
  convertBound(schema, 'maximum', 'exclusiveMaximum');
}

/** In 3.0, `exclusiveMinimum` says whether `minimum` itself is excluded. */
function convertBound(schema: Node, bound: string, exclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  if (schema[exclusive] && bound in schema) {
    schema[exclusive] = schema[bound];
    Reflect.deleteProperty(schema, bound);
  } else Reflect.deleteProperty(schema, exclusive);
}
