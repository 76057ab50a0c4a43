import { isLosslessNumber } from 'lossless-json';
import { getOrInsert } from '../get-or-insert.ts';
import { HiddenProperties } from '../document/hidden-properties.ts';
import { isObject, isSchema, list, own, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { partsOf, reachableSchemas, reaching } from '../document/schema-graph.ts';
import { choicesOf, containedIn } from './choices.ts';
import { expressionOf } from '../document/pattern.ts';
import { requestError } from './request-error.ts';
import { exactOf, heldNumber, scaled } from '../numbers/decimal.ts';
import { isBigint } from '../numbers/bigint.ts';

/** Tells whether a value is valid for one of the alternatives that a schema offers. */
export type Holds = (alternative: Schema, value: unknown) => boolean;

/**
 * Gives the numbers of valid JSON values their exact values, and fills in defaults. An int64
 * becomes a `bigint`, any other number a number. Of oneOf, anyOf and if, those alternatives count
 * for which the value is valid; the defaults inside alternatives are not filled in.
 */
export class ExactJson {
  readonly #document: OpenApiDocument;
  readonly #relevant = new Map<Schema, readonly Schema[]>();
  readonly #presets = new Map<Schema, readonly [string, unknown][]>();
  readonly #holdsInt64: (schema: Schema) => boolean;
  readonly #holdsDefault: (schema: Schema) => boolean;
  readonly #readOnly: HiddenProperties;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#holdsInt64 = reaching(document, isBigint);
    this.#holdsDefault = reaching(document, (schema) => schema['default'] !== undefined);
    this.#readOnly = new HiddenProperties(document, 'readOnly');
  }

  /**
   * @param value valid JSON whose numbers are `LosslessNumber`s or exact already.
   * @param place its place in the request, as a JSON pointer.
   * @throws RequestError when a number that is no int64 cannot be held exactly.
   */
  read(schema: unknown, value: unknown, place: string, holds: Holds): unknown {
    return this.#read(value, this.#relevantIn([schema]), place, holds);
  }

  /** True for an object of scalars of one type each, without defaults: they are exact as read. */
  isPlain(schema: Schema): boolean {
    const [, ...properties] = reachableSchemas(this.#document, [schema]);
    return properties.every(isPlainScalar);
  }

  /** True when exact values depend on which alternatives of a schema hold. */
  isDecisive({ unevaluatedProperties: others }: Schema, alternatives: readonly Schema[]): boolean {
    return [...alternatives, others].some((one) => isSchema(one) && this.#holdsInt64(one));
  }

  #read(value: unknown, relevant: readonly Schema[], place: string, holds: Holds): unknown {
    const isNumber = isLosslessNumber(value) || typeof value === 'bigint' || typeof value === 'number';
    if (!isNumber && (typeof value !== 'object' || value === null)) return value;
    const schemas = this.#withAlternatives(relevant, value, holds);
    if (isNumber) return exactNumber(String(value), schemas.some(isBigint), place);
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) =>
        this.#read(
          item,
          this.#relevantIn(schemas.flatMap((one) => this.#itemsOf(one, index))),
          `${place}/${index}`,
          holds,
        ),
      );
    }
    const entries = Object.entries(value).map(([key, child]): [string, unknown] => {
      const at = `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return [key, this.#read(child, this.#relevantIn(this.#propertyOf(schemas, key)), at, holds)];
    });
    return Object.fromEntries([...this.#defaults(relevant, value), ...entries]);
  }

  #itemsOf(schema: Schema, index: number): unknown[] {
    const found = itemsOf(schema, index);
    const { unevaluatedItems: others } = schema;
    if (others === undefined || this.#certain([schema]).some((part) => itemsOf(part, index).length > 0)) return found;
    return [others];
  }

  /** The schemas for a property: by name, by pattern, or for all others. */
  #propertyOf(schemas: readonly Schema[], key: string): unknown[] {
    const found = schemas.flatMap((schema) => evaluatedBy(schema, key));
    const others = schemas.filter(
      (schema) => 'unevaluatedProperties' in schema && !this.#evaluates(schema, key, found.length > 0),
    );
    return [...found, ...others.map(({ unevaluatedProperties }) => unevaluatedProperties)];
  }

  /**
   * True if a schema, or one that it applies to the same value, describes a property.
   * @param inChoices whether an alternative of the schema counts as one that does.
   */
  #evaluates(schema: Schema, key: string, inChoices: boolean): boolean {
    return this.#certain([schema]).some(
      (part) =>
        evaluatedBy(part, key).length > 0 ||
        (inChoices && ('dependentSchemas' in part || choicesOf(this.#document, part).length > 0)),
    );
  }

  /** The schemas, and those that hold wherever they do. */
  #certain(schemas: readonly unknown[]): readonly Schema[] {
    return schemas.flatMap((schema) => partsOf(this.#document, schema));
  }

  /** The schemas that hold wherever these do, if one of them says something of the value. */
  #relevantIn(schemas: readonly unknown[]): readonly Schema[] {
    return schemas.filter(isSchema).flatMap((schema) =>
      getOrInsert(this.#relevant, schema, () => {
        const certain = this.#certain([schema]);
        return certain.some((one) => this.#holdsInt64(one) || this.#holdsDefault(one)) ? certain : [];
      }),
    );
  }

  /** Adds the alternatives that hold for a value, as far as they say something of int64s. */
  #withAlternatives(schemas: readonly Schema[], value: unknown, holds: Holds): readonly Schema[] {
    const chosen = schemas.flatMap((schema) => [
      ...dependentsOf(schema, value),
      ...choicesOf(this.#document, schema).flatMap((alternatives) => {
        if (!this.isDecisive(schema, alternatives)) return [];
        const fitting = alternatives.filter((one) => this.#certain([one]).every((part) => hasTypeOf(part, value)));
        // The value is valid: a single alternative of its type is the one that holds.
        return fitting.length <= 1 ? fitting : fitting.filter((one) => holds(one, value));
      }),
    ]);
    return chosen.length === 0 ? schemas : [...schemas, ...this.#withAlternatives(this.#certain(chosen), value, holds)];
  }

  #defaults(certain: readonly Schema[], value: object): [string, unknown][] {
    return certain
      .flatMap((schema) => this.#presetProperties(schema))
      .filter(
        ([key]) =>
          !Object.hasOwn(value, key) &&
          !certain.some(({ properties }) => this.#readOnly.isHidden(own(properties, key))),
      )
      .map(([key, property]) => [key, this.#defaultOf(property)]);
  }

  /** The properties of a schema that have a default. */
  #presetProperties(schema: Schema): readonly [string, unknown][] {
    return getOrInsert(this.#presets, schema, () =>
      Object.entries(schema['properties'] ?? {}).filter(([, property]) => this.#defaultOf(property) !== undefined),
    );
  }

  /** The default of a schema, exact; undefined when it has none. */
  #defaultOf(schema: unknown): unknown {
    const preset = this.#certain([schema]).find((one) => one['default'] !== undefined)?.['default'];
    return preset === undefined ? undefined : this.#read(preset, this.#relevantIn([schema]), '', () => false);
  }
}

/** True also for a reference, whose target is judged by itself. */
function isPlainScalar({ type = '', ...others }: Schema): boolean {
  if (Object.keys(others).join() === '$ref') return true;
  const isScalar = typeof type === 'string' && ['boolean', 'integer', 'number', 'string'].includes(type);
  return isScalar && !['$ref', 'default', 'oneOf', 'anyOf', 'if'].some((key) => key in others);
}

/** False when the type of a schema excludes a value. */
function hasTypeOf({ type }: Schema, value: unknown): boolean {
  if (type === undefined) return true;
  const types = [type].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (isLosslessNumber(value) || typeof value === 'number' || typeof value === 'bigint') {
    return types.includes('number') || types.includes('integer');
  }
  return types.includes(typeof value);
}

/** The schemas that hold because a value has a property (JSON Schema 2020-12, section 10.2.2.4). */
function dependentsOf({ dependentSchemas }: Schema, value: unknown): Schema[] {
  if (dependentSchemas === undefined || !isObject(value)) return [];
  return Object.keys(value)
    .map((key) => own(dependentSchemas, key))
    .filter(isSchema);
}

/** The schemas of a property in the keywords of one schema, without `unevaluatedProperties`. */
function evaluatedBy({ properties, patternProperties, additionalProperties }: Schema, key: string): unknown[] {
  const named = own(properties, key);
  const patterns = Object.entries(patternProperties ?? {}).filter(([pattern]) => expressionOf(pattern).test(key));
  const all = [...(named === undefined ? [] : [named]), ...patterns.map(([, schema]: [string, unknown]) => schema)];
  return all.length > 0 || additionalProperties === undefined ? all : [additionalProperties];
}

/** The schemas of an item in the keywords of one schema, without `unevaluatedItems`. */
function itemsOf(schema: Schema, index: number): unknown[] {
  const { prefixItems, items } = schema;
  const prefix = list(prefixItems);
  return [index < prefix.length ? prefix[index] : items, containedIn(schema)].filter((one) => one !== undefined);
}

/** @throws RequestError for a number that is no int64 and cannot be held exactly. */
function exactNumber(text: string, isBigint: boolean, place: string): bigint | number {
  const exact = exactOf(text);
  // JSON Schema calls 1.0 and 1e3 integers, and JSON has one type of number for both. The validator
  // has not seen a number beyond doubles.
  if (isBigint && !Number.isNaN(exact)) return typeof exact === 'number' ? BigInt(exact) : scaled(exact, 0);
  const held = heldNumber(text);
  if (held !== undefined) return held;
  throw requestError(place, 'must be a number whose digits a double keeps, or an int64 where the contract says so');
}
