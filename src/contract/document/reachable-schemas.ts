import { isObject, isSchema, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { FIELDS } from './structure.ts';

/** The schemas themselves, and all that they contain or refer to, each once. */
export function reachableSchemas(document: OpenApiDocument, schemas: readonly Schema[]): ReadonlySet<Schema> {
  const found = new Set(schemas);
  // A set takes new members while it is iterated.
  for (const schema of found) {
    if (schema.$ref !== undefined) found.add(targetOf(document, schema.$ref));
    for (const [key, { shape }] of Object.entries(FIELDS.schema)) {
      const value = schema[key];
      const children =
        shape === 'map' && isObject(value) ? Object.values(value) : shape === 'one' ? [value] : list(value);
      for (const child of children) if (isSchema(child)) found.add(child);
    }
  }
  return found;
}
