import ts from 'typescript';
import type { Edit } from './mutant.ts';

/** By operator: what a mutant has instead of it. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ...([
    ['<', '<='],
    ['<=', '<'],
    ['>', '>='],
    ['>=', '>'],
    ['===', '!=='],
    ['!==', '==='],
  ] as const),
  ...([
    ['&&', '||'],
    ['||', '&&'],
    ['??', '&&'],
    ['-', '+'],
    ['*', '/'],
  ] as const),
]);

/**
 * The mutants of a TypeScript file, from its syntax tree: changed operators, negated conditions,
 * removed calls and throws, changed booleans. Conditions of loops stay: a loop without end is
 * noticed by any test.
 */
export function codeEdits(text: string): Edit[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    const edit = editOf(node);
    if (edit !== undefined && !isLoopCondition(node))
      edits.push({ operator: edit[0], start: node.getStart(source), end: node.getEnd(), after: edit[1] });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return edits;
}

function editOf(node: ts.Node): [operator: string, after: string] | undefined {
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const other = OPERATORS.get(operatorToken.getText());
    return other === undefined
      ? undefined
      : ['changed operator', `((${left.getText()}) ${other} (${right.getText()}))`];
  }
  if (isCondition(node)) return ['negated condition', `!(${node.getText()})`];
  if (ts.isThrowStatement(node)) return ['removed throw', ';'];
  if (ts.isExpressionStatement(node) && isCall(node.expression)) return ['removed call', ';'];
  if (ts.isLiteralTypeNode(node.parent)) return undefined;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return ['changed boolean', 'false'];
  return node.kind === ts.SyntaxKind.FalseKeyword ? ['changed boolean', 'true'] : undefined;
}

/** Whether a node is the condition of `if` or `?:`, without an operator that is mutated anyway. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

function isLoopCondition(node: ts.Node): boolean {
  for (let inner = node; ts.isExpression(inner); inner = inner.parent) {
    const { parent } = inner;
    if (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) return parent.expression === inner;
    if (ts.isForStatement(parent)) return parent.condition === inner;
  }
  return false;
}

/** A call whose result nothing uses, but not of the constructor above. */
function isCall(expression: ts.Expression): boolean {
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) return isCall(expression.expression);
  return ts.isCallExpression(expression) && expression.expression.kind !== ts.SyntaxKind.SuperKeyword;
}
