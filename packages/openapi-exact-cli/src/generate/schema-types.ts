import {
  MATCHING_VALUE,
  alternatives,
  fieldsOf,
  isObject,
  isSchema,
  list,
  partsOf,
  placesOf,
  reachableSchemas,
  schemasOfPatterns,
  targetOf,
  typesOf,
  type ContractPlaces,
  type ItemPart,
  type ItemParts,
  type MixedFormats,
  type OpenApiDocument,
  type Schema,
} from 'openapi-exact/contract';
import { addJSDocComment, oapiRef, tsLiteral, tsModifiers, tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';
import type { FormatTypes } from './format-types.ts';
import { commentText } from './typed-document.ts';

const { factory, SyntaxKind } = ts;
const UNKNOWN = factory.createKeywordTypeNode(SyntaxKind.UnknownKeyword);
const STRING = factory.createKeywordTypeNode(SyntaxKind.StringKeyword);
const NEVER = factory.createKeywordTypeNode(SyntaxKind.NeverKeyword);
const ANY_OBJECT = recordOf(UNKNOWN);
/** Any value of JSON: with `unknown`, a property that another part declares could be undefined. */
const PRESENT = factory.createUnionTypeNode([
  factory.createTypeLiteralNode([]),
  factory.createLiteralTypeNode(factory.createNull()),
]);

/** `[Symbol.iterator]?: never`, which excludes texts and lists. */
const NOT_ITERABLE = factory.createPropertySignature(
  undefined,
  factory.createComputedPropertyName(
    factory.createPropertyAccessExpression(factory.createIdentifier('Symbol'), 'iterator'),
  ),
  factory.createToken(SyntaxKind.QuestionToken),
  NEVER,
);

/** The types of JSON; an integer is a number. */
const JSON_TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;
type JsonType = (typeof JSON_TYPES)[number];

/** The types of JSON whose values may have a format. */
type FormatKind = 'numbers' | 'texts';

const FORMAT_KINDS = [
  ['numbers', 'number'],
  ['texts', 'string'],
] as const satisfies readonly (readonly [FormatKind, JsonType])[];

/** The facts about a value from the schemas around the current one. */
interface ValueContext {
  /** The types that the value may have. */
  readonly types: readonly JsonType[];
  /** The types of its numbers and texts, where a format has one. */
  readonly formats: Readonly<Record<FormatKind, ts.TypeNode | undefined>>;
  /** The types that they have where another alternative of the same place says so. */
  readonly mixed: Readonly<Record<FormatKind, readonly ts.TypeNode[]>>;
  /** Whether it has too many conditions for a type that tells each outcome. */
  readonly hasManyConditions: boolean;
}

const NO_FORMATS: ValueContext['formats'] = { numbers: undefined, texts: undefined };
const NOT_MIXED: ValueContext['mixed'] = { numbers: [], texts: [] };
const ANYTHING: ValueContext = {
  ...{ types: JSON_TYPES, formats: NO_FORMATS, mixed: NOT_MIXED, hasManyConditions: false },
};
/** The most conditions of one value whose outcomes are typed: they multiply. */
const MOST_CONDITIONS = 4;
/** Keywords that describe objects. */
const OBJECT_KEYWORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'];

/**
 * The TypeScript types of schemas: all values that a schema allows, and as few others as a type can
 * tell. A keyword restricts values of its own type only, so that `properties` without `type` allows
 * a text too.
 */
export class SchemaTypes {
  readonly #document: OpenApiDocument;
  readonly #formatTypes: FormatTypes;
  readonly #places: ContractPlaces;
  readonly #mixed: ReadonlyMap<Schema, MixedFormats>;
  /** References that are being written in place. */
  readonly #open = new Set<string>();

  /** @param schemas all of the document. */
  constructor(document: OpenApiDocument, formatTypes: FormatTypes, schemas: readonly Schema[]) {
    this.#document = document;
    this.#formatTypes = formatTypes;
    this.#places = placesOf({ document }, formatTypes.typed);
    this.#mixed = this.#places.mixedFormats(schemas);
  }

  /** The type of the values of a schema. */
  schemaType(schema: unknown, outer = ANYTHING): ts.TypeNode {
    if (schema === false) return NEVER;
    const context = this.#within(schema, outer);
    if (context.types.length === 0) return NEVER;
    return this.#described(schema, context) ?? unionOf(baseTypes(context));
  }

  /** The type of a stream whose items have one of these schemas. */
  itemsType(schemas: readonly Schema[]): ts.TypeNode {
    const item = unionOf(schemas.map((schema) => this.schemaType(schema)));
    return factory.createTypeReferenceNode('AsyncIterable', [item]);
  }

  /** The type of a stream of the parts of a multipart body. */
  partsType(parts: ItemParts): ts.TypeNode {
    return factory.createTypeReferenceNode('AsyncIterable', [this.#partType(parts)]);
  }

  /** The type of a part at any position: `PartItem` of openapi-exact. */
  #partType({ prefix, item }: ItemParts): ts.TypeNode {
    return unionOf(
      [...prefix, item].map((part) =>
        factory.createTypeLiteralNode([
          readOnlyMember('contentType', STRING),
          readOnlyMember('headers', factory.createTypeReferenceNode('Readonly', [recordOf(STRING)])),
          readOnlyMember('value', this.#partValueType(part)),
        ]),
      ),
    );
  }

  /** The type of the value of a part, by the kinds of the media types that it may have. */
  #partValueType({ schema, kinds, parts }: ItemPart): ts.TypeNode {
    const scalars = scalarTypes(this.#document, schema);
    const textType = scalars.length === 0 ? STRING : this.schemaType(schema, { ...ANYTHING, types: scalars });
    const types = [
      ...(kinds.has('json') ? [this.schemaType(schema)] : []),
      // Of JSON, scalars are among the values already.
      ...(kinds.has('text') && !(kinds.has('json') && scalars.length > 0) ? [textType] : []),
      ...(kinds.has('xml') ? [STRING] : []),
      ...(kinds.has('bytes') ? [factory.createTypeReferenceNode('Uint8Array')] : []),
      ...(parts === undefined ? [] : [factory.createArrayTypeNode(this.#partType(parts))]),
    ];
    return types.includes(UNKNOWN) ? UNKNOWN : unionOf(types);
  }

  /** What a schema and those that hold with it leave of what is known. */
  #within(schema: unknown, outer: ValueContext): ValueContext {
    const { types, formats, mixed, hasManyConditions } = outer;
    const parts = partsOf(this.#document, schema);
    const own = parts.map((part) => this.#places.formatsOf(part));
    const typeOf = (kind: FormatKind): ts.TypeNode | undefined => {
      const format = own.find((found) => found[kind] !== undefined)?.[kind];
      return format === undefined ? formats[kind] : this.#formatTypes.typeOf(format);
    };
    const mixedOf = (kind: FormatKind): readonly ts.TypeNode[] => [
      ...mixed[kind],
      ...parts
        .flatMap((part) => [...(this.#mixed.get(part)?.[kind] ?? [])])
        .map((format) => this.#formatTypes.typeOf(format)),
    ];
    return {
      types: parts.reduce((left, { type }) => (type === undefined ? left : left.filter(isIn(type))), types),
      formats: { numbers: typeOf('numbers'), texts: typeOf('texts') },
      mixed: { numbers: mixedOf('numbers'), texts: mixedOf('texts') },
      hasManyConditions: hasManyConditions || parts.flatMap(conditionsIn).length > MOST_CONDITIONS,
    };
  }

  /** The type that a schema gives beyond the context; undefined if it says no more. */
  #described(schema: unknown, context: ValueContext): ts.TypeNode | undefined {
    if (schema === false) return NEVER;
    if (!isSchema(schema)) return undefined;
    const { $ref, allOf, oneOf, anyOf, not } = schema;
    const choices = [oneOf, anyOf].filter(Array.isArray);
    const found = [
      isAnything(not) ? NEVER : undefined,
      this.#own(schema, context),
      $ref === undefined ? undefined : this.#reference($ref, context),
      ...list(allOf).map((part) => this.#described(part, context)),
      ...choices.map((alternatives) =>
        unionOf(alternatives.map((alternative: unknown) => this.schemaType(alternative, context))),
      ),
      ...(isObjectOnly(context) ? [...this.#conditions(schema, context), this.#unevaluated(schema)] : []),
    ];
    return intersectionOf(found.filter((type) => type !== undefined));
  }

  /** The type by the keywords of the schema itself. */
  #own(schema: Schema, context: ValueContext): ts.TypeNode | undefined {
    const { enum: allowed, const: only } = schema;
    if (only !== undefined || Array.isArray(allowed)) {
      const values = only === undefined ? list(allowed) : [only];
      return unionOf(
        values
          .filter((value) => context.types.includes(jsonTypeOf(value)))
          .map((allowed) => valueType(allowed, context)),
      );
    }
    const describesObject = context.types.includes('object') && OBJECT_KEYWORDS.some((key) => key in schema);
    const describesArray = context.types.includes('array') && ('items' in schema || 'prefixItems' in schema);
    if (!describesObject && !describesArray) return undefined;
    const undescribed = context.types.filter(
      (type) => !(type === 'object' && describesObject) && !(type === 'array' && describesArray),
    );
    return unionOf([
      ...(describesObject ? [this.#objectType(schema)] : []),
      ...(describesArray ? [this.#arrayType(schema)] : []),
      ...baseTypes({ ...context, types: undescribed }),
    ]);
  }

  /** What `then`, `else` and `dependentSchemas` add to objects. */
  #conditions(schema: Schema, context: ValueContext): readonly ts.TypeNode[] {
    return conditionsIn(schema).flatMap(({ condition, then, otherwise }) => {
      const added = (part: unknown): readonly string[] => propertyNames(this.#document, part);
      if (context.hasManyConditions) return optionalOf([...added(then), ...added(otherwise)], UNKNOWN);
      // A property of the other outcome can be read, and may be anything.
      return unionOf([
        intersectionOf([
          ...[condition, then].flatMap((part) => this.#described(part, context) ?? []),
          ...optionalOf(added(otherwise), UNKNOWN),
        ]) ?? ANY_OBJECT,
        intersectionOf([
          ...[otherwise].flatMap((part) => this.#described(part, context) ?? []),
          ...optionalOf(added(then), UNKNOWN),
        ]) ?? ANY_OBJECT,
      ]);
    });
  }

  /** An index signature for properties that no other part describes, if one is. */
  #unevaluated(schema: Schema): ts.TypeNode | undefined {
    const { unevaluatedProperties } = schema;
    if (!isSchema(unevaluatedProperties) || isAnything(unevaluatedProperties)) return undefined;
    const parts = [...reachableSchemas(this.#document, [schema], MATCHING_VALUE)];
    // A part that describes all properties leaves none.
    if (parts.some((part) => part['additionalProperties'] !== undefined)) return undefined;
    const described = parts.flatMap(({ properties, patternProperties }) => [
      ...Object.values(fieldsOf(properties)),
      ...Object.values(fieldsOf(patternProperties)),
    ]);
    return indexOf(unionOf([unevaluatedProperties, ...described].map((property) => this.schemaType(property))));
  }

  /** A component, without the types that the context excludes. */
  #reference($ref: string, context: ValueContext): ts.TypeNode {
    const target: Schema = targetOf(this.#document, $ref);
    const own = this.#within(target, ANYTHING);
    const isOther = FORMAT_KINDS.some(
      ([kind, type]) =>
        context.formats[kind] !== undefined && context.formats[kind] !== own.formats[kind] && own.types.includes(type),
    );
    if (isOther && !this.#open.has($ref)) {
      this.#open.add($ref);
      const type = this.schemaType(target, context);
      this.#open.delete($ref);
      return type;
    }
    const reference = oapiRef($ref);
    const excluded = own.types.filter((type) => type !== 'object' && !context.types.includes(type));
    if (excluded.length === 0) return reference;
    return factory.createTypeReferenceNode('Exclude', [reference, unionOf(baseTypes({ ...own, types: excluded }))]);
  }

  #objectType(schema: Schema): ts.TypeNode {
    const { type, properties, required, additionalProperties, patternProperties } = schema;
    const declared = Object.entries(fieldsOf(properties));
    const names = list(required).filter((name) => typeof name === 'string');
    const undeclared = [...new Set(names)].filter((name) => !declared.some(([declaredName]) => declaredName === name));
    const types = declared.map(([name, property]) => {
      const fitting = schemasOfPatterns(schema, name);
      return this.schemaType(fitting.length === 0 ? property : { allOf: [property, ...fitting] });
    });
    const members = [
      ...declared.map(([name, property], index) =>
        member(name, property, names.includes(name), types[index] ?? UNKNOWN),
      ),
      ...undeclared.map((name) => member(name, undefined, true, PRESENT)),
    ];
    const own = isLikeList(members) ? [...members, NOT_ITERABLE] : members;
    const known = members.length === 0 ? [] : [factory.createTypeLiteralNode(own)];
    const patterns = Object.values(fieldsOf(patternProperties));
    if (additionalProperties === undefined || isAnything(additionalProperties)) {
      // A part that only requires what others declare leaves it to them which properties there are.
      const isEmpty = declared.length === 0 && (undeclared.length === 0 || type !== undefined);
      const isOpen = isEmpty || patterns.length > 0 || additionalProperties !== undefined;
      return intersectionOf([...known, ...(isOpen ? [indexOf(UNKNOWN)] : [])]) ?? ANY_OBJECT;
    }
    const unnamed = [additionalProperties, ...patterns]
      .filter((other) => other !== false)
      .map((other) => this.schemaType(other));
    if (unnamed.length === 0) return intersectionOf(known) ?? recordOf(NEVER);
    // The index signature of TypeScript must hold for declared properties too.
    return intersectionOf([...known, indexOf(unionOf([...unnamed, ...types]))]) ?? ANY_OBJECT;
  }

  /** A tuple may end after its first `minItems` items. */
  #arrayType({ prefixItems, items, minItems = 0, maxItems = Infinity }: Schema): ts.TypeNode {
    const prefix = list(prefixItems).slice(0, Number(maxItems));
    const laterItem = items === false || prefix.length >= Number(maxItems) ? undefined : this.schemaType(items ?? true);
    if (prefix.length === 0) return factory.createArrayTypeNode(laterItem ?? NEVER);
    const elements = prefix.map((item, index) =>
      index < Number(minItems) ? this.schemaType(item) : factory.createOptionalTypeNode(this.schemaType(item)),
    );
    const laterItems =
      laterItem === undefined ? [] : [factory.createRestTypeNode(factory.createArrayTypeNode(laterItem))];
    return factory.createTupleTypeNode([...elements, ...laterItems]);
  }
}

/** The fields of a schema that comments show, as texts. */
export function documented(schema: unknown): Record<string, unknown> {
  if (!isSchema(schema)) return {};
  const { title, description, format, deprecated, default: preset, example, examples, type, enum: allowed } = schema;
  const texts = { title, description, format };
  const values = { default: preset, example };
  return {
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')),
    ...Object.fromEntries(
      Object.entries(values)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, commentText(value)]),
    ),
    ...(Array.isArray(examples) && { examples: examples.map(commentText) }),
    ...(deprecated === true && { deprecated }),
    ...('const' in schema && { const: '' }),
    ...(Array.isArray(allowed) && type !== undefined && { enum: [], type }),
  };
}

function member(name: string, property: unknown, isRequired: boolean, type: ts.TypeNode): ts.PropertySignature {
  const signature = factory.createPropertySignature(
    tsModifiers({ readonly: isSchema(property) && property['readOnly'] === true }),
    tsPropertyIndex(name),
    isRequired ? undefined : factory.createToken(SyntaxKind.QuestionToken),
    type,
  );
  addJSDocComment(documented(property), signature);
  return signature;
}

/** True if a text or a list has what an object may have: TypeScript takes one for the object. */
function isLikeList(members: readonly ts.PropertySignature[]): boolean {
  const names = members.map(({ name }) => (ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : ''));
  return (
    members.every(({ questionToken }) => questionToken !== undefined) &&
    names.some((name) => name in String.prototype || name in Array.prototype)
  );
}

/** A condition of a schema, with what holds where it is fulfilled, and where it is not. */
interface Condition {
  readonly condition: unknown;
  readonly then: unknown;
  readonly otherwise: unknown;
}

/** The conditions of a schema itself. */
function conditionsIn({ if: condition, then, else: otherwise, dependentSchemas }: Schema): readonly Condition[] {
  const hasOutcome = condition !== undefined && (isSchema(then) || isSchema(otherwise));
  return [
    ...(hasOutcome ? [{ condition, then, otherwise }] : []),
    ...Object.entries(fieldsOf(dependentSchemas)).map(([name, dependent]) => ({
      condition: { required: [name] },
      then: dependent,
      otherwise: { properties: { [name]: false } },
    })),
  ];
}

/** The properties that a schema and the parts that always hold with it declare. */
function propertyNames(document: OpenApiDocument, schema: unknown): readonly string[] {
  return partsOf(document, schema).flatMap(({ properties }) => Object.keys(fieldsOf(properties)));
}

/** Optional properties of one type; none without names. */
function optionalOf(names: readonly string[], type: ts.TypeNode): readonly ts.TypeNode[] {
  const members = [...new Set(names)].map((name) => member(name, undefined, false, type));
  return members.length === 0 ? [] : [factory.createTypeLiteralNode(members)];
}

/** Whether a value is an object: keywords of objects say nothing of others. */
function isObjectOnly({ types }: ValueContext): boolean {
  return types.length === 1 && types[0] === 'object';
}

function indexOf(type: ts.TypeNode): ts.TypeNode {
  const key = factory.createParameterDeclaration(
    undefined,
    undefined,
    'key',
    undefined,
    factory.createKeywordTypeNode(SyntaxKind.StringKeyword),
  );
  return factory.createTypeLiteralNode([factory.createIndexSignature(undefined, [key], type)]);
}

function readOnlyMember(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(tsModifiers({ readonly: true }), name, undefined, type);
}

/** The types of a text that is a scalar by its schema; a schema without type allows a text. */
function scalarTypes(document: OpenApiDocument, schema: Schema): readonly JsonType[] {
  const named = alternatives(document, schema).map((alternative) => {
    const types = typesOf(alternative);
    return types.length === 0 ? ['string'] : types.map((type) => (type === 'integer' ? 'number' : type));
  });
  return (['string', 'number', 'boolean', 'null'] as const).filter((type) => named.flat().includes(type));
}

function recordOf(type: ts.TypeNode): ts.TypeNode {
  return factory.createTypeReferenceNode('Record', [factory.createKeywordTypeNode(SyntaxKind.StringKeyword), type]);
}

/** The types of a context, without the keywords of objects and arrays. */
function baseTypes(context: ValueContext): ts.TypeNode[] {
  if (isUnknown(context)) return [UNKNOWN];
  const types: Readonly<Record<JsonType, ts.TypeNode>> = {
    string: scalarType(context, 'texts', factory.createKeywordTypeNode(SyntaxKind.StringKeyword)),
    number: scalarType(context, 'numbers', factory.createKeywordTypeNode(SyntaxKind.NumberKeyword)),
    boolean: factory.createKeywordTypeNode(SyntaxKind.BooleanKeyword),
    null: factory.createLiteralTypeNode(factory.createNull()),
    array: factory.createArrayTypeNode(UNKNOWN),
    object: ANY_OBJECT,
  };
  return context.types.map((type) => types[type]);
}

/** The type of numbers or texts: by their format, that of other alternatives, or as in JSON. */
function scalarType({ formats, mixed }: ValueContext, kind: FormatKind, json: ts.TypeNode): ts.TypeNode {
  return unionOf([...mixed[kind], formats[kind] ?? json]);
}

function isUnknown({ types }: ValueContext): boolean {
  return types.length === JSON_TYPES.length;
}

/** The type of one value. */
function valueType(value: unknown, context: ValueContext): ts.TypeNode {
  if (typeof value === 'bigint' || typeof value === 'number') return numberLiteral(value, context);
  if (typeof value === 'string') return scalarType(context, 'texts', tsLiteral(value));
  if (Array.isArray(value)) return factory.createTupleTypeNode(value.map((item) => valueType(item, ANYTHING)));
  if (!isObject(value)) return tsLiteral(value);
  const members = Object.entries(value).map(([name, property]) =>
    member(name, undefined, true, valueType(property, ANYTHING)),
  );
  return members.length === 0 ? recordOf(NEVER) : factory.createTypeLiteralNode(members);
}

/** The literals of a number in the types that it may have. */
function numberLiteral(value: bigint | number, { formats, mixed }: ValueContext): ts.TypeNode {
  const literalOf = (type: ts.TypeNode): ts.TypeNode =>
    type.kind === SyntaxKind.BigIntKeyword ? bigintLiteral(value) : type;
  const types = new Set([...mixed.numbers, ...(formats.numbers === undefined ? [] : [formats.numbers])]);
  const literals = Array.from(types, literalOf);
  return unionOf(formats.numbers === undefined ? [...literals, plainLiteral(value)] : literals);
}

/** The literal of a number where integers are `bigint`s. */
function bigintLiteral(value: bigint | number): ts.TypeNode {
  if (typeof value === 'number' && !Number.isInteger(value)) return plainLiteral(value);
  const digits = factory.createBigIntLiteral(`${BigInt(value) < 0 ? -BigInt(value) : BigInt(value)}n`);
  return factory.createLiteralTypeNode(
    value < 0 ? factory.createPrefixUnaryExpression(SyntaxKind.MinusToken, digits) : digits,
  );
}

function plainLiteral(value: bigint | number): ts.TypeNode {
  // A literal type of such a number would be rounded by TypeScript.
  return typeof value === 'number' ? tsLiteral(value) : factory.createKeywordTypeNode(SyntaxKind.NumberKeyword);
}

function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'bigint' || type === 'number' ? 'number' : type === 'string' || type === 'boolean' ? type : 'object';
}

function isIn(type: NonNullable<Schema['type']>): (name: JsonType) => boolean {
  const names: readonly string[] = [type].flat();
  return (name) => names.includes(name) || (name === 'number' && names.includes('integer'));
}

/** True for a schema that allows every value. */
function isAnything(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

function unionOf(types: readonly ts.TypeNode[]): ts.TypeNode {
  const some = [...new Set(types)].filter((type) => type !== NEVER);
  const [first = NEVER, ...furtherTypes] = some;
  return furtherTypes.length === 0 ? first : factory.createUnionTypeNode(some);
}

function intersectionOf(types: readonly ts.TypeNode[]): ts.TypeNode | undefined {
  const some = types.filter((type) => type !== UNKNOWN);
  if (some.length < 2) return some[0] ?? types[0];
  return factory.createIntersectionTypeNode(some);
}
