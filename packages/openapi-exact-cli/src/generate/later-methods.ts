import { FIXED_METHODS, operationsOf, type OpenApiDocument, type PathItem } from 'openapi-exact/contract';
import { tsPropertyIndex } from 'openapi-typescript';
import ts from 'typescript';

const { factory } = ts;

/** Where the type of an operation belongs. */
interface Owner {
  readonly path: string;
  readonly method: string;
}

/**
 * Operations with methods of OpenAPI 3.2, which openapi-typescript does not know: it gets each as
 * the `post` of a path item with a name of its own, whose type becomes `query` of the operation's
 * path, or a member of its `additionalOperations`.
 */
export class LaterMethods {
  readonly #owners = new Map<string, Owner>();

  /** A document whose operations all have methods that openapi-typescript knows. */
  written(document: OpenApiDocument): OpenApiDocument {
    const { paths, webhooks } = document;
    // No webhook is a reference in a document for types.
    const sent = webhooks as Readonly<Record<string, PathItem>> | undefined;
    return { ...document, paths: this.#items(paths), ...(sent !== undefined && { webhooks: this.#items(sent) }) };
  }

  #items(items: Readonly<Record<string, PathItem>>): Record<string, PathItem> {
    const written: Record<string, PathItem> = {};
    for (const [path, { query, additionalOperations, ...item }] of Object.entries(items)) {
      written[path] = item;
      const { parameters = [] } = item;
      for (const [method, post] of operationsOf({
        ...(query !== undefined && { query }),
        ...(additionalOperations !== undefined && { additionalOperations }),
      })) {
        const name = newName(`${path}#${method}`, items);
        this.#owners.set(name, { path, method });
        written[name] = { parameters, post };
      }
    }
    return written;
  }

  /** The declarations of openapi-typescript with each operation under its own method. */
  withMethods(nodes: readonly ts.Node[]): readonly ts.Node[] {
    if (this.#owners.size === 0) return nodes;
    return nodes.map((node) =>
      ts.isInterfaceDeclaration(node) && ['paths', 'webhooks'].includes(node.name.text) ? this.#moved(node) : node,
    );
  }

  #moved(node: ts.InterfaceDeclaration): ts.InterfaceDeclaration {
    const later = new Map<string, Map<string, ts.PropertySignature>>();
    const own: ts.TypeElement[] = [];
    for (const member of node.members) {
      const owner = this.#owners.get(nameOf(member) ?? '');
      const post = membersOf(member).find((operation) => nameOf(operation) === 'post');
      if (owner === undefined || post === undefined || !ts.isPropertySignature(post)) own.push(member);
      else later.set(owner.path, (later.get(owner.path) ?? new Map<string, never>()).set(owner.method, post));
    }
    const members = own.map((member) => {
      const operations = later.get(nameOf(member) ?? '');
      return operations !== undefined && ts.isPropertySignature(member) ? withOperations(member, operations) : member;
    });
    const { modifiers, name, typeParameters, heritageClauses } = node;
    return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, members);
  }
}

/** The type of a path item with those of operations, by method. */
function withOperations(
  item: ts.PropertySignature,
  operations: ReadonlyMap<string, ts.PropertySignature>,
): ts.PropertySignature {
  const fixed = [...operations].filter(([method]) => isFixed(method));
  const additional = [...operations].filter(([method]) => !isFixed(method));
  const added = fixed.map(([method, operation]) => renamed(operation, method.toLowerCase()));
  if (additional.length > 0) {
    const members = additional.map(([method, operation]) => renamed(operation, method));
    const type = factory.createTypeLiteralNode(members);
    added.push(factory.createPropertySignature(undefined, 'additionalOperations', undefined, type));
  }
  const type = factory.createTypeLiteralNode([...membersOf(item), ...added]);
  return factory.updatePropertySignature(item, item.modifiers, item.name, item.questionToken, type);
}

function renamed(operation: ts.PropertySignature, name: string): ts.PropertySignature {
  const { modifiers, questionToken, type } = operation;
  return factory.updatePropertySignature(operation, modifiers, tsPropertyIndex(name), questionToken, type);
}

function isFixed(method: string): boolean {
  return FIXED_METHODS.some((fixed) => fixed === method);
}

function membersOf(member: ts.TypeElement): readonly ts.TypeElement[] {
  if (!ts.isPropertySignature(member) || member.type === undefined || !ts.isTypeLiteralNode(member.type)) return [];
  return member.type.members;
}

function nameOf({ name }: ts.TypeElement): string | undefined {
  return name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;
}

/** A name that no path item has. */
function newName(wanted: string, items: Readonly<Record<string, PathItem>>): string {
  let name = wanted;
  while (Object.hasOwn(items, name)) name += '#';
  return name;
}
