import { getOrInsert } from '../json/get-or-insert.ts';
import { isAnnotation } from './annotations.ts';
import { fieldsOf, isSchema, list, own, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { schemasOfPatterns } from './pattern.ts';
import {
  ALL_KEYWORDS,
  childrenOf,
  MATCHING_VALUE,
  partsOf,
  reachableSchemas,
  reaching,
  SAME_VALUE,
} from './schema-graph.ts';

/** The schemas of one place of a value. */
interface SchemasOfPlace {
  /** Those that hold for every value there, and the alternatives. */
  readonly possible: readonly Schema[];
  /** Those and what is behind `not`. */
  readonly judging: readonly Schema[];
}

/** Tests of the schemas of places. */
interface Asked {
  /** Whether the values of a schema itself have a format. */
  readonly isOfFormat: (schema: Schema) => boolean;
  /** Whether a schema allows values of a type that may have one. */
  readonly hasType: (schema: Schema) => boolean;
}

/** The most schemas that all places have: those in many circles have too many to finish. */
const MOST_SCHEMAS = 50_000;

/** Keywords with schemas for parts of a value. */
const OF_PARTS = ALL_KEYWORDS.filter((keyword) => !SAME_VALUE.includes(keyword));

/** Keywords with schemas of properties that are not named. */
const OF_ANY_NAME = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'];

/** Keywords that leave what a value is to other schemas. */
const TO_OTHERS = ['$ref', 'allOf', 'anyOf', 'oneOf'];

/** Keywords of one schema that may describe the same part of a value. */
const OVERLAPPING = [...SAME_VALUE, 'patternProperties', 'contains'];

/**
 * Visits each place that several schemas describe, where some have a format.
 * @param schemas all of the document.
 * @returns whether all places were visited: there is a limit.
 */
export function visitComposedPlaces(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  { isOfFormat, hasType }: Asked,
  visit: (place: SchemasOfPlace) => void,
): boolean {
  const holdsFormat = reaching(document, isOfFormat);
  const keys = new PlaceKeys(document, hasType);
  const known = new Set<string>();
  let count = 0;
  const starts = schemas.filter((schema) => isComposed(schema) && holdsFormat(schema));
  const pending: SchemasOfPlace[] = starts.map((schema) => ({ possible: [schema], judging: [schema] }));
  // More places are found while these are visited.
  for (const { possible, judging } of pending) {
    if (!possible.some(holdsFormat)) continue;
    const place = {
      possible: [...reachableSchemas(document, possible, MATCHING_VALUE)],
      judging: [...reachableSchemas(document, judging, SAME_VALUE)],
    };
    const key = keys.keyOf(place);
    if (known.has(key)) continue;
    known.add(key);
    count += place.possible.length;
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

/** The schemas of a part of a value; they need not apply to every such part. */
type PartOf = (schema: Schema) => readonly unknown[];

/** The places right below a place, as the shapes of a contract tell them apart. */
function placesWithin(document: OpenApiDocument, place: SchemasOfPlace): SchemasOfPlace[] {
  const names = new Set(place.judging.flatMap(({ properties }) => Object.keys(fieldsOf(properties))));
  const length = Math.max(0, ...place.judging.map(({ prefixItems }) => list(prefixItems).length));
  const possible = new PropertyIndex(place.possible);
  const judging = new PropertyIndex(place.judging);
  return [
    placeBelow(place, ofOtherProperties),
    ...Array.from(names, (name) => {
      const describing = { possible: possible.describing(name), judging: judging.describing(name) };
      return placeBelow(describing, (schema) => ofProperty(document, schema, name));
    }),
    ...Array.from({ length: length + 1 }, (_, index) => placeBelow(place, (schema) => ofItem(document, schema, index))),
  ];
}

function placeBelow({ possible, judging }: SchemasOfPlace, partOf: PartOf): SchemasOfPlace {
  return {
    possible: possible.flatMap(partOf).filter(isSchema),
    judging: judging.flatMap(partOf).filter(isSchema),
  };
}

/** Finds the schemas that describe a property: a few of what may be many alternatives. */
class PropertyIndex {
  /** Those that may describe a property of any name. */
  readonly #open: Schema[] = [];
  readonly #byName = new Map<string, Schema[]>();

  constructor(schemas: readonly Schema[]) {
    for (const schema of schemas) {
      if (OF_ANY_NAME.some((keyword) => keyword in schema)) this.#open.push(schema);
      else {
        for (const name of Object.keys(fieldsOf(schema['properties']))) {
          getOrInsert(this.#byName, name, () => []).push(schema);
        }
      }
    }
  }

  describing(name: string): readonly Schema[] {
    return [...this.#open, ...(this.#byName.get(name) ?? [])];
  }
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

/**
 * Gives places keys: the same one to those whose schemas say the same of values that may have a
 * format. Many places differ in nothing but a schema such as `anyOf` that adds null.
 */
class PlaceKeys {
  readonly #document: OpenApiDocument;
  readonly #saysType: (schema: Schema) => boolean;
  readonly #holdsType: (schema: Schema) => boolean;
  readonly #numbers = new Map<Schema, number>();

  constructor(document: OpenApiDocument, hasType: (schema: Schema) => boolean) {
    this.#document = document;
    this.#saysType = (schema) => saysType(schema, hasType);
    this.#holdsType = reaching(document, this.#saysType);
  }

  keyOf({ possible, judging }: SchemasOfPlace): string {
    return `${this.#keyOfSchemas(possible)} ${this.#keyOfSchemas(judging)}`;
  }

  #keyOfSchemas(schemas: readonly Schema[]): string {
    const numbers = schemas
      .map((schema) =>
        getOrInsert(this.#numbers, schema, () => (this.#saysSomething(schema) ? this.#numbers.size : -1)),
      )
      .filter((number) => number >= 0);
    return numbers.sort((a, b) => a - b).join();
  }

  /** True for a schema that says something of such values, in its value or in parts of it. */
  #saysSomething(schema: Schema): boolean {
    const { $ref: _, ...own } = schema;
    return this.#saysType(schema) || childrenOf(this.#document, own, OF_PARTS).some(this.#holdsType);
  }
}

/** True for a schema that says something of such values itself, also that they are allowed. */
function saysType(schema: Schema, hasType: (schema: Schema) => boolean): boolean {
  if (schema.type !== undefined) return hasType(schema);
  const keywords = Object.keys(schema).filter((keyword) => !isAnnotation(keyword));
  return keywords.length === 0 || keywords.some((keyword) => !TO_OTHERS.includes(keyword));
}
