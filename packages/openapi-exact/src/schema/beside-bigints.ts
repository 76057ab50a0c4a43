import { isBigint, isInteger } from './bigint.ts';
import { visitComposedPlaces } from './composed-places.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';

/** Schemas of values whose integers another schema makes `bigint`s. */
const BESIDE = new WeakSet<Schema>();

/** Finds the schemas of values whose integers another schema of their place makes `bigint`s. */
export function findBesideBigints(document: OpenApiDocument, schemas: readonly Schema[]): void {
  visitComposedPlaces(document, schemas, ({ possible, judging }) => {
    if (!possible.some(isBigint)) return;
    // Of another number, the same schema may allow a fraction, here or elsewhere.
    for (const schema of judging.filter(isInteger)) BESIDE.add(schema);
  });
}

/** True for a schema that leaves to another one of its place how large an integer may be. */
export function isBesideBigint(schema: Schema): boolean {
  return BESIDE.has(schema);
}
