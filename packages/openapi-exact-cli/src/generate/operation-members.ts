import type { Contract, Operation } from 'openapi-exact/contract';
import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;

/**
 * Adds members to the types of operations.
 * @param membersOf the members of an operation, by its id.
 */
export function withMembers(
  nodes: readonly ts.Node[],
  membersOf: (id: string) => readonly ts.PropertySignature[],
): readonly ts.Node[] {
  return nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'operations') return node;
    const operations = node.members.map((member) => {
      if (!ts.isPropertySignature(member) || member.type === undefined || !ts.isTypeLiteralNode(member.type))
        return member;
      const added = ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? membersOf(member.name.text) : [];
      if (added.length === 0) return member;
      const type = factory.createTypeLiteralNode([...member.type.members, ...added]);
      return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type);
    });
    const { modifiers, name, typeParameters, heritageClauses } = node;
    return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, operations);
  });
}

/** A property of a type. */
export function propertySignature(name: string, type: ts.TypeNode): ts.PropertySignature {
  return factory.createPropertySignature(undefined, tsPropertyIndex(name), undefined, type);
}

/** Marks the operations that let no anonymous request in: their handlers always get a principal. */
export function withSecurity(nodes: readonly ts.Node[], { operations }: Contract): readonly ts.Node[] {
  const secured = new Set(operations.filter(needsCredentials).map(({ id }) => id));
  const required = propertySignature(
    'security',
    factory.createLiteralTypeNode(factory.createStringLiteral('required')),
  );
  return withMembers(nodes, (id) => (secured.has(id) ? [required] : []));
}

/** An empty alternative allows anonymous requests, and so does no alternative. */
function needsCredentials({ security }: Operation): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
}
