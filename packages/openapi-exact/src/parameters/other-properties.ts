import { getOrInsert } from '../get-or-insert.ts';
import { expressionOf } from '../document/pattern.ts';
import { isSchema, type Schema } from '../document/openapi-document.ts';

/** The schemas of one property; the same object for properties with the same ones. */
export interface PropertySchemas {
  readonly schemas: readonly Schema[];
}

/**
 * The schemas of properties that schemas do not name: those of the patterns that the name matches,
 * else those of `additionalProperties`.
 */
export class OtherProperties {
  readonly #patterns: readonly (PropertySchemas & { readonly expression: RegExp })[];
  /** Those of names that several patterns match, by those of all but the last and the last. */
  readonly #combined = new Map<PropertySchemas, Map<PropertySchemas, PropertySchemas>>();
  readonly #additional: PropertySchemas;
  readonly #allowsAny: boolean;

  /** @param objects of which a value fits at least one. */
  constructor(objects: readonly Schema[]) {
    const patterns = new Map<string, unknown[]>();
    for (const { patternProperties } of objects) {
      for (const [pattern, schema] of Object.entries(patternProperties ?? {})) {
        getOrInsert(patterns, pattern, () => []).push(schema);
      }
    }
    this.#patterns = [...patterns].map(([pattern, schemas]) => ({
      expression: expressionOf(pattern),
      schemas: distinct(schemas),
    }));
    this.#additional = { schemas: distinct(objects.map(({ additionalProperties }) => additionalProperties)) };
    this.#allowsAny = objects.some(
      (object) => object['additionalProperties'] !== false && object['unevaluatedProperties'] !== false,
    );
  }

  /** Whether one of the objects may have a property of this name. */
  allowsName(name: string): boolean {
    return this.#allowsAny || this.#patterns.some(({ expression }) => expression.test(name));
  }

  schemasOf(name: string): PropertySchemas {
    let found: PropertySchemas | undefined;
    for (const pattern of this.#patterns) {
      if (pattern.expression.test(name)) found = found === undefined ? pattern : this.#combine(found, pattern);
    }
    return found ?? this.#additional;
  }

  #combine(first: PropertySchemas, last: PropertySchemas): PropertySchemas {
    const combined = getOrInsert(this.#combined, first, () => new Map<PropertySchemas, PropertySchemas>());
    return getOrInsert(combined, last, () => ({ schemas: [...first.schemas, ...last.schemas] }));
  }
}

/** A value that is not a schema allows every value. */
function distinct(schemas: readonly unknown[]): readonly Schema[] {
  return [...new Set(schemas)].map((schema) => (isSchema(schema) ? schema : {}));
}
