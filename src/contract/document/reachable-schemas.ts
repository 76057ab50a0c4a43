import { isObject, isSchema, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { FIELDS } from './structure.ts';

/**
 * The schemas themselves, and all that they contain or refer to, each once.
 * @param keywords those whose schemas count; all by default. References always do.
 */
export function reachableSchemas(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  keywords: readonly string[] = Object.keys(FIELDS.schema),
): ReadonlySet<Schema> {
  const found = new Set(schemas);
  // A set takes new members while it is iterated.
  for (const schema of found) {
    if (schema.$ref !== undefined) found.add(targetOf(document, schema.$ref));
    for (const keyword of keywords) {
      const value = schema[keyword];
      const children =
        FIELDS.schema[keyword]?.shape === 'map' && isObject(value) ? Object.values(value) : [value].flat();
      for (const child of children) if (isSchema(child)) found.add(child);
    }
  }
  return found;
}
