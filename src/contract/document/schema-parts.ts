import { isSchema, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { getOrInsert } from '../get-or-insert.ts';
import { reachableSchemas } from './reachable-schemas.ts';

/** By schema, which belongs to one document. */
const PARTS = new WeakMap<Schema, readonly Schema[]>();

/** The schemas that hold wherever one does: itself and those that `$ref` and `allOf` lead to. */
export function partsOf(document: OpenApiDocument, schema: unknown): readonly Schema[] {
  if (!isSchema(schema)) return [];
  return getOrInsert(PARTS, schema, () => [...reachableSchemas(document, [schema], ['allOf'])]);
}
