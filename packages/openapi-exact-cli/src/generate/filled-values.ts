import {
  GROUPS,
  SchemasWithDefaults,
  bodyKind,
  fieldsOf,
  list,
  own,
  partsOf,
  sequenceOf,
  valueSchema,
  type Contract,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from 'openapi-exact/contract';
import ts from 'typescript';
import { propertySignature, withMembers } from './operation-members.ts';

const { factory } = ts;

/**
 * Adds to each operation which values the service fills in by their defaults: handlers always get
 * them, although clients may leave them out.
 */
export function withFilledValues(nodes: readonly ts.Node[], contract: Contract): readonly ts.Node[] {
  const { document, operations } = contract;
  const values = new FilledTypes(document);
  const filled = new Map(operations.map((operation) => [operation.id, filledOf(values, document, operation)]));
  const recursive = [...values.recursive].map(([number, type]) => propertySignature(String(number), type));
  const exported = factory.createModifier(ts.SyntaxKind.ExportKeyword);
  const declarations =
    recursive.length === 0
      ? []
      : [factory.createInterfaceDeclaration([exported], 'filled', undefined, undefined, recursive)];
  const written = withMembers(nodes, (id) => {
    const type = filled.get(id);
    return type === undefined ? [] : [propertySignature('filled', type)];
  });
  return [...written, ...declarations];
}

/** The type of what is filled in; undefined for an operation without defaults. */
function filledOf(values: FilledTypes, document: OpenApiDocument, operation: Operation): ts.TypeNode | undefined {
  const { parameters, querystring, requestBody } = operation;
  const groups = Object.values(GROUPS).map((location): [string, ts.TypeNode | undefined] => {
    if (location === 'query' && querystring !== undefined)
      return [location, values.filledType([querystring.media.schema])];
    const own = parameters.filter((parameter) => parameter.in === location);
    const properties = own.map((parameter) => [parameter.name, valueSchema(document, parameter)] as const);
    return [location, values.filledType([{ properties: Object.fromEntries(properties) }])];
  });
  const bodies = Object.entries(requestBody?.content ?? {})
    .filter(([type, media]) => media.itemSchema !== undefined || ['json', 'form', 'multipart'].includes(bodyKind(type)))
    .map(([type, media]): [string, ts.TypeNode | undefined] => {
      const sequence = sequenceOf(document, type, media);
      if (sequence === undefined) return [type, values.filledType([media.schema])];
      const { typed, parts } = sequence;
      // The value of a part is within it.
      const items = parts === undefined ? typed.item : { properties: { value: typed.item } };
      return [type, values.filledType([{ prefixItems: typed.prefix, items }])];
    });
  return membersOf([...groups, ['body', membersOf(bodies)]]);
}

/**
 * Types that say what defaults fill in at the place of a schema: the names of properties as
 * `names`, and the same of nested values as `properties`, `others` and `items`.
 */
class FilledTypes {
  /** The types of schemas that contain themselves, by number. */
  readonly recursive = new Map<number, ts.TypeNode>();
  readonly #document: OpenApiDocument;
  readonly #schemas: SchemasWithDefaults;
  readonly #open = new Map<string, number | undefined>();
  readonly #known = new Map<string, ts.TypeNode | undefined>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#schemas = new SchemasWithDefaults(document);
  }

  /** The type for a value with these schemas; undefined without defaults. */
  filledType(schemas: readonly unknown[]): ts.TypeNode | undefined {
    const relevant = this.#schemas.among(schemas);
    if (relevant.length === 0) return undefined;
    const key = this.#schemas.keyOf(relevant);
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#open.has(key)) {
      const number = this.#open.get(key) ?? this.recursive.size;
      this.recursive.set(number, factory.createKeywordTypeNode(ts.SyntaxKind.UnknownKeyword));
      this.#open.set(key, number);
      return filledReference(number);
    }
    this.#open.set(key, undefined);
    const type = this.#written(relevant.flatMap((schema) => partsOf(this.#document, schema)));
    const number = this.#open.get(key);
    this.#open.delete(key);
    if (number === undefined || type === undefined) this.#known.set(key, type);
    else {
      this.recursive.set(number, type);
      this.#known.set(key, filledReference(number));
    }
    return this.#known.get(key);
  }

  #written(certain: readonly Schema[]): ts.TypeNode | undefined {
    const names = new Set(certain.flatMap(({ properties }) => Object.keys(fieldsOf(properties))));
    const schemasNamed = (name: string): unknown[] => certain.map(({ properties }) => own(properties, name));
    const filled = [...names].filter((name) => this.#isFilled(schemasNamed(name)));
    const inside = [...names].map((name): [string, ts.TypeNode | undefined] => [
      name,
      this.filledType(schemasNamed(name)),
    ]);
    const literals = filled.map((name) => factory.createLiteralTypeNode(factory.createStringLiteral(name)));
    const isTuple = certain.some(({ prefixItems }) => list(prefixItems).length > 0);
    return membersOf([
      ['names', literals.length === 0 ? undefined : factory.createUnionTypeNode(literals)],
      ['properties', membersOf(inside)],
      ['others', this.filledType(certain.map(({ additionalProperties }) => additionalProperties))],
      ['items', isTuple ? undefined : this.filledType(certain.map(({ items }) => items))],
    ]);
  }

  #isFilled(schemas: readonly unknown[]): boolean {
    const parts = schemas.flatMap((schema) => partsOf(this.#document, schema));
    return (
      parts.some((part) => part['default'] !== undefined) && !schemas.some((schema) => this.#schemas.isHidden(schema))
    );
  }
}

function filledReference(number: number): ts.TypeNode {
  const index = factory.createLiteralTypeNode(factory.createStringLiteral(String(number)));
  return factory.createIndexedAccessTypeNode(factory.createTypeReferenceNode('filled'), index);
}

/** An object type of the members that have one; undefined without any. */
function membersOf(types: readonly (readonly [string, ts.TypeNode | undefined])[]): ts.TypeNode | undefined {
  const members = types.flatMap(([name, type]) => (type === undefined ? [] : [propertySignature(name, type)]));
  return members.length === 0 ? undefined : factory.createTypeLiteralNode(members);
}
