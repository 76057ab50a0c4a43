import { getOrInsert } from '../json/get-or-insert.ts';
import type { ValueCount } from '../json/value-count.ts';
import { expressionOf } from '../schema/pattern.ts';
import { isSchema, type Schema } from '../schema/openapi-document.ts';

/** The schemas of one property; the same object for properties with the same ones. */
export interface PropertySchemas {
  readonly schemas: readonly Schema[];
}

/**
 * The schemas of properties that schemas do not name: those of the patterns that the name matches,
 * else those of `additionalProperties`.
 */
export class OtherProperties {
  readonly #patterns: readonly (PropertySchemas & { readonly expression: RegExp; readonly number: number })[];
  /** Those of names that several patterns match, by their numbers, for each message. */
  readonly #combined = new WeakMap<ValueCount, Map<string, PropertySchemas>>();
  readonly #additional: PropertySchemas;
  readonly #allowsAny: boolean;

  /** @param objects alternatives: a value fits at least one. */
  constructor(objects: readonly Schema[]) {
    const patterns = new Map<string, unknown[]>();
    for (const { patternProperties } of objects) {
      for (const [pattern, schema] of Object.entries(patternProperties ?? {})) {
        getOrInsert(patterns, pattern, () => []).push(schema);
      }
    }
    this.#patterns = [...patterns].map(([pattern, schemas], number) => ({
      number,
      expression: expressionOf(pattern),
      schemas: distinct(schemas),
    }));
    this.#additional = { schemas: distinct(objects.map(othersOf)) };
    this.#allowsAny = objects.some(
      (object) => object['additionalProperties'] !== false && object['unevaluatedProperties'] !== false,
    );
  }

  /** Whether one of the objects may have a property of this name. */
  allowsName(name: string): boolean {
    return this.#allowsAny || this.#patterns.some(({ expression }) => expression.test(name));
  }

  /**
   * @param count of the values of the message.
   * @throws the error of `count` when names match too many combinations of patterns.
   */
  schemasOf(name: string, count: ValueCount): PropertySchemas {
    const fitting: PropertySchemas[] = [];
    let key = '';
    for (const pattern of this.#patterns) {
      if (!pattern.expression.test(name)) continue;
      fitting.push(pattern);
      key += `${pattern.number},`;
    }
    const [first = this.#additional] = fitting;
    if (fitting.length <= 1) return first;
    const combined = getOrInsert(this.#combined, count, () => new Map<string, PropertySchemas>());
    return getOrInsert(combined, key, () => {
      count.addCombination();
      return { schemas: fitting.flatMap(({ schemas }) => schemas) };
    });
  }
}

/** The rule of an object for properties that it does not name. */
function othersOf({ additionalProperties, unevaluatedProperties }: Schema): unknown {
  return additionalProperties ?? unevaluatedProperties;
}

/** A value that is not a schema allows every value. */
function distinct(schemas: readonly unknown[]): readonly Schema[] {
  return [...new Set(schemas)].map((schema) => (isSchema(schema) ? schema : {}));
}
