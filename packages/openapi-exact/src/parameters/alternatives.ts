import { isObject, isSchema, list, resolve, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';

/**
 * The most alternatives of one schema that are told apart: each `allOf` of choices multiplies them.
 */
const MAX_ALTERNATIVES = 256;

/**
 * The alternatives of a schema: schemas without `$ref`, `allOf`, `oneOf` and `anyOf`, of which a
 * valid value fits at least one. They tell how to read a text, not whether its value is valid.
 */
export function alternatives(document: OpenApiDocument, schema: unknown, seen: readonly string[] = []): Schema[] {
  if (!isSchema(schema)) return [{}];
  const { $ref, allOf, oneOf, anyOf, ...own } = schema;
  // A schema that is only itself has no alternatives.
  if ($ref !== undefined && seen.includes($ref)) return [];
  const below = (node: unknown, path = seen): Schema[] => alternatives(document, node, path);
  const parts = [
    [own],
    ...($ref === undefined ? [] : [below(resolve<Schema>(document, { $ref }), [...seen, $ref])]),
    ...list(allOf).map((part) => below(part)),
    ...[oneOf, anyOf].filter(Array.isArray).map((choices: unknown[]) => choices.flatMap((choice) => below(choice))),
  ];
  return parts.reduce((merged, options) =>
    merged.flatMap((one) => options.flatMap((other) => intersection(one, other))).slice(0, MAX_ALTERNATIVES),
  );
}

/** The JSON types that a schema allows, or implies by its other keywords; none for any type. */
export function typesOf(schema: Schema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const values = 'const' in schema ? [schema['const']] : list(schema['enum']);
  if (values.length > 0) return [...new Set(values.map(typeOf))];
  if ('properties' in schema || 'additionalProperties' in schema) return ['object'];
  return 'items' in schema || 'prefixItems' in schema ? ['array'] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'integer' : typeof value;
}

/** One schema for values that fit both; none when their types exclude each other. */
function intersection(one: Schema, other: Schema): Schema[] {
  const merged: Schema = { ...one, ...other };
  for (const key of ['properties', 'patternProperties']) {
    if (isObject(one[key]) && isObject(other[key])) merged[key] = mergedProperties(one[key], other[key]);
  }
  if (isSchema(one['items']) && isSchema(other['items'])) merged['items'] = { allOf: [one['items'], other['items']] };
  const [types, others] = [typesOf(one), typesOf(other)];
  // One of them allows any type.
  if (types.length === 0 || others.length === 0) {
    const type = [...types, ...others];
    return [type.length === 0 ? merged : { ...merged, type }];
  }
  const type = [...new Set([...allowedTypes(types, others), ...allowedTypes(others, types)])];
  return type.length === 0 ? [] : [{ ...merged, type }];
}

/** Those of some types that others allow: an integer is a number. */
function allowedTypes(types: readonly string[], others: readonly string[]): readonly string[] {
  return types.filter((type) => others.includes(type) || (type === 'integer' && others.includes('number')));
}

function mergedProperties(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const shared = Object.keys(one).filter((key) => Object.hasOwn(other, key));
  return { ...one, ...other, ...Object.fromEntries(shared.map((key) => [key, { allOf: [one[key], other[key]] }])) };
}
