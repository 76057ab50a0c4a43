import { isBigint } from '../document/bigint.ts';
import { isSchema, list, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas } from '../document/schema-graph.ts';
import { PlaceKeys, placesWithin } from '../document/places-within.ts';

/**
 * The schemas of numbers whose place another alternative gives to `bigint`s: an integer there is a
 * `bigint`, a fraction a number.
 * @param schemas all of the document.
 */
export function mixedNumbers(document: OpenApiDocument, schemas: readonly Schema[]): ReadonlySet<Schema> {
  const mixed = new Set<Schema>();
  const keys = new PlaceKeys();
  const known = new Set<string>();
  const pending: (readonly unknown[])[] = schemas.filter(isChoice).map((schema) => [schema]);
  // More places are found while these are visited.
  for (const place of pending) {
    const all = [...reachableSchemas(document, place.filter(isSchema), MATCHING_VALUE)];
    const key = keys.keyOf(all);
    if (known.has(key)) continue;
    known.add(key);
    if (all.some(isBigint)) {
      const certain = new Set(all.filter(isBigint).flatMap((schema) => partsOf(document, schema)));
      for (const schema of all) if (hasNumberType(schema) && !certain.has(schema)) mixed.add(schema);
    }
    pending.push(...placesWithin(all).filter((schemasOfPlace) => schemasOfPlace.length > 1));
  }
  return mixed;
}

function isChoice(schema: Schema): boolean {
  return ['anyOf', 'oneOf', 'allOf', 'if', 'dependentSchemas'].some((key) => key in schema);
}

/** True for a schema of numbers by its type, or by its constants where it has none. */
function hasNumberType({ type, const: only, enum: allowed }: Schema): boolean {
  if (type === undefined) return (only === undefined ? list(allowed) : [only]).some(isNumber);
  return [type].flat().some((name) => name === 'integer' || name === 'number');
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
