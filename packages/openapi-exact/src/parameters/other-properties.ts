import { getOrInsert } from '../get-or-insert.ts';
import { expressionOf } from '../document/pattern.ts';
import { isSchema, type Schema } from '../document/openapi-document.ts';

/** The schemas of one property, with a key that is the same for the same schemas. */
interface PropertySchemas {
  readonly key: string;
  readonly schemas: readonly Schema[];
}

/**
 * The schemas of properties that schemas do not name: those of the patterns that the name matches,
 * else those of `additionalProperties`.
 */
export class OtherProperties {
  readonly #patterns: readonly (PropertySchemas & { readonly expression: RegExp })[];
  /** Those of names that several patterns match, by key. */
  readonly #combined = new Map<string, PropertySchemas>();
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
    this.#patterns = [...patterns].map(([pattern, schemas]) => {
      const expression = expressionOf(pattern);
      return { expression, key: `/${expression.source}/`, schemas: distinct(schemas) };
    });
    this.#additional = { key: '*', schemas: distinct(objects.map(({ additionalProperties }) => additionalProperties)) };
    this.#allowsAny = objects.some(
      (object) => object['additionalProperties'] !== false && object['unevaluatedProperties'] !== false,
    );
  }

  /** Whether one of the objects may have a property of this name. */
  allowsName(name: string): boolean {
    return this.#allowsAny || this.#patterns.some(({ expression }) => expression.test(name));
  }

  schemasOf(name: string): PropertySchemas {
    const matching = this.#patterns.filter(({ expression }) => expression.test(name));
    const [only = this.#additional, ...others] = matching;
    if (others.length === 0) return only;
    const key = matching.map((one) => one.key).join(' ');
    return getOrInsert(this.#combined, key, () => ({ key, schemas: matching.flatMap(({ schemas }) => schemas) }));
  }
}

/** A value that is not a schema allows every value. */
function distinct(schemas: readonly unknown[]): readonly Schema[] {
  return [...new Set(schemas)].map((schema) => (isSchema(schema) ? schema : {}));
}
