import { relative } from 'node:path';
import type { Document, LineCounter, YAMLParseError } from 'yaml';
import { isObject } from './openapi-document.ts';
import { ContractError, type Refusal } from './refusal.ts';

/** The place of an object before the files were bundled. */
interface Origin {
  readonly file: string;
  readonly path: readonly (string | number)[];
}

/** A reference as it was written. */
export interface WrittenReference {
  readonly node: object;
  readonly $ref: string;
  readonly file: string;
}

/**
 * The files of a contract. It finds the line of an object of the bundled document by the object's
 * identity, which bundling keeps. Only a refusal pays for the parser that knows positions.
 */
export class Sources {
  /** The texts of the files as read, by path; the contract's own file is first. */
  readonly texts = new Map<string, string>();
  readonly #root: string;
  readonly #values = new Map<string, unknown>();
  readonly #origins = new WeakMap<object, Origin>();
  readonly #references: WrittenReference[] = [];

  /** @param root the path of the contract's own file. */
  constructor(root: string) {
    this.#root = root;
  }

  /** The references of all files. */
  get references(): readonly WrittenReference[] {
    return this.#references;
  }

  /** Records the places of a file's objects. Must be called before bundling. */
  add(file: string, value: unknown): void {
    this.#values.set(file, value);
    this.#note(value, { file, path: [] });
  }

  #note(value: unknown, origin: Origin): void {
    // A YAML alias leads to an object that is known already.
    if (typeof value !== 'object' || value === null || this.#origins.has(value)) return;
    this.#origins.set(value, origin);
    const { file, path } = origin;
    if (isObject(value) && typeof value['$ref'] === 'string') {
      this.#references.push({ node: value, $ref: value['$ref'], file });
    }
    const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    for (const [key, child] of entries) this.#note(child, { file, path: [...path, key] });
  }

  /** True for a file that was read and parsed. */
  isParsed(file: string): boolean {
    return this.#values.has(file);
  }

  /** The refusals as an error with a line for each, in the order of the files. */
  async error(refusals: readonly Refusal[], options?: ErrorOptions): Promise<ContractError> {
    const { isAlias, isMap, isSeq, LineCounter, parseDocument } = await import('yaml');
    const documents = new Map<string, { document: Document; lines: LineCounter }>();

    const documentOf = (file: string): { document: Document; lines: LineCounter } => {
      const lines = new LineCounter();
      const known = documents.get(file) ?? {
        document: parseDocument(this.texts.get(file) ?? '', { lineCounter: lines }),
        lines,
      };
      documents.set(file, known);
      return known;
    };

    const place = ({ node, key }: Refusal): Position => {
      const { file, path } = this.#originOf(node, key);
      const { document, lines } = documentOf(file);
      let current: unknown = document.contents;
      let offset = 0;
      for (const step of path) {
        if (isAlias(current)) current = current.resolve(document);
        if (isMap(current)) {
          // The keys of a document are strings, whatever YAML made of them.
          const pair = current.items.find((item) => keyText(item.key) === String(step));
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
    };

    const placed = refusals.map((refusal) => ({ ...place(refusal), reason: refusal.reason }));
    return this.#errorOf(placed, options);
  }

  /**
   * The syntax errors; undefined when all files parse. Reports several only for repeated keys:
   * other errors cause further errors behind them.
   */
  async syntaxError(): Promise<ContractError | undefined> {
    const { parseDocument } = await import('yaml');
    const found = [...this.texts].flatMap(([file, text]) =>
      independent(parseDocument(text).errors).map(({ linePos, message }) => {
        const [reason = message] = message.split(/ at line \d+, column \d+/);
        const [{ line, col }] = linePos ?? [{ line: 1, col: 1 }];
        return { file, line, column: col, reason: `the YAML does not parse: ${reason}.` };
      }),
    );
    return found.length === 0 ? undefined : this.#errorOf(found);
  }

  #errorOf(placed: readonly (Position & { reason: string })[], options?: ErrorOptions): ContractError {
    const order = [...this.texts.keys()];
    const sorted = placed.toSorted(
      (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
    );
    const lines = sorted.map(
      ({ file, line, column, reason }) =>
        `${displayName(file)}:${line}:${column}: error: ${reason.trim().replaceAll(/\s*\n\s*/g, ' ')}`,
    );
    return new ContractError([...new Set(lines)], options);
  }

  /** The origin of a refused value; the start of the contract for a value without one. */
  #originOf(node: object, key: string | number | undefined): Origin {
    const known = this.#origins.get(node);
    if (known !== undefined) return key === undefined ? known : { ...known, path: [...known.path, key] };
    return this.#enclosing(node, this.#values.get(this.#root)) ?? { file: this.#root, path: [] };
  }

  /** Bundling replaces a reference that has other keys beside it by a new object. */
  #enclosing(
    node: object,
    inside: unknown,
    origin: Origin = { file: this.#root, path: [] },
    seen = new Set<unknown>(),
  ): Origin | undefined {
    if (inside === node) return origin;
    if (typeof inside !== 'object' || inside === null || seen.has(inside)) return undefined;
    seen.add(inside);
    const own = this.#origins.get(inside) ?? origin;
    for (const [key, child] of Object.entries(inside)) {
      const found = this.#enclosing(node, child, { ...own, path: [...own.path, key] }, seen);
      if (found !== undefined) return found;
    }
    return undefined;
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

function keyText(key: unknown): string {
  return isObject(key) && 'value' in key ? String(key['value']) : String(key);
}

/** The offset of a node of the YAML parser in its text. */
function offsetOf(node: unknown): number | undefined {
  if (!isObject(node) || !Array.isArray(node['range'])) return undefined;
  const [start] = node['range'] as readonly unknown[];
  return typeof start === 'number' ? start : undefined;
}

/** The path of a file for messages: relative to the working folder if it is inside. */
export function displayName(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') ? file : name;
}
