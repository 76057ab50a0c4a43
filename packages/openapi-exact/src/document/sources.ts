import { YAMLException } from 'js-yaml';
import { relative } from 'node:path';
import { messageOf } from '../errors/errors.ts';
import { ContractError, problemLine, Refused, type Problem, type Diagnostic } from '../errors/diagnostic.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import type { Position } from './yaml-positions.ts';

/** The place of an object before the files were bundled. */
interface Origin {
  readonly file: string;
  readonly path: readonly (string | number)[];
}

const START: Position = { line: 1, column: 1 };

/**
 * The files of a contract. It finds the line of an object of the bundled document by the object's
 * identity, which bundling keeps. Only a diagnostic pays for the search and for the parser that
 * knows positions.
 */
export class Sources {
  /** The path of the contract's own file. */
  readonly root: string;
  /** The texts of the files as read, by path; the contract's own file is first. */
  readonly texts = new Map<string, string>();
  readonly #values = new Map<string, unknown>();
  readonly #originals = new WeakMap<object, object>();

  readonly #hasLines: boolean;

  /** @param hasLines whether authors know the lines of the contract's own file. */
  constructor(root: string, hasLines = true) {
    this.root = root;
    this.#hasLines = hasLines;
  }

  /** Adds a file with its parsed value. */
  addFile(file: string, text: string, value: unknown): void {
    this.texts.set(file, text);
    this.#values.set(file, value);
  }

  /** Adds an object that replaces an object of a file. */
  addCopy(copy: object, original: object): void {
    this.#originals.set(copy, this.#originals.get(original) ?? original);
  }

  /** The diagnostics as an error with a line for each, in the order of the files. */
  async error(diagnostics: readonly Diagnostic[]): Promise<ContractError> {
    return new ContractError(await this.problems(diagnostics, 'error'), { files: [...this.texts.keys()] });
  }

  /** The diagnostics with their places, in the order of the files. */
  async problems(diagnostics: readonly Diagnostic[], severity: Problem['severity']): Promise<readonly Problem[]> {
    if (diagnostics.length === 0) return [];
    const places = await this.#positions(diagnostics);
    return this.#inOrder(
      places.map((place, index) => ({ ...place, reason: diagnostics[index]?.reason ?? '' })),
      severity,
    );
  }

  /** The file and line of each object of the document, such as `openapi.yaml:73`. */
  async linesOf(nodes: readonly object[]): Promise<readonly string[]> {
    const places = await this.#positions(nodes.map((node) => ({ node, key: undefined })));
    return places.map((place) => {
      const { file, line, pointer } = this.#named(place);
      return line === undefined ? `${file}#${pointer}` : `${file}:${line}`;
    });
  }

  /** The places of objects of the document, or of their keys. */
  async #positions(sought: readonly Pick<Diagnostic, 'node' | 'key'>[]): Promise<readonly FilePosition[]> {
    const { yamlPositions } = await import('./yaml-positions.ts');
    const origins = this.#origins();
    const places = sought.map(({ node, key }): Origin => {
      const origin = origins.get(this.#originals.get(node) ?? node);
      if (origin === undefined) return { file: this.root, path: [] };
      return key === undefined ? origin : { ...origin, path: [...origin.path, key] };
    });
    const positions = new Map<Origin, Position>();
    for (const [file, text] of this.texts) {
      const inFile = places.filter((place) => place.file === file);
      const found = yamlPositions(
        text,
        inFile.map(({ path }) => path),
      );
      for (const [index, place] of inFile.entries()) positions.set(place, found[index] ?? START);
    }
    return places.map((place) => ({ ...place, ...(positions.get(place) ?? START) }));
  }

  /** The place as authors know it. */
  #named({ file, path, line, column }: FilePosition): Pick<Problem, 'file' | 'line' | 'column' | 'pointer'> {
    const pointer = path.map((key) => `/${tokenOfKey(String(key))}`).join('');
    const isLineKnown = this.#hasLines || file !== this.root;
    return {
      file: displayName(file),
      line: isLineKnown ? line : undefined,
      column: isLineKnown ? column : undefined,
      pointer,
    };
  }

  /**
   * The error for a file that does not parse. Reports several only for repeated keys: other errors
   * cause further errors behind them.
   */
  async syntaxError(cause: unknown): Promise<ContractError> {
    if (cause instanceof Refused) return this.error(cause.diagnostics);
    const { mark, reason } = cause instanceof YAMLException ? cause : { mark: undefined, reason: messageOf(cause) };
    const { name = this.root, line = 0, column = 0 } = mark ?? {};
    const isTooDeep = reason.startsWith('nesting exceeded');
    const { otherYamlMistake, yamlMistakes } = await import('./yaml-mistakes.ts');
    const found = isTooDeep
      ? []
      : [...this.texts].flatMap(([file, text]) =>
          yamlMistakes(text).map((mistake) => ({ file, path: [], ...mistake })),
        );
    // The two parsers may disagree, as on tags that are not defined.
    const syntaxError = {
      file: name,
      path: [],
      line: line + 1,
      column: column + 1,
      reason: isTooDeep
        ? 'the YAML is nested too deeply: move a part to components, and refer to it with a $ref.'
        : `the YAML does not parse: ${otherYamlMistake(reason)}`,
    };
    const problems = this.#inOrder(found.length === 0 ? [syntaxError] : found, 'error');
    return new ContractError(problems, { files: [...this.texts.keys()], cause });
  }

  #inOrder(
    placed: readonly (FilePosition & { readonly reason: string })[],
    severity: Problem['severity'],
  ): readonly Problem[] {
    const order = [...this.texts.keys()];
    const sorted = placed.toSorted(
      (a, b) => order.indexOf(a.file) - order.indexOf(b.file) || a.line - b.line || a.column - b.column,
    );
    const problems = sorted.map(({ reason, ...place }): [line: string, problem: Problem] => {
      const message = reason.trim().replaceAll(/\s*\n\s*/g, ' ');
      const problem = { ...this.#named(place), severity, message };
      return [problemLine(problem), problem];
    });
    // Several diagnostics may say the same of one place.
    return [...new Map(problems).values()];
  }

  /** The origins of all objects of the files. */
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

/** A place in a file. */
interface FilePosition extends Position, Origin {}

/** The path of a file for messages: relative to the working folder if it is inside. */
export function displayName(file: string): string {
  const name = relative(process.cwd(), file);
  return name.startsWith('..') ? file : name;
}
