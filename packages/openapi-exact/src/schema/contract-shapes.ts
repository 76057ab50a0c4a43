import { fieldsOf, isSchema, list, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';
import { Heirs } from './heirs.ts';
import { schemasOfPatterns } from './pattern.ts';
import { MATCHING_VALUE, partsOf, reachableSchemas, reaching } from './schema-graph.ts';
import { hasFormat, type FormatsOf, type ValueFormats } from './value-formats.ts';
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

/** The shapes of the schemas of a bundled contract, which may refer to themselves. */
export class SchemaShapes {
  /** The shapes that others refer to, by pointer. */
  readonly referred: Record<string, Shape> = {};
  readonly #document: OpenApiDocument;
  readonly #formatsOf: FormatsOf;
  readonly #heirs: Heirs;
  readonly #saysFormat: (schema: Schema) => boolean;
  readonly #holdsFormat: (schema: Schema) => boolean;
  /** Whether a value itself may have a custom format. */
  readonly #mayBeCustom: (schema: Schema) => boolean;

  /** @param isCustom whether a format is a custom one. */
  constructor(document: OpenApiDocument, formatsOf: FormatsOf, isCustom: (format: string | undefined) => boolean) {
    this.#document = document;
    this.#formatsOf = formatsOf;
    this.#heirs = new Heirs(document);
    const saysFormat = (schema: Schema): boolean => hasFormat(formatsOf(schema));
    this.#saysFormat = reaching(document, saysFormat, FOLLOWED);
    this.#holdsFormat = reaching(document, (schema) => saysFormat(schema) || this.#hasHeirs(schema), FOLLOWED);
    const hasCustom = (schema: Schema): boolean =>
      isCustom(formatsOf(schema).texts) || isCustom(formatsOf(schema).numbers);
    this.#mayBeCustom = reaching(document, hasCustom, MATCHING_VALUE);
  }

  /** True for a reference to a schema whose heirs have formats. */
  #hasHeirs({ $ref }: Schema): boolean {
    return (
      $ref !== undefined && this.#heirs.heirsOf($ref).some((heir) => this.#saysFormat(targetOf(this.#document, heir)))
    );
  }

  /** The shape of a schema; `{}` when no format is in it. */
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
    if (!isSchema(schema) || !this.#holdsFormat(schema)) return {};
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
    const formats = this.#formatsOf(schema);
    const options = this.#alternativesOf(schema);
    return {
      ...($ref === undefined ? {} : { $ref }),
      ...formats,
      ...(hasFormat(formats) && allowsOthers(schema, formats) ? { isOpen: true } : {}),
      ...(parts.length === 0 ? {} : { allOf: parts }),
      // An alternative without format says that there may be something else.
      ...(options.some(isSome) ? { anyOf: options } : {}),
      ...this.#shapesOfProperties(schema),
      ...this.#shapesOfItems(schema),
    };
  }

  /** The shapes of alternatives; those without format beside a custom format have types. */
  #alternativesOf(schema: Schema): readonly Shape[] {
    const options = optionsOf(schema);
    const isCustom = options.some(this.#mayBeCustom);
    return options.map((option) => {
      const shape = this.shapeOfSchema(option);
      if (!isCustom || this.#mayBeCustom(option)) return shape;
      const typed = partsOf(this.#document, option).flatMap(({ type }) => (type === undefined ? [] : [[type].flat()]));
      const [types] = typed.sort((left, right) => left.length - right.length);
      return types === undefined ? shape : { ...shape, types: types.filter((type) => type !== 'null') };
    });
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
  return Object.keys(shape).some((key) => key !== 'types');
}

/** Whether a schema with a format allows values that are neither of its types nor null. */
function allowsOthers({ type, const: only, enum: allowed }: Schema, { numbers, texts }: ValueFormats): boolean {
  const ofFormat = ['null', ...(numbers === undefined ? [] : ['integer', 'number', 'bigint']), texts && 'string'];
  if (type !== undefined) return [type].flat().some((name) => !ofFormat.includes(name));
  const constants = only === undefined ? list(allowed) : [only];
  return constants.length === 0 || constants.some((value) => !ofFormat.includes(typeof value));
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
