import { isBigint } from './bigint.ts';
import type { ValueCount } from '../json/value-count.ts';
import { ANY, mergedSchemas, type MergedSchemas } from './merged-schemas.ts';
import { schemasOfProperty } from './property-schemas.ts';
import { fieldsOf, isObject, isSchema, list, resolve, type OpenApiDocument, type Schema } from './openapi-document.ts';

/** The most alternatives of one schema that are kept: `allOf` of choices multiplies them. */
const MAX_ALTERNATIVES = 256;

/**
 * The alternatives of a schema without `$ref`, `allOf`, `oneOf` and `anyOf`: a valid value fits at
 * least one. They include `then`, `else` and `dependentSchemas`, and serve to read texts, not to
 * validate values.
 * @param count of the message's values; absent at the start. @throws its error at too many merges.
 */
export function alternatives(document: OpenApiDocument, schema: unknown, count?: ValueCount): readonly Schema[] {
  return new AlternativesSearch(document, count).alternativesOf(schema);
}

class AlternativesSearch {
  readonly #document: OpenApiDocument;
  readonly #count: ValueCount | undefined;
  readonly #merged: MergedSchemas;

  constructor(document: OpenApiDocument, count: ValueCount | undefined) {
    this.#document = document;
    this.#count = count;
    this.#merged = mergedSchemas(document);
  }

