import { getOrInsert } from '../json/get-or-insert.ts';
import { isObject, isSchema, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { FIELDS } from './structure.ts';

/** Keywords with schemas for the same value, `not` excepted: no value fits its schema. */
export const MATCHING_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];
/** Keywords with schemas for the same value; all others are for parts of it. */
export const SAME_VALUE = [...MATCHING_VALUE, 'not'];

/** All keywords with schemas. */
export const ALL_KEYWORDS = Object.keys(FIELDS.schema);

/**
 * The schemas themselves, and all that they contain or refer to, each once.
 * @param keywords those whose schemas count; all by default. References always do.
 */
export function reachableSchemas(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  keywords: readonly string[] = ALL_KEYWORDS,
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
  keywords: readonly string[] = ALL_KEYWORDS,
): readonly Schema[] {
  const children: Schema[] = schema.$ref === undefined ? [] : [targetOf(document, schema.$ref)];
  for (const keyword of keywords) {
    const value = schema[keyword];
    // Most schemas have few of the keywords.
    if (value === undefined) continue;
    const isMap = FIELDS.schema[keyword]?.shape === 'map' && isObject(value);
    for (const child of isMap ? Object.values(value) : [value].flat()) if (isSchema(child)) children.push(child);
  }
  return children;
}

/** By schema, which belongs to one document. */
const PARTS = new WeakMap<Schema, readonly Schema[]>();

/** The schemas that hold wherever one does: itself and those that `$ref` and `allOf` lead to. */
export function partsOf(document: OpenApiDocument, schema: unknown): readonly Schema[] {
  if (!isSchema(schema)) return [];
  return getOrInsert(PARTS, schema, () => [...reachableSchemas(document, [schema], ['allOf'])]);
}

/**
 * Tells whether a schema is or contains one of a kind, itself or behind references. Finds all that
 * a schema reaches in one pass.
 * @param keywords those whose schemas count; all by default.
 */
export function reaching(
  document: OpenApiDocument,
  isOfKind: (schema: Schema) => boolean,
  keywords?: readonly string[],
): (schema: Schema) => boolean {
  const known = new Map<Schema, boolean>();
  return (start) =>
    getOrInsert(known, start, () => {
      const found = new Set([start]);
      const parents = new Map<Schema, Schema[]>();
      // A set takes new members while it is iterated.
      for (const parent of found) {
        for (const child of known.has(parent) ? [] : childrenOf(document, parent, keywords)) {
          found.add(child);
          getOrInsert(parents, child, () => []).push(parent);
        }
      }
      const containing = new Set([...found].filter((schema) => known.get(schema) ?? isOfKind(schema)));
      for (const schema of containing) for (const parent of parents.get(schema) ?? []) containing.add(parent);
      for (const schema of found) known.set(schema, containing.has(schema));
      return containing.has(start);
    });
}
