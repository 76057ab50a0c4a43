import {
  hasNumberType,
  isBigint,
  partsOf,
  visitComposedPlaces,
  type OpenApiDocument,
  type Schema,
} from 'openapi-exact/contract';

/**
 * The schemas of numbers whose place another alternative gives to `bigint`s: an integer there is a
 * `bigint`, a fraction a number.
 * @param schemas all of the document.
 */
export function mixedNumbers(document: OpenApiDocument, schemas: readonly Schema[]): ReadonlySet<Schema> {
  const mixed = new Set<Schema>();
  const isComplete = visitComposedPlaces(document, schemas, ({ possible }) => {
    const exact = possible.filter(isBigint);
    if (exact.length === 0) return;
    const certain = new Set(exact.flatMap((schema) => partsOf(document, schema)));
    for (const schema of possible) if (hasNumberType(schema) && !certain.has(schema)) mixed.add(schema);
  });
  // A place that was not visited may be one of `bigint`s.
  return isComplete ? mixed : new Set(schemas.filter(hasNumberType));
}
