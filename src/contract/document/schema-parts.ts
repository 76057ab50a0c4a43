import { isSchema, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { getOrInsert } from '../get-or-insert.ts';

/** By schema, which belongs to one document. */
const PARTS = new WeakMap<Schema, readonly Schema[]>();

/** The schemas that hold wherever one does: itself and those that `$ref` and `allOf` lead to. */
export function partsOf(document: OpenApiDocument, schema: unknown): readonly Schema[] {
  if (!isSchema(schema)) return [];
  return getOrInsert(PARTS, schema, () => {
    const parts = new Set([schema]);
    // A set takes new members while it is iterated.
    for (const { $ref, allOf } of parts) {
      if ($ref !== undefined) parts.add(targetOf(document, $ref));
      for (const part of list(allOf)) if (isSchema(part)) parts.add(part);
    }
    return [...parts];
  });
}
