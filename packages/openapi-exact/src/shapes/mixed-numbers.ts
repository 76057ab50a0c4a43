import { isBigint } from '../document/bigint.ts';
import { visitComposedPlaces } from '../document/composed-places.ts';
import { type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { partsOf } from '../document/schema-graph.ts';

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

/** True for a schema that allows numbers by its type, or by its constants where it has none. */
function hasNumberType({ type, const: only, enum: allowed }: Schema): boolean {
  if (type !== undefined) return [type].flat().some((name) => name === 'integer' || name === 'number');
  const constants = only === undefined ? allowed : [only];
  return !Array.isArray(constants) || constants.some(isNumber);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