  alternativesOf(schema: unknown): readonly Schema[] {
    if (!isSchema(schema)) return [ANY];
    const { alternatives: known } = this.#merged;
    const found = known.get(schema);
    if (found !== undefined) return found;
    // A schema that is only itself has no alternatives.
    known.set(schema, []);
    try {
      known.set(schema, this.#search(schema));
    } catch (error) {
      known.delete(schema);
      throw error;
    }
    return known.get(schema) ?? [];
  }

  #search(schema: Schema): readonly Schema[] {
    const { $ref, allOf, oneOf, anyOf, ...own } = schema;
    const below = (node: unknown): readonly Schema[] => this.alternativesOf(node);
    const parts = [
      // A schema of alternatives alone says nothing of its own.
      ...(Object.keys(own).length === 0 && Array.isArray(oneOf ?? anyOf) ? [] : [[withPatterns(this.#merged, own)]]),
      ...($ref === undefined ? [] : [below(resolve<Schema>(this.#document, { $ref }))]),
      ...list(allOf).map(below),
      ...[oneOf, anyOf].filter(Array.isArray).map((choices: unknown[]) => choices.flatMap(below)),
    ];
    const merged = parts.reduce((left, right) => this.#product(left, right));
    const found = new Set(merged.slice(0, MAX_ALTERNATIVES));
    const bases = [...found];
    for (const part of conditionalParts(schema).flatMap(below)) {
      for (const base of bases) {
        // Of a scalar, a condition tells at most that its integers are large.
        if (!mayHaveParts(base) && !isBigint(part)) continue;
        if (found.size >= MAX_ALTERNATIVES) return [...found];
        for (const alternative of this.#merge(base, withChoices(this.#merged, part, base))) found.add(alternative);
      }
    }
    return [...found];
  }

  /** The alternatives of values that fit one of each. */
  #product(left: readonly Schema[], right: readonly Schema[]): readonly Schema[] {
    const found = new Set<Schema>();
    for (const combined of left) {
      for (const option of right) {
        for (const merged of this.#merge(combined, option)) found.add(merged);
        if (found.size >= MAX_ALTERNATIVES) return [...found];
      }
    }
    return [...found];
  }

  #merge(left: Schema, right: Schema): readonly Schema[] {
    return this.#merged.merge(left, right, this.#count, () => intersection(this.#merged, left, right));
  }
}

/** A schema whose properties also have what its own patterns require of them. */
function withPatterns(merged: MergedSchemas, schema: Schema): Schema {
  const { properties, patternProperties } = schema;
  return isObject(properties) && isObject(patternProperties)
    ? { ...schema, properties: allProperties(merged, schema, ANY) }
    : schema;
}

/** The schemas that a text alone cannot decide: the value that is read of it is checked. */
function conditionalParts(schema: Schema): readonly unknown[] {
  const { if: condition, then, else: otherwise, dependentSchemas } = schema;
  const branches = condition === undefined ? [] : [then, otherwise];
  return [...branches, ...Object.values(fieldsOf(dependentSchemas))].filter(isSchema);
}

function mayHaveParts(schema: Schema): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object') || types.includes('array');
}

/** A part whose properties may be anything else that the base allows, where it does not hold. */
function withChoices(merged: MergedSchemas, part: Schema, base: Schema): Schema {
  const { properties } = part;
  if (!isObject(properties)) return part;
  return merged.beside(part, base, () => {
    const named = fieldsOf(base['properties']);
    const other = base['additionalProperties'] ?? base['unevaluatedProperties'];
    const choices = Object.entries(properties).map(([name, property]) => {
      if (Object.hasOwn(named, name) || other === false) return [name, property];
      return [name, merged.composed('anyOf', [property, other])];
    });
    return { ...part, properties: Object.fromEntries(choices) };
  });
}

/** The JSON types that a schema allows, or implies by its other keywords; none for any type. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const values = 'const' in schema ? [schema['const']] : list(schema['enum']);
  if (values.length > 0) {
    const numberType = isBigint(schema) ? 'integer' : 'number';
    return [...new Set(values.map((value) => (typeof value === 'number' ? numberType : typeOf(value))))];
  }
  if ('properties' in schema || 'additionalProperties' in schema) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

/** One schema for values that fit both; none when their types exclude each other. */
function intersection(known: MergedSchemas, left: Schema, right: Schema): Schema[] {
  const merged: Schema = { ...left, ...right };
  if (isObject(left['properties']) || isObject(right['properties'])) {
    merged['properties'] = allProperties(known, left, right);
  }
  if (isObject(left['patternProperties']) && isObject(right['patternProperties'])) {
    merged['patternProperties'] = mergedProperties(known, left['patternProperties'], right['patternProperties']);
  }
  for (const key of ['items', 'additionalProperties']) {
    if (isSchema(left[key]) && isSchema(right[key])) merged[key] = known.composed('allOf', [left[key], right[key]]);
    else if (left[key] === false || (isSchema(left[key]) && right[key] === true)) merged[key] = left[key];
  }
  // The bounds of a smaller format remain those of its own schema.
  if (left.format !== undefined && isBigint(left) && !isBigint(right)) merged.format = left.format;
  const [leftTypes, rightTypes] = [typesOf(left), typesOf(right)];
  // One of them allows any type.
  if (leftTypes.length === 0 || rightTypes.length === 0) {
    const type = [...leftTypes, ...rightTypes];
    return [type.length === 0 ? merged : { ...merged, type }];
  }
  const type = [...new Set([...allowedTypes(leftTypes, rightTypes), ...allowedTypes(rightTypes, leftTypes)])];
  return type.length === 0 ? [] : [{ ...merged, type }];
}

/** Those of some types that others allow: an integer is a number. */
function allowedTypes(types: readonly string[], limits: readonly string[]): readonly string[] {
  return types.filter((type) => limits.includes(type) || (type === 'integer' && limits.includes('number')));
}

/** The properties that one of two schemas names, each with the keywords of both. */
function allProperties(merged: MergedSchemas, left: Schema, right: Schema): Record<string, unknown> {
  const names = [left, right].flatMap(({ properties }) => Object.keys(fieldsOf(properties)));
  return Object.fromEntries(
    [...new Set(names)].map((name) => [
      name,
      merged.composed('allOf', [...schemasOf(left, name), ...schemasOf(right, name)]),
    ]),
  );
}

/** What alternative schemas demand of each property that one of them names. */
export function namedProperties(objects: readonly Schema[]): ReadonlyMap<string, readonly unknown[]> {
  const names = objects.flatMap(({ properties }) => Object.keys(fieldsOf(properties)));
  return new Map(
    [...new Set(names)].map((name) => [name, [...new Set(objects.flatMap((object) => schemasOf(object, name)))]]),
  );
}

/** All that a schema demands of a property of this name. */
function schemasOf(schema: Schema, name: string): readonly unknown[] {
  const { named, matched, additional } = schemasOfProperty(schema, name);
  return [...named, ...matched, ...additional];
}

function mergedProperties(
  merged: MergedSchemas,
  left: Record<string, unknown>,
  right: Record<string, unknown>,
): Record<string, unknown> {
  const shared = Object.keys(left).filter((key) => Object.hasOwn(right, key));
  return {
    ...left,
    ...right,
    ...Object.fromEntries(shared.map((key) => [key, merged.composed('allOf', [left[key], right[key]])])),
  };
}
