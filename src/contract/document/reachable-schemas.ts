import { isObject, isSchema, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { FIELDS } from './structure.ts';

/** Keywords with schemas for the same value; all others are for parts of it. */
export const SAME_VALUE = ['if', 'then', 'else', 'not', 'allOf', 'anyOf', 'oneOf', 'dependentSchemas'];

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
  for (const schema of found) for (const child of childrenOf(document, schema, keywords)) found.add(child);
  return found;
}

/** The schemas that one contains or refers to. @param keywords those whose schemas count. */
export function childrenOf(
  document: OpenApiDocument,
  schema: Schema,
  keywords: readonly string[] = Object.keys(FIELDS.schema),
): readonly Schema[] {
  const targets = schema.$ref === undefined ? [] : [targetOf(document, schema.$ref)];
  const children = keywords.flatMap((keyword) => {
    const value = schema[keyword];
    return FIELDS.schema[keyword]?.shape === 'map' && isObject(value) ? Object.values(value) : [value].flat();
  });
  return [...targets, ...children.filter(isSchema)];
}
