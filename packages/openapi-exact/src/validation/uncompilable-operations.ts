import { requestSchemas, responseSchemas } from '../bodies/message-parts.ts';
import type { Operation } from '../document/read-contract.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { LongestReferences, type References } from '../schema/longest-references.ts';
import type { OpenApiDocument, Schema } from '../schema/openapi-document.ts';
import { uncompilable } from './operation-schemas.ts';

/** The most operations that a diagnostic names. */
const MOST_NAMED = 3;

/** A cause that keeps operations from being compiled. */
interface Cause {
  /** The chain or circle of schemas that is too long; undefined for another cause. */
  readonly references: References | undefined;
  readonly error: unknown;
  readonly operations: Operation[];
}

/**
 * The operations of a contract whose schemas cannot be compiled, by their causes: operations share
 * schemas, and to compile them in vain takes as long as to serve them.
 */
export class UncompilableOperations {
  readonly #document: OpenApiDocument;
  readonly #operations: readonly Operation[];
  readonly #causes = new Map<unknown, Cause>();
  #longest: LongestReferences | undefined;

  /** @param operations with a schema for each part of a multipart body. */
  constructor(document: OpenApiDocument, operations: readonly Operation[]) {
    this.#document = document;
    this.#operations = operations;
  }

  /** Whether an operation leads to schemas that are known to refer to each other too long. */
  isKnown(operation: Operation): boolean {
    if (this.#causes.size === 0) return false;
    const references = this.#referencesOf(operation);
    const known = references && this.#causes.get(references.end)?.references;
    return known !== undefined && known.schemas.length <= (references?.schemas.length ?? 0);
  }

  /**
   * Adds an operation with the error of its compilation, and all operations of the same cause.
   * @returns the diagnostic of its cause; undefined for one that is known.
   */
  add(operation: Operation, error: unknown): Diagnostic | undefined {
    const references = error instanceof RangeError ? this.#referencesOf(operation) : undefined;
    const key = references?.end ?? String(error);
    const isKnown = this.#causes.has(key);
    const cause = getOrInsert(this.#causes, key, () => ({ references, error, operations: [] as Operation[] }));
    cause.operations.push(operation);
    if (isKnown) return undefined;
    for (const other of this.#operations) if (other !== operation && this.isKnown(other)) cause.operations.push(other);
    return diagnosticOf(this.#document, cause);
  }

  /** A diagnostic for each cause. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#causes.values()].map((cause) => diagnosticOf(this.#document, cause));
  }

  #referencesOf(operation: Operation): References | undefined {
    const schemasOf = (each: Operation): readonly Schema[] =>
      [requestSchemas(this.#document, each), responseSchemas(this.#document, each)].flatMap(Object.values<Schema>);
    this.#longest ??= new LongestReferences(this.#document, this.#operations.flatMap(schemasOf));
    return this.#longest.from(schemasOf(operation));
  }
}

function diagnosticOf(document: OpenApiDocument, { references, error, operations }: Cause): Diagnostic {
  const [first, ...others] = operations;
  if (first === undefined) throw new Error('A cause has an operation.', { cause: error });
  if (references === undefined) {
    const [diagnostic] = uncompilable(first, error).diagnostics;
    const also = others.length === 0 ? '' : ` The same holds for ${namesOf(others)}.`;
    return { node: first.definition, key: 'operationId', reason: `${diagnostic?.reason ?? ''}${also}` };
  }
  const inOrder = Object.entries<unknown>(document.components?.schemas ?? {}).filter(([, schema]) =>
    references.schemas.some((each) => each === schema),
  );
  const [[name, node] = ['', first.definition]] = inOrder;
  const form = references.isCircle ? 'circle' : 'chain';
  const reason =
    `express-openapi-validator cannot serve ${namesOf(operations)}: ` +
    `${inOrder.length} schemas, ${name} among them, refer to each other in too long a ${form}. ` +
    'Shorten it, or leave a part undescribed.';
  // A component is an object.
  return { node: node as object, key: undefined, reason };
}

/** The names of operations; of many, the first ones and how many more. */
function namesOf(operations: readonly Operation[]): string {
  const names = operations.map(({ id }) => id);
  if (names.length <= MOST_NAMED) return names.join(' and ');
  return `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more operations`;
}
