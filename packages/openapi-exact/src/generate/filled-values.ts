import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';
import type { Contract, Operation } from '../document/load.ts';
import { HiddenProperties } from '../document/hidden-properties.ts';
import { kindOf } from '../document/media-type.ts';
import { isObject, type OpenApiDocument } from '../document/openapi-document.ts';
import { partsOf } from '../document/schema-graph.ts';
import { valueSchema } from '../parameters/value-schema.ts';

const { factory } = ts;

/** The names of values that the service fills in, by group of parameters or by media type. */
type Names = Readonly<Record<string, readonly string[]>>;

/**
 * Adds to each operation which values the service fills in by their defaults: handlers always get
 * them, although clients may leave them out.
 */
export function withFilledValues(nodes: readonly ts.Node[], contract: Contract): readonly ts.Node[] {
  const filled = new Map(
    contract.operations.map((operation) => [operation.id, filledOf(contract.document, operation)]),
  );
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'operations') return node;
    const members = node.members.map((member) => {
      if (!ts.isPropertySignature(member) || member.type === undefined || !ts.isTypeLiteralNode(member.type))
        return member;
      const own =
        ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? filled.get(member.name.text) : undefined;
      if (own === undefined) return member;
      const type = factory.createTypeLiteralNode([...member.type.members, property('filled', own)]);
      return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type);
    });
    const { modifiers, name, typeParameters, heritageClauses } = node;
    return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
  });
}

/** The type of what is filled in; undefined for an operation without defaults. */
function filledOf(document: OpenApiDocument, { parameters, requestBody }: Operation): ts.TypeNode | undefined {
  const hidden = new HiddenProperties(document, 'readOnly');
  const hasDefault = (schema: unknown): boolean =>
    partsOf(document, schema).some((part) => part['default'] !== undefined) && !hidden.isHidden(schema);
  const groups: Record<string, string[]> = {};
  for (const parameter of parameters) {
    if (parameter.required === true || !hasDefault(valueSchema(document, parameter))) continue;
    (groups[parameter.in] ??= []).push(parameter.name);
  }
  const bodies = Object.entries(requestBody?.content ?? {})
    .filter(([type]) => ['json', 'form'].includes(kindOf(type)))
    .map(([type, { schema }]): [string, readonly string[]] => [
      type,
      partsOf(document, schema)
        .flatMap(({ properties }) => Object.entries(isObject(properties) ? properties : {}))
        .filter(([, one]) => hasDefault(one))
        .map(([name]) => name),
    ])
    .filter(([, names]) => names.length > 0);
  const members = [
    ...membersOf(groups),
    ...(bodies.length === 0
      ? []
      : [property('body', factory.createTypeLiteralNode(membersOf(Object.fromEntries(bodies))))]),
  ];
  return members.length === 0 ? undefined : factory.createTypeLiteralNode(members);
}

function membersOf(names: Names): ts.PropertySignature[] {
  return Object.entries(names).map(([key, values]) => {
    const literals = [...new Set(values)].map((name) =>
      factory.createLiteralTypeNode(factory.createStringLiteral(name)),
    );
    return property(key, factory.createUnionTypeNode(literals));
  });
}

function property(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}
