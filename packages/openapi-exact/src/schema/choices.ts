import {
  fieldsOf,
  isObject,
  isReference,
  isSchema,
  lastKey,
  list,
  own,
  resolve,
  type OpenApiDocument,
  type Reference,
  type Schema,
} from './openapi-document.ts';
import { partsOf } from './schema-graph.ts';
import { typesOf } from './alternatives.ts';

/** The alternatives of oneOf or anyOf that a discriminator chooses from. */
export interface Discriminated {
  readonly property: string;
  readonly alternatives: readonly { readonly schema: Schema; readonly values: readonly unknown[] }[];
  /** The alternative of values that name none (OpenAPI 3.2, `defaultMapping`). */
  readonly fallback?: Schema | undefined;
}

/**
 * The discriminator of a schema, if it names each alternative: by its mapping, by the constants
 * that the alternative allows for the property, or by the name of the schema. One without oneOf and
 * anyOf, for schemas that inherit from this one, adds nothing to the schema (OpenAPI 3.1.1, section
 * 4.8.25.2).
 */
export function discriminatedBy(document: OpenApiDocument, schema: Schema): Discriminated | undefined {
  const { discriminator, oneOf, anyOf } = schema;
  if (!isObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return undefined;
  const property = discriminator['propertyName'];
  const mapping = Object.entries(fieldsOf(discriminator['mapping']));
  let mappings = 0;
  let fallback: Schema | undefined;
  const alternatives = [...list(oneOf), ...list(anyOf)].map((reference) => {
    if (!isSchema(reference) || !isReference(reference)) return undefined;
    // A mapping leads to a reference or to a name.
    const targets: readonly unknown[] = [reference.$ref, lastKey(reference.$ref)];
    const mapped = mapping.filter(([, target]) => targets.includes(target)).map(([value]) => value);
    mappings += mapped.length;
    const types = propertySchemas(document, [schema, reference], property).flatMap(typesOf);
    const names = mapped.length > 0 ? mapped.map((value) => typedAs(types, value)) : implicitNames(document, reference);
    // A schema that lists the values decides itself; a list that all alternatives share leaves it.
    const constants = constantsOf(document, reference, property);
    const fitting = names?.filter((name) => constants?.includes(name) ?? true) ?? [];
    const isFallback = targets.includes(discriminator['defaultMapping']);
    if (isFallback) fallback = reference;
    const values = (fitting.length > 0 ? fitting : constants) ?? (isFallback ? [] : undefined);
    return values && { schema: reference, values };
  });
  const named = alternatives.filter((alternative) => alternative !== undefined);
  const all = named.flatMap(({ values }) => values);
  const isComplete = named.length > 0 && named.length === alternatives.length && mappings === mapping.length;
  return isComplete && new Set(all).size === all.length ? { property, alternatives: named, fallback } : undefined;
}

/**
 * The alternatives of oneOf or anyOf that a property tells apart without a discriminator: each has
 * texts of its own for it. An object with the property fits one of them at most.
 */
export function toldApartBy(document: OpenApiDocument, { oneOf, anyOf }: Schema): Discriminated | undefined {
  const schemas = list(oneOf ?? anyOf).filter(isSchema);
  const [first, ...others] = schemas;
  if (first === undefined || others.length === 0 || schemas.length < list(oneOf ?? anyOf).length) return undefined;
  if (oneOf !== undefined && anyOf !== undefined) return undefined;
  const names = partsOf(document, first).flatMap(({ properties }) => Object.keys(fieldsOf(properties)));
  for (const property of new Set(names)) {
    const alternatives = schemas.map((schema) => ({ schema, values: constantsOf(document, schema, property) ?? [] }));
    const all = alternatives.flatMap(({ values }) => values);
    const areTexts = all.every((value) => typeof value === 'string') && new Set(all).size === all.length;
    if (areTexts && alternatives.every(({ values }) => values.length > 0)) return { property, alternatives };
  }
  return undefined;
}

/** What the discriminator's property must be for an alternative. */
export function hasValue(property: string, values: readonly unknown[]): Schema {
  return { type: 'object', properties: { [property]: { enum: values } } };
}

/**
 * The name of a referenced schema; undefined where that schema is itself a choice between names.
 */
function implicitNames(document: OpenApiDocument, reference: Reference): readonly string[] | undefined {
  const { oneOf, anyOf } = resolve<Schema>(document, reference);
  return (oneOf ?? anyOf) === undefined ? [lastKey(reference.$ref)] : undefined;
}

/** The value that a mapping has as text: authors also choose by booleans and numbers. */
function typedAs(types: readonly string[], text: string): unknown {
  if (types.includes('string')) return text;
  if (types.includes('boolean') && ['true', 'false'].includes(text)) return text === 'true';
  return types.some((type) => ['integer', 'number'].includes(type)) ? Number(text) : text;
}

/** The values of a property that a schema lists with const or enum, itself or in its allOf. */
export function constantsOf(
  document: OpenApiDocument,
  schema: Schema,
  property: string,
): readonly unknown[] | undefined {
  return propertySchemas(document, [schema], property)
    .map(({ const: only, enum: allowed }) => (only === undefined ? allowed : [only]))
    .find(Array.isArray);
}

/** The schemas of a property in schemas and their allOf. */
function propertySchemas(document: OpenApiDocument, schemas: readonly Schema[], property: string): readonly Schema[] {
  return schemas
    .flatMap((schema) => partsOf(document, schema))
    .flatMap(({ properties }) => partsOf(document, own(properties, property)));
}
