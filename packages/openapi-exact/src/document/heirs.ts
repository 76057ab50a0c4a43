import { getOrInsert } from '../get-or-insert.ts';
import { isObject, isReference, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';

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
      const parts = list(schema['allOf']);
      // A part alone is a base with a description of its own.
      if (parts.length < 2 && !('properties' in schema)) continue;
      for (const part of parts.filter(isReference)) {
        const base: Schema = targetOf(document, part.$ref);
        if (!isObject(base['discriminator']) || 'oneOf' in base || 'anyOf' in base) continue;
        getOrInsert(this.#byBase, base, () => []).push(`#/components/schemas/${name}`);
        this.#all.add(schema);
      }
    }
  }

  isHeir(schema: Schema): boolean {
    return this.#all.has(schema);
  }

  /** The references to the heirs of the schema that a reference leads to. */
  heirsOf($ref: string): readonly string[] {
    return this.#byBase.get(targetOf(this.#document, $ref)) ?? [];
  }
}
