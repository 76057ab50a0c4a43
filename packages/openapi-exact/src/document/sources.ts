import { YAMLException } from 'js-yaml';
import { relative } from 'node:path';
import type { Document, LineCounter, YAMLParseError } from 'yaml';
import { messageOf } from '../errors.ts';
import { getOrInsert } from '../get-or-insert.ts';
import { ContractError, Refused, type Refusal } from './refusal.ts';

/** The place of an object before the files were bundled. */
interface Origin {
  readonly file: string;
  readonly path: readonly (string | number)[];
}

/**
 * The files of a contract. It finds the line of an object of the bundled document by the object's
 * identity, which bundling keeps. Only a refusal pays for the search and for the parser that knows
 * positions.
 */
export class Sources {
  /** The path of the contract's own file. */
  readonly root: string;
  /** The texts of the files as read, by path; the contract's own file is first. */
  readonly texts = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  readonly #originals = new WeakMap<object, object>();

  constructor(root: string) {
    this.root = root;
  }

  /** Adds a file with its parsed value. */
  addFile(file: string, text: string, value: unknown): void {
    this.texts.set(file, text);
    this.#values.set(file, value);
  }

  /** Adds an object that stands for one of a file. */
  addCopy(copy: object, original: object): void {
    this.#originals.set(copy, this.#originals.get(original) ?? original);
  }

  /** The refusals as an error with a line for each, in the order of the files. */
  async error(refusals: readonly Refusal[]): Promise<ContractError> {
    return new ContractError(await this.lines(refusals, 'error'), { files: [...this.texts.keys()] });
  }

  /** A line for each problem with file, line, column and severity, in the order of the files. */
  async lines(problems: readonly Refusal[], severity: 'error' | 'warning'): Promise<readonly string[]> {
    if (problems.length === 0) return [];
    const places = await this.#positions(problems);
    return this.#inOrder(
      places.map((place, index) => ({ ...place, reason: problems[index]?.reason ?? '' })),
      severity,
    );
  }

  /** The file and line of each object of the document, such as `openapi.yaml:73`. */
  async linesOf(nodes: readonly object[]): Promise<readonly string[]> {
    const places = await this.#positions(nodes.map((node) => ({ node, key: undefined })));
    return places.map(({ file, line }) => `${displayName(file)}:${line}`);
  }

  async #positions(sought: readonly Pick<Refusal, 'node' | 'key'>[]): Promise<readonly Position[]> {
    const { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
    const documents = new Map<string, { document: Document; lines: LineCounter }>();

    const documentOf = (file: string): { document: Document; lines: LineCounter } => {
      return getOrInsert(documents, file, () => {
        const lines = new LineCounter();
        return { document: parseDocument(this.texts.get(file) ?? '', { lineCounter: lines }), lines };
      });
    };

    const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined);
    const origins = this.#origins();
    return sought.map(({ node, key }) => {
      const origin = origins.get(this.#originals.get(node) ?? node);
      const { file, path: start } = origin ?? { file: this.root, path: [] };
      const path = origin === undefined || key === undefined ? start : [...start, key];
      const { document, lines } = documentOf(file);
      let current: unknown = document.contents;
      let offset = 0;
      for (const step of path) {
        if (isAlias(current)) current = current.resolve(document);
        if (isMap(current)) {
          // A key is a string: the YAML value as text or, for large numbers, its source.
          const pair = current.items.find(
            ({ key: name }) => isScalar(name) && [String(name.value), name.source].includes(String(step)),
          );
          if (pair === undefined) break;
          offset = offsetOf(pair.key) ?? offset;
          current = pair.value;
        } else if (isSeq(current)) {
          current = current.items[Number(step)];
          offset = offsetOf(current) ?? offset;
        } else break;
      }
      const { line, col } = lines.linePos(offset);
      return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
    });
  }

  /**
   * The error for a file that does not parse. Reports several only for repeated keys: other errors
   * cause further errors behind them.
   */
  async syntaxError(cause: unknown): Promise<ContractError> {
    if (cause instanceof Refused) return this.error(cause.refusals);
    const { mark, reason } = cause instanceof YAMLException ? cause : { mark: undefined, reason: messageOf(cause) };
    const { name = this.root, line = 0, column = 0 } = mark ?? {};
    const isTooDeep = reason.startsWith('nesting exceeded');
    const found = isTooDeep ? [] : await this.#parserErrors();
    const { otherYamlMistake } = await import('./yaml-mistakes.ts');
    // The two parsers may disagree, as on tags that are not defined.
    const syntaxError = {
      file: name,
      line: line + 1,
      column: column + 1,
      reason: isTooDeep
        ? 'the YAML is nested too deeply: move a part to components, and refer to it with a $ref.'
        : `the YAML does not parse: ${otherYamlMistake(reason)}`,
    };
    const lines = this.#inOrder(found.length === 0 ? [syntaxError] : found, 'error');
    return new ContractError(lines, { files: [...this.texts.keys()], cause });
  }

  /** The errors of the parser that knows several. */
  async #parserErrors(): Promise<readonly (Position & { reason: string })[]> {
    const { LineCounter, parseDocument } = await import('yaml');
    const { nullByteMistake, yamlMistake } = await import('./yaml-mistakes.ts');
    return [...this.texts].flatMap(([file, text]) => {
      const lines = new LineCounter();
      const { errors } = parseDocument(text, { lineCounter: lines });
      const nullByte = nullByteMistake(text);
      const mistakes = independent(errors).map((error) => yamlMistake(error, text));
      return (nullByte === undefined ? mistakes : [nullByte]).map(({ offset, reason }) => {
        const { line, col } = lines.linePos(offset);
        return { file, line, column: col, reason: `the YAML does not parse: ${reason}` };
      });
    });
  }

  #inOrder(placed: readonly (Position & { reason: string })[], severity: 'error' | 'warning'): readonly string[] {
    const order = [...this.texts.keys()];
    const sorted = placed.toSorted(
      (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
    );
    const lines = sorted.map(
      ({ file, line, column, reason }) =>
        `${displayName(file)}:${line}:${column}: ${severity}: ${reason.trim().replaceAll(/\s*\n\s*/g, ' ')}`,
    );
    return [...new Set(lines)];
  }

  /** The places of all objects. */
  #origins(): Map<unknown, Origin> {
    const origins = new Map<unknown, Origin>();
    // Bundling adds objects of other files to the contract's own: their own file comes first.
    for (const [file, value] of [...this.#values].toReversed()) {
      const places: { value: unknown; path: Origin['path'] }[] = [{ value, path: [] }];
      for (const { value: node, path } of places) {
        // A YAML alias leads to an object that is known already.
        if (typeof node !== 'object' || node === null || origins.has(node)) continue;
        origins.set(node, { file, path });
        const entries = Array.isArray(node) ? [...node.entries()] : Object.entries(node);
        for (const [key, child] of entries) places.push({ value: child, path: [...path, key] });
      }
    }
    return origins;
  }
}

interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The errors up to the first that may cause the ones behind it. */
function independent(errors: readonly YAMLParseError[]): readonly YAMLParseError[] {
  const cause = errors.findIndex(({ code }) => code !== 'DUPLICATE_KEY');
  return cause === -1 ? errors : errors.slice(0, cause + 1);
}

/** The path of a file for messages: relative to the working folder if it is inside. */
export function displayName(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') ? file : name;
}
