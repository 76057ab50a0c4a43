import { ConfigurationError } from './errors.ts';

/** A part of a contract that the service refuses to serve. */
export interface Refusal {
  /** The object of the document that contains it. Its identity leads to the place in the file. */
  readonly node: object;
  /** Its key or index in that object; undefined for the object itself. */
  readonly key: string | number | undefined;
  /** The refused value, the reason and the correction. */
  readonly reason: string;
}

/** A check of the contract failed. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusals: readonly Refusal[];

  constructor(refusals: readonly Refusal[], options?: ErrorOptions) {
    super(refusals.map(({ reason }) => reason).join(' '), options);
    this.refusals = refusals;
  }
}

/**
 * A contract that cannot be served: one line for each refusal, with file, line and column.
 * @example
 * catch (error) {
 *   if (error instanceof ContractError) console.error(error.lines.join('\n'));
 * }
 */
export class ContractError extends ConfigurationError {
  // Private, so that Node does not print the lines of an uncaught error twice.
  readonly #lines: readonly string[];
  readonly #files: readonly string[];

  constructor(lines: readonly string[], options: ErrorOptions & { readonly files: readonly string[] }) {
    super(lines.join('\n'), options);
    this.#lines = lines;
    this.#files = options.files;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The paths of the contract's files. */
  get files(): readonly string[] {
    return this.#files;
  }
}

/** The refusals that a check threw. @throws the error itself when it is not Refused. */
export function refusalsOf(error: unknown): readonly Refusal[] {
  if (!(error instanceof Refused)) throw error;
  return error.refusals;
}
