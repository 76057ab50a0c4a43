import type { Contract } from 'openapi-exact/contract';
import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;

/** OperationIds that openapi-typescript writes as they are; of others it decodes `%41` and `#`. */
const PLAIN = /^(?!__proto__$)[\w$.-]+$/;

/** Substitutes for the operationIds of a contract which openapi-typescript would change. */
export class OperationNames {
  /** By operationId. */
  readonly #names = new Map<string, string>();
  /** By name. */
  readonly #ids = new Map<string, string>();

  constructor({ operations }: Contract) {
    const known = new Set(operations.map(({ id }) => id));
    let number = 0;
    for (const { id } of operations) {
      if (PLAIN.test(id)) continue;
      let name = `operation${number++}`;
      while (known.has(name)) name = `operation${number++}`;
      this.#names.set(id, name);
      this.#ids.set(name, id);
    }
  }

  /** The name of an operation in a document for openapi-typescript. */
  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }

  /** The declarations of openapi-typescript with each operationId as the contract writes it. */
  withIds(nodes: readonly ts.Node[]): readonly ts.Node[] {
    if (this.#ids.size === 0) return nodes;
    const transformer: ts.TransformerFactory<ts.Node> = (context) => {
      const visit = (node: ts.Node): ts.Node => this.#renamed(node) ?? ts.visitEachChild(node, visit, context);
      return visit;
    };
    return ts.transform([...nodes], [transformer]).transformed;
  }

  #renamed(node: ts.Node): ts.Node | undefined {
    if (ts.isInterfaceDeclaration(node) && node.name.text === 'operations') {
      const members = node.members.map((member) => {
        if (!ts.isPropertySignature(member) || !(ts.isIdentifier(member.name) || ts.isStringLiteral(member.name)))
          return member;
        const id = this.#ids.get(member.name.text);
        if (id === undefined) return member;
        return factory.updatePropertySignature(
          member,
          member.modifiers,
          tsPropertyIndex(id),
          member.questionToken,
          member.type,
        );
      });
      const { modifiers, name, typeParameters, heritageClauses } = node;
      return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
    }
    if (!ts.isIndexedAccessTypeNode(node) || !isOperations(node.objectType)) return undefined;
    const { indexType } = node;
    const isText = ts.isLiteralTypeNode(indexType) && ts.isStringLiteral(indexType.literal);
    const id = isText ? this.#ids.get(indexType.literal.text) : undefined;
    if (id === undefined) return undefined;
    const literal = factory.createLiteralTypeNode(factory.createStringLiteral(id));
    return factory.updateIndexedAccessTypeNode(node, node.objectType, literal);
  }
}

function isOperations(type: ts.TypeNode): boolean {
  return ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) && type.typeName.text === 'operations';
}
