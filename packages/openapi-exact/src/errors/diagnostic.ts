import { ConfigurationError } from './errors.ts';

/** What is wrong with, or doubtful about, a part of a contract; its errors are not served. */
export interface Diagnostic {
  /** The object of the document that contains it. Its identity leads to the place in the file. */
  readonly node: object;
  /** Its key or index in that object; undefined for the object itself. */
  readonly key: string | number | undefined;
  /** The value, the reason and the correction. */
  readonly reason: string;
}

/** A check of the contract failed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    super(diagnostics.map(({ reason }) => reason).join(' '), options);
    this.diagnostics = diagnostics;
  }
}

/**
 * Something in a contract that is wrong or doubtful.
 * @example
 * { file: 'openapi.yaml', line: 7, column: 5, pointer: '/paths', severity: 'error', message: '…' }
 */
export interface Problem {
  /** The path of the file: relative to the working folder if it is inside. */
  readonly file: string;
  /** From 1. Undefined in a document that was made in code, as is the column. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The place in the file, as a JSON pointer (RFC 6901); '' for all of it. */
  readonly pointer: string;
  readonly severity: 'error' | 'warning';
  /** What is wrong and what would be right. */
  readonly message: string;
}

/** A problem as one line: place, severity and message. */
export function problemLine({ file, line, column, pointer, severity, message }: Problem): string {
  const inDocument = pointer === '' ? '' : `#${encodeURI(pointer)}`;
  const place = line === undefined ? inDocument : `:${line}:${column}`;
  return `${file}${place}: ${severity}: ${message}`;
}

/**
 * A contract that cannot be served: one line for each diagnostic, with file, line and column.
 * @example
 * catch (error) {
 *   if (error instanceof ContractError) console.error(error.lines.join('\n'));
 * }
 */
export class ContractError extends ConfigurationError {
  // Private, so that Node does not print the lines of an uncaught error twice.
  readonly #problems: readonly Problem[];
  readonly #files: readonly string[];

  constructor(problems: readonly Problem[], options: ErrorOptions & { readonly files: readonly string[] }) {
    super(problems.map(problemLine).join('\n'), options);
    this.#problems = problems;
    this.#files = options.files;
  }

  /** The same as the lines, for programs. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get lines(): readonly string[] {
    return this.#problems.map(problemLine);
  }

  /** The paths of the contract's files. */
  get files(): readonly string[] {
    return this.#files;
  }
}

/** The diagnostics that a check threw. @throws the error itself when it is not Refused. */
export function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (!(error instanceof Refused)) throw error;
  return error.diagnostics;
}
