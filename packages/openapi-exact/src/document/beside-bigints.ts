import { isBigint, isInteger } from './bigint.ts';
import { visitComposedPlaces } from './composed-places.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';

/** Schemas of values whose integers another schema makes `bigint`s. */
const BESIDE = new WeakSet<Schema>();

/** Finds the schemas that hold wherever another one of their place makes integers `bigint`s. */
export function findBesideBigints(document: OpenApiDocument, schemas: readonly Schema[]): void {
  visitComposedPlaces(document, schemas, ({ certain, possible }) => {
    if (certain.some(isBigint)) for (const part of certain) BESIDE.add(part);
    // Beside an alternative, a number may be a fraction.
    else if (possible.some(isBigint)) for (const part of certain) if (isInteger(part)) BESIDE.add(part);
  });
}

/** True for a schema that leaves to another one of its place how large an integer may be. */
export function isBesideBigint(schema: Schema): boolean {
  return BESIDE.has(schema);
}
