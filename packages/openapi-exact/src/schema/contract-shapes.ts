import { fieldsOf, isSchema, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { Heirs } from './heirs.ts';
import { schemasOfPatterns } from './pattern.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas, reaching } from './schema-graph.ts';
import { isBigint } from './bigint.ts';
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

/** The shapes of the schemas of a bundled contract. */
export function contractShapes(document: OpenApiDocument): Shapes {
  return new SchemaShapes(document);
}

/** Follows schemas, which may refer to themselves. */
class SchemaShapes implements Shapes {
  readonly referred: Record<string, Shape> = {};
  readonly #document: OpenApiDocument;
  readonly #heirs: Heirs;
  readonly #saysInt64: (schema: Schema) => boolean;
  readonly #holdsInt64: (schema: Schema) => boolean;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#heirs = new Heirs(document);
    this.#saysInt64 = reaching(document, isBigint, FOLLOWED);
    this.#holdsInt64 = reaching(document, (schema) => isBigint(schema) || this.#hasHeirs(schema), FOLLOWED);
  }

  /** True for a reference to a schema whose heirs have int64s. */
  #hasHeirs({ $ref }: Schema): boolean {
    return (
      $ref !== undefined && this.#heirs.heirsOf($ref).some((heir) => this.#saysInt64(targetOf(this.#document, heir)))
    );
  }

  shapeOfSchema(schema: unknown): Shape {
    const own = this.#shapeOfPart(schema);
    if (!isSchema(schema) || schema.$ref === undefined || !this.#hasHeirs(schema)) return own;
    const inherited = `${schema.$ref} (heirs)`;
    if (!Object.hasOwn(this.referred, inherited)) {
      this.referred[inherited] = {};
      this.referred[inherited] = { anyOf: this.#heirs.heirsOf(schema.$ref).map(($ref) => this.#shapeOfPart({ $ref })) };
    }
    return { allOf: [own, { $ref: inherited }] };
  }

  /** The shape without heirs, as of the base to which an heir refers. */
  #shapeOfPart(schema: unknown): Shape {
    if (!isSchema(schema) || !this.#holdsInt64(schema)) return {};
    const { $ref } = schema;
    if ($ref !== undefined && !Object.hasOwn(this.referred, $ref)) {
      // Before it is known: it may refer to itself.
      this.referred[$ref] = {};
      this.referred[$ref] = this.#shapeOfPart(targetOf(this.#document, $ref));
    }
    const isHeir = this.#heirs.isHeir(schema);
    const parts = list(schema['allOf'])
      .map((part) => (isHeir ? this.#shapeOfPart(part) : this.shapeOfSchema(part)))
      .filter(isSome);
    const options = optionsOf(schema).map((part) => this.shapeOfSchema(part));
    return {
      ...($ref === undefined ? {} : { $ref }),
      ...(isBigint(schema) ? { int64: true } : {}),
      ...(isBigint(schema) && schema.format !== 'int64' ? { isWider: true } : {}),
      ...(isBigint(schema) && allowsOthers(schema) ? { isOpen: true } : {}),
      ...(parts.length === 0 ? {} : { allOf: parts }),
      // An alternative without int64 says that there may be something else than an int64.
      ...(options.some(isSome) ? { anyOf: options } : {}),
      ...this.#shapesOfProperties(schema),
      ...this.#shapesOfItems(schema),
    };
  }

  #shapesOfProperties(schema: Schema): Pick<Shape, 'properties' | 'additional'> {
    const patterns = Object.values(fieldsOf(schema['patternProperties']));
    const { additionalProperties, unevaluatedProperties } = schema;
    const others = [additionalProperties, unevaluatedProperties].filter((other) => other !== undefined);
    // Properties may have any other name unless the schema says what they are.
    const unnamed = [...(others.length === 0 ? [true] : others), ...patterns]
      .filter((other) => other !== false)
      .map((part) => this.shapeOfSchema(part));
    const isUnnamedSome = unnamed.some(isSome);
    // An alternative may describe a property, which leaves it to nothing else.
    const mayBeEvaluated = unevaluatedProperties !== undefined && this.#hasAlternatives(schema);
    const named = new Map(
      Object.entries(fieldsOf(schema['properties'])).map(([name, property]) => [name, this.shapeOfSchema(property)]),
    );
    if (unevaluatedProperties !== undefined) {
      const certain = partsOf(this.#document, schema).flatMap(({ properties }) => Object.entries(fieldsOf(properties)));
      for (const [name, property] of certain) if (!named.has(name)) named.set(name, this.shapeOfSchema(property));
    }
    for (const [name, shape] of named) {
      const fitting = schemasOfPatterns(schema, name).map((part) => this.shapeOfSchema(part));
      if (fitting.some(isSome)) named.set(name, { allOf: [shape, ...fitting].filter(isSome) });
    }
    const listed = [...named].filter(([, shape]) => isUnnamedSome || isSome(shape));
    return {
      ...(listed.length === 0 ? {} : { properties: Object.fromEntries(listed) }),
      ...(isUnnamedSome ? { additional: { anyOf: mayBeEvaluated ? [...unnamed, {}] : unnamed } } : {}),
    };
  }

  /** Whether a schema leads to alternatives for the same value, beside what always holds. */
  #hasAlternatives(schema: Schema): boolean {
    return reachableSchemas(this.#document, [schema], MATCHING_VALUE).size > partsOf(this.#document, schema).length;
  }

  #shapesOfItems(schema: Schema): Pick<Shape, 'prefix' | 'items'> {
    const { prefixItems, items, contains, unevaluatedItems } = schema;
    const contained = this.shapeOfSchema(contains);
    const withContained = (shape: Shape): Shape => (isSome(contained) ? { anyOf: [shape, contained] } : shape);
    const certain = unevaluatedItems === undefined ? [schema] : partsOf(this.#document, schema);
    const length = Math.max(...certain.map((part) => list(part['prefixItems']).length));
    const laterItem = certain.some((part) => part['items'] !== undefined) ? items : (unevaluatedItems ?? items);
    const prefix = Array.from({ length }, (_, index) => withContained(this.shapeOfSchema(list(prefixItems)[index])));
    const laterItems = withContained(this.shapeOfSchema(laterItem));
    return {
      ...(prefix.some(isSome) || (length > 0 && isSome(laterItems)) ? { prefix } : {}),
      ...(isSome(laterItems) ? { items: laterItems } : {}),
    };
  }
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
