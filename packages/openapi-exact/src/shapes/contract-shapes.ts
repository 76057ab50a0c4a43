import { fieldsOf, isSchema, list, targetOf, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import { Heirs } from '../document/heirs.ts';
import { schemasOfPatterns } from '../document/pattern.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas, reaching } from '../document/schema-graph.ts';
import { isBigint } from '../document/bigint.ts';
import type { Shape } from './shape.ts';

/** Keywords with schemas for properties without a name of their own. */
const UNNAMED_PROPERTIES = ['additionalProperties', 'patternProperties', 'unevaluatedProperties'];
const FOLLOWED = [
  ...MATCHING_VALUE,
  ...UNNAMED_PROPERTIES,
  'properties',
  'prefixItems',
  'items',
  'contains',
  'unevaluatedItems',
];

/** The shapes of a contract's schemas. */
export interface Shapes {
  /** The shape of a schema; `{}` when no int64 is in it. */
  shapeOfSchema(schema: unknown): Shape;
  /** The shapes that others refer to, by pointer. */
  readonly referred: Readonly<Record<string, Shape>>;
}

/** Follows the schemas of a bundled contract. A schema may refer to itself. */
export function contractShapes(document: OpenApiDocument): Shapes {
  const referred: Record<string, Shape> = {};
  const heirs = new Heirs(document);
  const saysInt64 = reaching(document, isBigint, FOLLOWED);
  const holdsInt64 = reaching(document, (schema) => isBigint(schema) || hasHeirs(schema), FOLLOWED);

  /** True for a reference to a schema whose heirs have int64s. */
  function hasHeirs({ $ref }: Schema): boolean {
    return $ref !== undefined && heirs.heirsOf($ref).some((heir) => saysInt64(targetOf(document, heir)));
  }

  function shapeOfSchema(schema: unknown): Shape {
    const own = shapeOfPart(schema);
    if (!isSchema(schema) || schema.$ref === undefined || !hasHeirs(schema)) return own;
    const inherited = `${schema.$ref} (heirs)`;
    if (!Object.hasOwn(referred, inherited)) {
      referred[inherited] = {};
      referred[inherited] = { anyOf: heirs.heirsOf(schema.$ref).map(($ref) => shapeOfPart({ $ref })) };
    }
    return { allOf: [own, { $ref: inherited }] };
  }

  /** The shape without heirs, as of the base to which an heir refers. */
  function shapeOfPart(schema: unknown): Shape {
    if (!isSchema(schema) || !holdsInt64(schema)) return {};
    const { $ref } = schema;
    if ($ref !== undefined && !Object.hasOwn(referred, $ref)) {
      // Before it is known: it may refer to itself.
      referred[$ref] = {};
      referred[$ref] = shapeOfPart(targetOf(document, $ref));
    }
    const parts = list(schema['allOf'])
      .map(heirs.isHeir(schema) ? shapeOfPart : shapeOfSchema)
      .filter(isSome);
    const options = optionsOf(schema).map(shapeOfSchema);
    return {
      ...($ref === undefined ? {} : { $ref }),
      ...(isBigint(schema) ? { int64: true } : {}),
      ...(isBigint(schema) && schema.format !== 'int64' ? { isWider: true } : {}),
      ...(isBigint(schema) && allowsOthers(schema) ? { isOpen: true } : {}),
      ...(parts.length === 0 ? {} : { allOf: parts }),
      // An alternative without int64 says that there may be something else than an int64.
      ...(options.some(isSome) ? { anyOf: options } : {}),
      ...ofProperties(schema),
      ...ofItems(schema),
    };
  }

  function ofProperties(schema: Schema): Pick<Shape, 'properties' | 'additional'> {
    const patterns = Object.values(fieldsOf(schema['patternProperties']));
    const { additionalProperties, unevaluatedProperties } = schema;
    const others = [additionalProperties, unevaluatedProperties].filter((other) => other !== undefined);
    // Properties may have any other name unless the schema says what they are.
    const unnamed = [...(others.length === 0 ? [true] : others), ...patterns]
      .filter((other) => other !== false)
      .map(shapeOfSchema);
    const isUnnamedSome = unnamed.some(isSome);
    // An alternative may describe a property, which leaves it to nothing else.
    const mayBeEvaluated = unevaluatedProperties !== undefined && hasAlternatives(schema);
    const named = new Map(
      Object.entries(fieldsOf(schema['properties'])).map(([name, property]) => [name, shapeOfSchema(property)]),
    );
    if (unevaluatedProperties !== undefined) {
      const certain = partsOf(document, schema).flatMap(({ properties }) => Object.entries(fieldsOf(properties)));
      for (const [name, property] of certain) if (!named.has(name)) named.set(name, shapeOfSchema(property));
    }
    for (const [name, shape] of named) {
      const fitting = schemasOfPatterns(schema, name).map(shapeOfSchema);
      if (fitting.some(isSome)) named.set(name, { allOf: [shape, ...fitting].filter(isSome) });
    }
    const listed = [...named].filter(([, shape]) => isUnnamedSome || isSome(shape));
    return {
      ...(listed.length === 0 ? {} : { properties: Object.fromEntries(listed) }),
      ...(isUnnamedSome ? { additional: { anyOf: mayBeEvaluated ? [...unnamed, {}] : unnamed } } : {}),
    };
  }

  function hasAlternatives(schema: Schema): boolean {
    return reachableSchemas(document, [schema], MATCHING_VALUE).size > partsOf(document, schema).length;
  }

  function ofItems(schema: Schema): Pick<Shape, 'prefix' | 'items'> {
    const { prefixItems, items, contains, unevaluatedItems } = schema;
    const contained = shapeOfSchema(contains);
    const withContained = (shape: Shape): Shape => (isSome(contained) ? { anyOf: [shape, contained] } : shape);
    const certain = unevaluatedItems === undefined ? [schema] : partsOf(document, schema);
    const length = Math.max(...certain.map((part) => list(part['prefixItems']).length));
    const laterItem = certain.some((part) => part['items'] !== undefined) ? items : (unevaluatedItems ?? items);
    const prefix = Array.from({ length }, (_, index) => withContained(shapeOfSchema(list(prefixItems)[index])));
    const laterItems = withContained(shapeOfSchema(laterItem));
    return {
      ...(prefix.some(isSome) || (length > 0 && isSome(laterItems)) ? { prefix } : {}),
      ...(isSome(laterItems) ? { items: laterItems } : {}),
    };
  }

  return { shapeOfSchema, referred };
}

function isSome(shape: Shape): boolean {
  return Object.keys(shape).length > 0;
}

/** True for a schema that allows texts, or other values that are neither numbers nor null. */
function allowsOthers({ type, const: only, enum: allowed }: Schema): boolean {
  if (type !== undefined) return [type].flat().some((name) => !['integer', 'number', 'null'].includes(name));
  const constants = only === undefined ? list(allowed) : [only];
  return constants.length === 0 || constants.some((value) => !['number', 'bigint'].includes(typeof value));
}

/** Alternative schemas of a schema. Null is skipped: it may always be sent. */
function optionsOf({ anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas }: Schema): Schema[] {
  const branches = condition === undefined ? [] : [condition, then ?? {}, otherwise ?? {}];
  const dependent = Object.values(fieldsOf(dependentSchemas)).flatMap((dependentSchema) => [dependentSchema, {}]);
  return [...list(anyOf), ...list(oneOf), ...branches, ...dependent]
    .map((option) => (option === true ? {} : option))
    .filter(isSchema)
    .filter(({ type }) => type !== 'null');
}
