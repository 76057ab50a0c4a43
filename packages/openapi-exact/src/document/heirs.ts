import { getOrInsert } from '../get-or-insert.ts';
import { isObject, isSchema, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { partsOf, reachableSchemas } from './schema-graph.ts';

/**
 * The schemas that extend one with a discriminator. A value of that schema may be any of them,
 * although nothing but its own schema is checked.
 */
export class Heirs {
  readonly #document: OpenApiDocument;
  readonly #byBase = new Map<Schema, string[]>();
  readonly #all = new Set<Schema>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      // A component may be true or false.
      if (!isSchema(schema)) continue;
      const parts = list(schema['allOf']);
      // A part alone is a base with a description of its own.
      if (parts.length < 2 && !('properties' in schema)) continue;
      const references = parts.filter(isSchema).filter(({ $ref }) => $ref !== undefined);
      const bases = reachableSchemas(document, references, ['allOf']);
      for (const base of bases) {
        // An heir is a base of further heirs.
        if (base === schema || !partsOf(document, base).some(hasHeirs)) continue;
        getOrInsert(this.#byBase, base, () => []).push(`#/components/schemas/${name}`);
        this.#all.add(schema);
      }
    }
  }

  /** True for a schema that inherits from another one. */
  isHeir(schema: Schema): boolean {
    return this.#all.has(schema);
  }

  /** The references to the heirs of the schema that a reference leads to. */
  heirsOf($ref: string): readonly string[] {
    return this.#byBase.get(targetOf(this.#document, $ref)) ?? [];
  }
}

/** True for a schema with a discriminator that chooses from its heirs. */
function hasHeirs(schema: Schema): boolean {
  return isObject(schema['discriminator']) && !('oneOf' in schema || 'anyOf' in schema);
}
