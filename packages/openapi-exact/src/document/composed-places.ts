import { getOrInsert } from '../get-or-insert.ts';
import { isBigint } from './bigint.ts';
import { fieldsOf, isSchema, list, own, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { schemasOfPatterns } from './pattern.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas, reaching, SAME_VALUE } from './schema-graph.ts';

/** The schemas of one place of a value. */
interface SchemasOfPlace {
  /** Those that hold for every value there, and the alternatives. */
  readonly possible: readonly Schema[];
  /** Those and what is behind `not`. */
  readonly judging: readonly Schema[];
}

/** The most schemas that all places have: those in many circles have too many to finish. */
const MOST_SCHEMAS = 50_000;

/** Keywords of one schema that may describe the same part of a value. */
const OVERLAPPING = [...SAME_VALUE, 'patternProperties', 'contains'];

/**
 * Visits each place that several schemas describe, of which some say that integers are `bigint`s.
 * @param schemas all of the document.
 * @returns whether all places were visited: there is a limit.
 */
export function visitComposedPlaces(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  visit: (place: SchemasOfPlace) => void,
): boolean {
  const holdsBigint = reaching(document, isBigint);
  const keys = new PlaceKeys();
  const known = new Set<string>();
  let count = 0;
  const starts = schemas.filter((schema) => isComposed(schema) && holdsBigint(schema));
  const pending: SchemasOfPlace[] = starts.map((schema) => ({ possible: [schema], judging: [schema] }));
  // More places are found while these are visited.
  for (const { possible, judging } of pending) {
    const all = [...reachableSchemas(document, possible, MATCHING_VALUE)];
    if (!all.some(holdsBigint)) continue;
    const place = { possible: all, judging: [...reachableSchemas(document, judging, SAME_VALUE)] };
    const key = [all, place.judging].map((part) => keys.keyOf(part)).join(' ');
    if (known.has(key)) continue;
    known.add(key);
    count += all.length;
    if (count > MOST_SCHEMAS) return false;
    visit(place);
    pending.push(...placesWithin(document, place).filter((below) => below.judging.length > 1));
  }
  return true;
}

/** True for a schema whose values, or parts of them, may have further schemas to fit. */
function isComposed(schema: Schema): boolean {
  const isReference = schema.$ref !== undefined && Object.keys(schema).length > 1;
  return isReference || OVERLAPPING.some((keyword) => keyword in schema);
}

/** What one schema says of a part of its value, which need not hold for every such part. */
type PartOf = (schema: Schema) => readonly unknown[];

/** The places right below a place, as the shapes of a contract tell them apart. */
function placesWithin(document: OpenApiDocument, { possible, judging }: SchemasOfPlace): SchemasOfPlace[] {
  const names = new Set(judging.flatMap(({ properties }) => Object.keys(fieldsOf(properties))));
  const length = Math.max(0, ...judging.map(({ prefixItems }) => list(prefixItems).length));
  const parts: readonly PartOf[] = [
    ofOtherProperties,
    ...[...names].map(
      (name): PartOf =>
        (schema) =>
          ofProperty(document, schema, name),
    ),
    ...Array.from(
      { length: length + 1 },
      (_, index): PartOf =>
        (schema) =>
          ofItem(document, schema, index),
    ),
  ];
  return parts.map((partOf) => ({
    possible: possible.flatMap(partOf).filter(isSchema),
    judging: judging.flatMap(partOf).filter(isSchema),
  }));
}

/** Of a property with a name that no schema of the place has: it may match any pattern. */
function ofOtherProperties({ additionalProperties, unevaluatedProperties, patternProperties }: Schema): unknown[] {
  return [additionalProperties, unevaluatedProperties, ...Object.values(fieldsOf(patternProperties))];
}

function ofProperty(document: OpenApiDocument, schema: Schema, name: string): unknown[] {
  const declaring = schema['unevaluatedProperties'] === undefined ? [schema] : partsOf(document, schema);
  const isDeclared = declaring.some(({ properties }) => own(properties, name) !== undefined);
  // The shape of a schema has one place for all names that it does not declare.
  if (!isDeclared) return ofOtherProperties(schema);
  return [own(schema['properties'], name), ...schemasOfPatterns(schema, name)];
}

function ofItem(document: OpenApiDocument, schema: Schema, index: number): unknown[] {
  const { prefixItems, items, contains, unevaluatedItems } = schema;
  const prefix = list(prefixItems);
  const parts = unevaluatedItems === undefined ? [] : partsOf(document, schema);
  const isEvaluated = parts.some((part) => index < list(part['prefixItems']).length || part['items'] !== undefined);
  return [index < prefix.length ? prefix[index] : items, contains, isEvaluated ? undefined : unevaluatedItems];
}

/** Gives places keys: the same one to the same schemas in any order. */
class PlaceKeys {
  readonly #numbers = new Map<Schema, number>();

  keyOf(place: readonly Schema[]): string {
    const numbers = place.map((schema) => getOrInsert(this.#numbers, schema, () => this.#numbers.size));
    return [...new Set(numbers)].sort((a, b) => a - b).join();
  }
}
