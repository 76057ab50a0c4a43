import { getOrInsert } from '../get-or-insert.ts';
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

/** By schema, which belongs to one document. */
const PARTS = new WeakMap<Schema, readonly Schema[]>();

/** The schemas that hold wherever one does: itself and those that `$ref` and `allOf` lead to. */
export function partsOf(document: OpenApiDocument, schema: unknown): readonly Schema[] {
  if (!isSchema(schema)) return [];
  return getOrInsert(PARTS, schema, () => [...reachableSchemas(document, [schema], ['allOf'])]);
}

/** Tells which schemas contain one of a kind. Finds all that a schema reaches in one pass. */
export class Reach {
  readonly #document: OpenApiDocument;
  readonly #isOne: (schema: Schema) => boolean;
  readonly #keywords: readonly string[] | undefined;
  readonly #known = new Map<Schema, boolean>();

  /** @param keywords those whose schemas count; all by default. */
  constructor(document: OpenApiDocument, isOne: (schema: Schema) => boolean, keywords?: readonly string[]) {
    this.#document = document;
    this.#isOne = isOne;
    this.#keywords = keywords;
  }

  /** Whether a schema is or contains one of the kind, itself or behind references. */
  of(start: Schema): boolean {
    return getOrInsert(this.#known, start, () => {
      const found = new Set([start]);
      const parents = new Map<Schema, Schema[]>();
      // A set takes new members while it is iterated.
      for (const parent of found) {
        for (const child of this.#known.has(parent) ? [] : childrenOf(this.#document, parent, this.#keywords)) {
          found.add(child);
          getOrInsert(parents, child, () => []).push(parent);
        }
      }
      const reaching = new Set([...found].filter((one) => this.#known.get(one) ?? this.#isOne(one)));
      for (const one of reaching) for (const parent of parents.get(one) ?? []) reaching.add(parent);
      for (const one of found) this.#known.set(one, reaching.has(one));
      return reaching.has(start);
    });
  }
}
