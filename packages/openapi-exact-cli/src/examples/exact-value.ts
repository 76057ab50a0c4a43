import { arrayOf, isObject, objectOf, type Json, type JsonObject } from './json-value.ts';
import type { Schemas } from './json-schema.ts';
import { expression, isOfBigints } from './scalar-values.ts';
import { resolve } from './source-document.ts';

/** Deeper values are left unchanged. */
const MAX_DEPTH = 40;

/**
 * The value as handlers have it: an integer is a bigint where a schema that holds for it allows
 * integers beyond 2^53, by its format, a bound or a constant.
 */
export function exactValue(schemas: Schemas, schema: Json, value: Json): Json {
  return exactIn(schemas, [schema], value, 0);
}

function exactIn(schemas: Schemas, holding: readonly Json[], value: Json, depth: number): Json {
  if (depth > MAX_DEPTH) return value;
  const all = holding.flatMap((schema) => [...partsOf(schemas, schema, value, 0)]);
  if (typeof value === 'number') return Number.isInteger(value) && all.some(isOfBigints) ? BigInt(value) : value;
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const found = all.map(({ prefixItems, items }) => arrayOf(prefixItems)[index] ?? items ?? {});
      return exactIn(schemas, found, item, depth + 1);
    });
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, property]): [string, Json] => [
    name,
    exactIn(
      schemas,
      all.flatMap((part) => propertyOf(part, name)),
      property,
      depth + 1,
    ),
  ]);
  return Object.fromEntries(entries);
}

/** The schema and those that it applies to the value, of choices those that hold. */
function* partsOf(schemas: Schemas, schema: Json, value: Json, depth: number): Generator<JsonObject> {
  if (!isObject(schema) || depth > MAX_DEPTH) return;
  const { $ref, allOf, oneOf, anyOf } = schema;
  if (typeof $ref === 'string') {
    yield* partsOf(schemas, resolve(schemas.document.view, { $ref }) ?? {}, value, depth + 1);
    if (schemas.document.is30) return;
  }
  yield schema;
  for (const part of arrayOf(allOf)) yield* partsOf(schemas, part, value, depth + 1);
  for (const branch of [...arrayOf(oneOf), ...arrayOf(anyOf)]) {
    if (schemas.judge(branch)(value) === undefined) yield* partsOf(schemas, branch, value, depth + 1);
  }
}

function propertyOf(part: JsonObject, name: string): Json[] {
  const { properties, patternProperties, additionalProperties } = part;
  const named = objectOf(properties);
  const found = [
    ...(Object.hasOwn(named, name) ? [named[name] ?? {}] : []),
    ...Object.entries(objectOf(patternProperties)).flatMap(([pattern, schemaOfPattern]) =>
      expression(pattern)?.test(name) === true ? [schemaOfPattern] : [],
    ),
  ];
  return found.length > 0 || additionalProperties === undefined ? found : [additionalProperties];
}
