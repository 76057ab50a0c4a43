import { getOrInsert } from '../json/get-or-insert.ts';
import { fieldsOf, isObject, list, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { partsOf, reachableSchemas } from './schema-graph.ts';

/** Bodies of requests must not have read-only properties, responses none that are write-only. */
export type Direction = 'readOnly' | 'writeOnly';

/** Tells which properties messages of one direction never have. */
export class HiddenProperties {
  readonly #document: OpenApiDocument;
  readonly #direction: Direction | undefined;
  readonly #hidden = new Map<Schema, ReadonlySet<string>>();
  readonly #required = new Map<Schema, ReadonlySet<string>>();

  /** @param direction undefined for parameters, which may have all. */
  constructor(document: OpenApiDocument, direction: Direction | undefined) {
    this.#document = document;
    this.#direction = direction;
  }

  /** Whether no value of a property with this schema is allowed. */
  isHidden(property: unknown): boolean {
    const direction = this.#direction;
    return direction !== undefined && partsOf(this.#document, property).some((part) => part[direction] === true);
  }

  /** The alternatives of a property's schema that hide it, or the schema itself. */
  hidingChoices(property: unknown): readonly unknown[] {
    const choices = new Set([property]);
    // A set takes new members while it is iterated.
    for (const alternative of choices) {
      for (const { oneOf, anyOf } of partsOf(this.#document, alternative)) {
        for (const choice of [...list(oneOf), ...list(anyOf)]) choices.add(choice);
      }
    }
    return [...choices].filter((alternative) => this.isHidden(alternative));
  }

  /** The properties that a schema hides, itself or in the parts that always hold. */
  hiddenIn(schema: Schema): ReadonlySet<string> {
    return getOrInsert(this.#hidden, schema, () => {
      const properties = partsOf(this.#document, schema).flatMap((part) =>
        Object.entries(fieldsOf(part['properties'])),
      );
      return new Set(
        properties.filter(([, property]) => this.hidingChoices(property).length > 0).map(([name]) => name),
      );
    });
  }

  /** The properties that a schema requires, although another part of the same value hides them. */
  requiredOf(schema: Schema, hidden: ReadonlySet<string>): readonly string[] {
    const own = this.hiddenIn(schema);
    return [...this.#requiredIn(schema)].filter((name) => hidden.has(name) && !own.has(name)).sort();
  }

  /** The properties that a schema requires, itself or in any part for the same value. */
  #requiredIn(schema: Schema): ReadonlySet<string> {
    return getOrInsert(this.#required, schema, () => {
      const keywords = ['allOf', 'oneOf', 'anyOf', 'then', 'else'];
      const parts = [...reachableSchemas(this.#document, [schema], keywords)];
      const dependent = parts.flatMap(({ dependentRequired }) =>
        isObject(dependentRequired) ? Object.values(dependentRequired) : [],
      );
      const names = [...parts.map((part) => part['required']), ...dependent].flatMap(list);
      return new Set(names.filter((name) => typeof name === 'string'));
    });
  }
}
