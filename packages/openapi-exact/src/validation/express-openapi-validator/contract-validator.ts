import type { middleware } from 'express-openapi-validator';
import type { Contract, Operation } from '../../document/read-contract.ts';
import { reaching } from '../../schema/schema-graph.ts';
import type { Schema } from '../../schema/openapi-document.ts';
import { isOverflow } from '../../json/json-body.ts';
import { MismatchError } from '../../errors/invalid-response-error.ts';
import { requestSchemas, responseSchemas, type Message, type MessageDirection } from '../../bodies/message-parts.ts';
import type { Fault } from '../../errors/limits.ts';
import { faultOf, isVerdict } from './faults.ts';
import { NO_FORMATS, type CustomFormats } from '../../schema/custom-formats.ts';
import type { MessageTraits } from './exact-message.ts';
import { responseHook, type ValidatorStep } from './response-hook.ts';
import {
  openApiDocument,
  validatorRoute,
  MESSAGE_STATUSES,
  validationDocument,
  type ValidationDocument,
} from './validation-document.ts';

/**
 * Checks messages against the schemas of their operation with the public middleware of
 * express-openapi-validator, which gets plain objects instead of requests and responses.
 */
export class ContractValidator {
  readonly #contract: Contract;
  readonly operations: readonly Operation[];
  readonly customFormats: CustomFormats;
  readonly #compiled = new Map<Operation, CompiledOperation>();
  readonly #compiling = new Map<Operation, Promise<void>>();
  readonly #asksForDistinctItems: (schema: Schema) => boolean;
  #document: ValidationDocument | undefined;
  #chain: Promise<readonly ValidatorStep[]> | undefined;

  /** @param customFormats those of the option `formats`. */
  constructor(contract: Contract, operations: readonly Operation[], customFormats = NO_FORMATS) {
    this.#contract = contract;
    this.customFormats = customFormats;
    this.operations = operations;
    this.#asksForDistinctItems = reaching(contract.document, ({ uniqueItems }) => uniqueItems === true);
  }

  /** The operations as the validator gets them. */
  get document(): ValidationDocument {
    this.#document ??= validationDocument(this.#contract, this.operations, this.customFormats);
    return this.#document;
  }

  isCompiled(operation: Operation): boolean {
    return this.#compiled.has(operation);
  }

  /**
   * Compiles the schemas of an operation, once.
   * @throws the validator's error when it cannot compile them.
   */
  async compile(operation: Operation): Promise<void> {
    const compiling = this.#compiling.get(operation) ?? this.#compile(operation);
    this.#compiling.set(operation, compiling);
    await compiling;
  }

  /**
   * Checks a message of a compiled operation.
   * @param message its parts, with numbers as `LosslessNumber`, `bigint` or number.
   * @throws MismatchError that names the place and what must be there; RangeError for a number that
   * JSON does not have.
   */
  check(operation: Operation, direction: MessageDirection, message: Message): void {
    const fault = this.faultIn(operation, direction, message);
    if (fault !== undefined) throw new MismatchError(fault);
  }

  /** What is wrong with an invalid message. */
  faultIn(operation: Operation, direction: MessageDirection, message: Message): Fault | undefined {
    const compiled = this.#compiled.get(operation);
    if (compiled === undefined) throw new Error(`The operation ${operation.id} is not compiled.`);
    try {
      const verdict =
        message.isPlain && !compiled.needsCopy
          ? compiled.verdict(direction, message.parts)
          : this.document.check.judgeCopy(message.parts, compiled, (copy) => compiled.verdict(direction, copy));
      if (verdict === undefined) return undefined;
      if (!isVerdict(verdict)) throw verdict;
      return faultOf(this.document.formats, verdict.errors, direction, message.parts);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      // A regular expression that repeats a group keeps a place on a stack for each repetition: a
      // text of several MiB may have too many.
      return { place: '', keyword: 'type', limits: isNested(message.parts, MOST_LEVELS) ? 'depth' : 'textLength' };
    }
  }

  async #compile(operation: Operation): Promise<void> {
    this.#chain ??= middlewares(this.document);
    const hook = await responseHook(await this.#chain, validatorRoute(this.operations.indexOf(operation)));
    const { document } = this.#contract;
    const schemas = [requestSchemas(document, operation), responseSchemas(document, operation)].flatMap(Object.values);
    const isAskedForDistinctItems = schemas.some(this.#asksForDistinctItems);
    const isAmbiguous = schemas.some((schema: Schema) => this.document.ambiguous.isAmbiguous(schema));
    const needsCopy = isAskedForDistinctItems || isAmbiguous;
    const verdict: Verdicts = (direction, message) => hook(MESSAGE_STATUSES[direction], message);
    requireRefusals(verdict);
    this.#compiled.set(operation, { isAskedForDistinctItems, isAmbiguous, needsCopy, verdict });
  }
}

/** Fails closed if the validator accepts messages that lack their parts. */
function requireRefusals(verdict: Verdicts): void {
  for (const direction of ['request', 'response'] as const) {
    const refusal = verdict(direction, {});
    if (refusal === undefined) throw new Error('It accepts messages that lack their parts.');
    if (!isVerdict(refusal)) throw refusal;
  }
}

/** The validator's error for a message; undefined for a valid one. */
type Verdicts = (direction: MessageDirection, message: unknown) => Error | undefined;

/** The compiled schemas of one operation. */
interface CompiledOperation extends MessageTraits {
  /** Whether a message is copied, so that equal items and evaluations can be marked. */
  readonly needsCopy: boolean;
  readonly verdict: Verdicts;
}

async function middlewares(document: ValidationDocument): Promise<readonly ValidatorStep[]> {
  // Loaded when a contract is served: commands that serve none start faster.
  const validator = await import('express-openapi-validator');
  return validator.middleware({
    // The validator has its own type for documents; this one was checked at load.
    apiSpec: openApiDocument(document) as Parameters<typeof middleware>[0]['apiSpec'],
    validateApiSpec: false,
    // Requests are checked as responses: matching, authentication and reading come before it.
    validateRequests: false,
    validateSecurity: false,
    fileUploader: false,
    validateResponses: { coerceTypes: false, removeAdditional: false },
    formats: document.formats.all,
    // 'fast' accepts a thirteenth month.
    ajvFormats: { mode: 'full' },
  });
}

/** The levels of a value for which the stack is deep enough in any schema. */
const MOST_LEVELS = 1_000;

/** Whether a value has at least so many levels. One that contains itself has. */
function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isNested(child, levels - 1));
}
