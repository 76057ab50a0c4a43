import { getOrInsert } from '../json/get-or-insert.ts';
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
    // A component may be true or false.
    const components = Object.entries(document.components?.schemas ?? {}).filter(([, schema]) => isSchema(schema));
    const extended = new Set(
      components.filter(([, schema]) => hasOwnPart(schema)).flatMap(([, schema]) => this.#basesOf(schema)),
    );
    for (const [name, schema] of components) {
      if (!hasOwnPart(schema) && !extended.has(schema)) continue;
      for (const base of this.#basesOf(schema)) {
        // An heir is a base of further heirs.
        if (!partsOf(document, base).some(hasHeirs)) continue;
        getOrInsert(this.#byBase, base, () => []).push(`#/components/schemas/${name}`);
        this.#all.add(schema);
      }
    }
  }

  /** The schemas that a component refers to in `allOf`, and those that they refer to. */
  #basesOf(schema: Schema): readonly Schema[] {
    const references = list(schema['allOf'])
      .filter(isSchema)
      .filter(({ $ref }) => $ref !== undefined);
    return [...reachableSchemas(this.#document, references, ['allOf'])].filter((base) => base !== schema);
  }

  /** True for a schema that inherits from another one. */
  isHeir(schema: Schema): boolean {
    return this.#all.has(schema);
  }

  /** The references to the heirs of the schema that a reference leads to. */
  heirsOf($ref: string): readonly string[] {
    return this.heirsOfSchema(targetOf(this.#document, $ref));
  }

  /** The references to the heirs of a component. */
  heirsOfSchema(base: Schema): readonly string[] {
    return this.#byBase.get(base) ?? NONE;
  }
}

const NONE: readonly string[] = [];

/** False for a schema that is another one with a description of its own. */
function hasOwnPart(schema: Schema): boolean {
  return list(schema['allOf']).length > 1 || 'properties' in schema;
}

/** True for a schema with a discriminator that chooses from its heirs. */
function hasHeirs(schema: Schema): boolean {
  return isObject(schema['discriminator']) && !('oneOf' in schema || 'anyOf' in schema);
}
