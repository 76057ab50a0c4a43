import type { Contract } from 'openapi-exact/contract';
import ts from 'typescript';
import { propertySignature, withMembers } from './operation-members.ts';

const { factory } = ts;

/** The name that a parameter has for openapi-typescript which is the whole query. */
export const WHOLE_QUERY = '?';

/**
 * Types the parameter that is the whole query (`in: querystring`, OpenAPI 3.2), which
 * openapi-typescript does not know, by the value of the query.
 */
export function withWholeQueries(nodes: readonly ts.Node[], { operations }: Contract): readonly ts.Node[] {
  const transformer: ts.TransformerFactory<ts.Node> = (context) => {
    const visit = (node: ts.Node): ts.Node => wholeQuery(node) ?? ts.visitEachChild(node, visit, context);
    return visit;
  };
  const whole = operations.filter(({ querystring }) => querystring !== undefined);
  if (whole.length === 0) return nodes;
  const optional = new Set(whole.filter(({ querystring }) => querystring?.isRequired === false).map(({ id }) => id));
  const type = factory.createLiteralTypeNode(factory.createStringLiteral('optional'));
  return withMembers(ts.transform([...nodes], [transformer]).transformed, (id) =>
    optional.has(id) ? [propertySignature('querystring', type)] : [],
  );
}

/** `query: { '?': T }` as `query: T`; undefined for anything else. */
function wholeQuery(node: ts.Node): ts.Node | undefined {
  if (!ts.isPropertySignature(node) || !ts.isIdentifier(node.name) || node.name.text !== 'query') return undefined;
  const [member, ...others] = node.type !== undefined && ts.isTypeLiteralNode(node.type) ? node.type.members : [];
  if (others.length > 0 || member === undefined || !ts.isPropertySignature(member)) return undefined;
  if (!ts.isStringLiteral(member.name) || member.name.text !== WHOLE_QUERY) return undefined;
  return factory.updatePropertySignature(node, node.modifiers, node.name, member.questionToken, member.type);
}
