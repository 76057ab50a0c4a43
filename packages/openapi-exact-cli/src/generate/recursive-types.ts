import ts from 'typescript';

/** A schema's name and type in the interface `components`. */
type Named = readonly [name: string, type: ts.TypeNode];

/**
 * Gives an alias to each schema that contains itself in lists and choices alone: TypeScript follows
 * `components["schemas"]["Filter"]` at once, but the name of an alias only when it needs its type.
 */
export function withAliases(nodes: readonly ts.Node[]): readonly ts.Node[] {
  const all = nodes.flatMap(schemasIn);
  const references = new Map(all.map(([name, type]) => [name, referencesIn(type)]));
  const recursive = all.filter(([name]) => isRecursive(name, references));
  const aliasOf = (name: string): string =>
    `Schema_${name.replaceAll(/\W/g, (character) => `_${character.codePointAt(0)}_`)}`;
  const names = new Map(recursive.map(([name]) => [name, aliasOf(name)]));
  const types = new Map<ts.Node, string>(recursive.map(([name, type]) => [type, aliasOf(name)]));
  const declarations = recursive.map(([name, type]) =>
    ts.factory.createTypeAliasDeclaration(undefined, aliasOf(name), undefined, type),
  );
  return [
    ...replace(nodes, (node) => types.get(node)),
    ...replace(declarations, (node) => names.get(referenceIn(node) ?? '')),
  ];
}

/** The schemas of a declaration, if it is that of `components`. */
function schemasIn(node: ts.Node): Named[] {
  if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components') return [];
  const [found] = node.members.flatMap(typed).filter(([name]) => name === 'schemas');
  return found !== undefined && ts.isTypeLiteralNode(found[1]) ? found[1].members.flatMap(typed) : [];
}

function typed(member: ts.TypeElement): Named[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [];
  return ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? [[member.name.text, member.type]] : [];
}

/** The schemas that a type refers to outside objects, whose properties are followed later. */
function referencesIn(type: ts.Node): readonly string[] {
  const name = referenceIn(type);
  if (name !== undefined) return [name];
  const found: string[] = [];
  if (!ts.isTypeLiteralNode(type)) ts.forEachChild(type, (child) => void found.push(...referencesIn(child)));
  return found;
}

/** The name in `components["schemas"]["name"]`. */
function referenceIn(node: ts.Node): string | undefined {
  if (!ts.isIndexedAccessTypeNode(node) || !ts.isIndexedAccessTypeNode(node.objectType)) return undefined;
  const { objectType, indexType } = node.objectType;
  // Of all types, `components` alone has this key.
  if (!ts.isTypeReferenceNode(objectType) || literalText(indexType) !== 'schemas') return undefined;
  return literalText(node.indexType);
}

function literalText(type: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : undefined;
}

function isRecursive(name: string, references: ReadonlyMap<string, readonly string[]>): boolean {
  const reached = new Set(references.get(name));
  // A set takes new members while it is iterated.
  for (const reachedName of reached) for (const referred of references.get(reachedName) ?? []) reached.add(referred);
  return reached.has(name);
}

/** Puts the name of an alias in the place of some types. */
function replace(nodes: readonly ts.Node[], aliasOf: (node: ts.Node) => string | undefined): readonly ts.Node[] {
  const transformer: ts.TransformerFactory<ts.Node> = (context) => {
    const visit = (node: ts.Node): ts.Node => {
      const alias = aliasOf(node);
      return alias === undefined ? ts.visitEachChild(node, visit, context) : ts.factory.createTypeReferenceNode(alias);
    };
    return visit;
  };
  return ts.transform([...nodes], [transformer]).transformed;
}
