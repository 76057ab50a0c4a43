import { getOrInsert } from '../json/get-or-insert.ts';
import { HiddenProperties } from './hidden-properties.ts';
import { isSchema, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { reaching } from './schema-graph.ts';

/** The schemas of a document that lead to a default, which requests are completed with. */
export class SchemasWithDefaults {
  readonly #readOnly: HiddenProperties;
  readonly #holdsDefault: (schema: Schema) => boolean;
  readonly #numbers = new Map<Schema, number>();

  constructor(document: OpenApiDocument) {
    this.#readOnly = new HiddenProperties(document, 'readOnly');
    this.#holdsDefault = reaching(document, (schema) => schema['default'] !== undefined);
  }

  /** Those of some schemas, each once. */
  among(schemas: readonly unknown[]): readonly Schema[] {
    return [...new Set(schemas.filter(isSchema).filter(this.#holdsDefault))];
  }

  /** A key that the same schemas have, and no others. */
  keyOf(schemas: readonly Schema[]): string {
    return schemas.map((schema) => getOrInsert(this.#numbers, schema, () => this.#numbers.size)).join();
  }

  /** Whether a property with a schema is not completed, since requests do not have it. */
  isHidden(property: unknown): boolean {
    return this.#readOnly.isHidden(property);
  }
}
