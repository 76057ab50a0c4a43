import { isBigint } from '../document/bigint.ts';
import { isSchema, list, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas } from '../document/schema-graph.ts';
import { placesWithin } from '../document/places-within.ts';
import { getOrInsert } from '../get-or-insert.ts';

/**
 * The schemas of numbers whose place another alternative gives to `bigint`s: an integer there is a
 * `bigint`, a fraction a number.
 * @param schemas all of the document. @param isMixed finds others than those of numbers.
 */
export function mixedNumbers(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  isMixed: (schema: Schema) => boolean = hasNumberType,
): ReadonlySet<Schema> {
  const mixed = new Set<Schema>();
  const numbers = new Map<Schema, number>();
  const known = new Set<string>();
  const pending: (readonly unknown[])[] = schemas.filter(isChoice).map((schema) => [schema]);
  // More places are found while these are visited.
  for (const place of pending) {
    const all = [...reachableSchemas(document, place.filter(isSchema), MATCHING_VALUE)];
    const key = all.map((schema) => getOrInsert(numbers, schema, () => numbers.size)).join();
    if (known.has(key)) continue;
    known.add(key);
    if (all.some(isBigint)) {
      const certain = new Set(all.filter(isBigint).flatMap((schema) => partsOf(document, schema)));
      for (const schema of all) if (isMixed(schema) && !certain.has(schema)) mixed.add(schema);
    }
    pending.push(...placesWithin(all).filter((schemasOfPlace) => schemasOfPlace.length > 1));
  }
  return mixed;
}

function isChoice(schema: Schema): boolean {
  return ['anyOf', 'oneOf', 'allOf', 'if', 'dependentSchemas'].some((key) => key in schema);
}

/** True for a schema of values that are neither numbers nor null. */
export function isOfOthers(schema: Schema): boolean {
  const { type } = schema;
  if (type !== undefined) return [type].flat().some((name) => name !== 'null') && !hasNumberType(schema);
  return constantsOf(schema).some((constant) => constant !== null && !isNumber(constant));
}

/** True for a schema of numbers by its type, or by its constants where it has none. */
function hasNumberType(schema: Schema): boolean {
  const { type } = schema;
  if (type === undefined) return constantsOf(schema).some(isNumber);
  return [type].flat().some((name) => name === 'integer' || name === 'number');
}

function constantsOf({ const: only, enum: allowed }: Schema): readonly unknown[] {
  return only === undefined ? list(allowed) : [only];
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
