import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Contract } from 'openapi-exact';
import { OperatorError } from '../../src/errors.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The type of the handlers of a contract, of all or some of its operations. */
const HANDLERS = /\bHandlers<operations>/;

/** An object of handlers in the source code. */
interface HandlersObject {
  /** Its file and line, such as `src/plants/handlers.ts:27`. */
  readonly place: string;
  /** The operations that have a handler in it. */
  readonly names: readonly string[];
  /** Its type: Handlers<operations>, or a part of it. */
  readonly type: string;
}

/**
 * A line for each operation without a handler, and for each handler without an operation. It takes
 * the objects of the type `Handlers<operations>`, or a part of it, in src/, without the compiler,
 * which takes longer and checks their types besides.
 * @throws OperatorError for a file of theirs that does not parse.
 */
export async function missingHandlers({ operations, sources }: Contract): Promise<readonly string[]> {
  const objects = await handlersObjects(join(PROJECT, 'src'));
  const place = objects.find(({ type }) => type === 'Handlers<operations>')?.place ?? 'src';
  const handlers = objects.flatMap((object) => object.names.map((name) => ({ name, place: object.place })));
  const missing = operations.filter(({ id }) => !handlers.some(({ name }) => name === id));
  const lines = await sources.linesOf(missing.map(({ definition }) => definition));
  const needless = handlers.filter(({ name }) => !operations.some(({ id }) => id === name));
  return [
    ...missing.map(
      ({ id, method, path }, at) => `${place}: no handler for ${id} (${method} ${path}, ${lines[at] ?? ''})`,
    ),
    ...needless.map(({ name, place: own }) => `${own}: no operation ${name} in the contract`),
  ];
}

async function handlersObjects(folder: string): Promise<readonly HandlersObject[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.ts')).sort();
  const found = files.map(async (file): Promise<readonly HandlersObject[]> => {
    const path = join(folder, file);
    const text = await readFile(path, 'utf8');
    if (!HANDLERS.test(text)) return [];
    const source = ts.createSourceFile(relative(PROJECT, path).replaceAll(sep, '/'), text, ts.ScriptTarget.Latest);
    requireParsed(source);
    return objectsIn(source, source);
  });
  return (await Promise.all(found)).flat();
}

/** Handlers behind a mistake in the syntax would be missed, although they are there. */
function requireParsed(source: ts.SourceFile): void {
  const { diagnostics = [] } = ts.transpileModule(source.text, { reportDiagnostics: true });
  const [mistake] = diagnostics;
  if (mistake === undefined) return;
  const { line, character } = source.getLineAndCharacterOfPosition(mistake.start ?? 0);
  const reason = ts.flattenDiagnosticMessageText(mistake.messageText, ' ');
  throw new OperatorError(`${source.fileName}:${line + 1}:${character + 1}: error: ${reason}`);
}

/** @param type the declared type of the value that a node is, or returns. */
function objectsIn(source: ts.SourceFile, node: ts.Node, type?: string): readonly HandlersObject[] {
  if (ts.isObjectLiteralExpression(node) && type !== undefined) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const keys = node.properties.flatMap(({ name }) => name ?? []);
    const names = keys.filter((name) => ts.isIdentifier(name) || ts.isStringLiteral(name));
    return [{ place: `${source.fileName}:${line + 1}`, names: names.map(({ text }) => text), type }];
  }
  // Other values in such a function are of other types.
  const isOther = ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isCallExpression(node);
  const inner = declaredType(source, node) ?? (isOther ? undefined : type);
  const children: HandlersObject[] = [];
  ts.forEachChild(node, (child) => void children.push(...objectsIn(source, child, inner)));
  return children;
}

/** The type of handlers that a function or a variable declares, or `satisfies` requires. */
function declaredType(source: ts.SourceFile, node: ts.Node): string | undefined {
  if (!ts.isFunctionLike(node) && !ts.isVariableDeclaration(node) && !ts.isSatisfiesExpression(node)) return undefined;
  const type = node.type?.getText(source);
  return type !== undefined && HANDLERS.test(type) ? type : undefined;
}
