import { isBigint, isInteger } from './bigint.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { PlaceKeys, placesWithin } from './places-within.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas, reaching } from './schema-graph.ts';

/** Schemas of values whose integers another schema makes `bigint`s. */
const BESIDE = new WeakSet<Schema>();

/** The schemas of one place of a value. */
interface SchemasOfPlace {
  /** Those that hold for every value there. */
  readonly certain: readonly Schema[];
  /** Those and the alternatives. */
  readonly possible: readonly Schema[];
}

/** The most places that are visited: schemas in many circles have more than anybody waits for. */
const MOST_PLACES = 10_000;

/** Finds the schemas that hold wherever another one of their place makes integers `bigint`s. */
export function findBesideBigints(document: OpenApiDocument, schemas: readonly Schema[]): void {
  const holdsBigint = reaching(document, isBigint);
  const keys = new PlaceKeys();
  const known = new Set<string>();
  const starts = schemas.filter((schema) => isComposed(schema) && holdsBigint(schema));
  const pending: SchemasOfPlace[] = starts.map((schema) => ({ certain: [schema], possible: [schema] }));
  // More places are found while these are visited.
  for (const { certain, possible } of pending) {
    const parts = [...new Set(certain.flatMap((schema) => partsOf(document, schema)))];
    const all = [...reachableSchemas(document, possible, MATCHING_VALUE)];
    if (!all.some(holdsBigint)) continue;
    const key = `${keys.keyOf(parts)} ${keys.keyOf(all)}`;
    if (known.has(key)) continue;
    if (known.size === MOST_PLACES) return;
    known.add(key);
    if (parts.some(isBigint)) for (const part of parts) BESIDE.add(part);
    // Beside an alternative, a number may be a fraction.
    else if (all.some(isBigint)) for (const part of parts) if (isInteger(part)) BESIDE.add(part);
    const certainBelow = new Set(placesWithin(parts).flat());
    for (const below of placesWithin(all)) {
      if (below.length < 2) continue;
      pending.push({ certain: below.filter((schema) => certainBelow.has(schema)), possible: below });
    }
  }
}

/** True for a schema whose values may have further ones to fit. */
function isComposed(schema: Schema): boolean {
  const isReference = schema.$ref !== undefined && Object.keys(schema).length > 1;
  return isReference || MATCHING_VALUE.some((keyword) => keyword in schema);
}

/** True for a schema that leaves to another one of its place how large an integer may be. */
export function isBesideBigint(schema: Schema): boolean {
  return BESIDE.has(schema);
}
