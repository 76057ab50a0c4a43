import type { middleware } from 'express-openapi-validator';
import type { Contract, Operation } from '../document/read-contract.ts';
import { reaching } from '../schema/schema-graph.ts';
import type { Schema } from '../schema/openapi-document.ts';
import { ofKeys } from '../errors/messages.ts';
import { withoutMarks } from '../json/property-keys.ts';
import { markRepeated } from '../json/repeated-items.ts';
import { isOverflow } from '../json/json-body.ts';
import { MismatchError } from '../errors/response-error.ts';
import { deepestFault, faultsByPlace, isVerdict, type Fault } from './faults.ts';
import {
  openApiDocument,
  operationPlace,
  requestSchemas,
  responseSchemas,
  MESSAGE_STATUSES,
  validationDocument,
  type MessageDirection,
  type ValidationDocument,
} from './validation-document.ts';

type ValidatorStep = ReturnType<typeof middleware>[number];

/** A message as it is checked. */
export interface Message {
  /** Its parts by name, as the functions of validation-document.ts name them. */
  readonly parts: Readonly<Record<string, unknown>>;
  /** Whether all of it is JSON whose numbers are doubles, without special keys. */
  readonly isPlain: boolean;
}

/**
 * Checks messages against the schemas of their operation with the public middleware of
 * express-openapi-validator, which gets plain objects instead of requests and responses.
 */
export class ContractValidator {
  readonly #contract: Contract;
  readonly #operations: readonly Operation[];
  readonly #compiled = new Map<Operation, CompiledOperation>();
  readonly #compiling = new Map<Operation, Promise<void>>();
  readonly #asksForDistinctItems: (schema: Schema) => boolean;
  readonly #findsAll: boolean;
  #document: ValidationDocument | undefined;
  #chain: Promise<readonly ValidatorStep[]> | undefined;

  /** @param findsAll whether it goes on after the first fault, and asserts no patterns. */
  constructor(contract: Contract, operations: readonly Operation[], findsAll = false) {
    this.#findsAll = findsAll;
    this.#contract = contract;
    this.#operations = operations;
    this.#asksForDistinctItems = reaching(contract.document, ({ uniqueItems }) => uniqueItems === true);
  }

  /** What the validator is told of the operations. */
  get document(): ValidationDocument {
    this.#document ??= validationDocument(this.#contract, this.#operations, !this.#findsAll);
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
    const [faults] = this.#faults(operation, direction, message);
    if (faults !== undefined) throw this.#mismatch(faults, direction);
  }

  /** What {@link check} throws: with `findsAll` the faults of all places, else the first one. */
  *mismatches(operation: Operation, direction: MessageDirection, message: Message): Generator<MismatchError, void> {
    // One by one: a small message may have many, of which few are told.
    for (const faults of this.#faults(operation, direction, message)) yield this.#mismatch(faults, direction);
  }

  /** @param faults of one place. */
  #mismatch(faults: readonly Fault[], direction: MessageDirection): MismatchError {
    const { place, requirement, isOfKeys } = deepestFault(faults);
    const words = this.document.formats.describeMismatch(requirement, direction);
    return new MismatchError(withoutMarks(place), withoutMarks(isOfKeys ? ofKeys(words) : words));
  }

  /** The faults of a message by place. @throws MismatchError for one that cannot be judged. */
  #faults(operation: Operation, direction: MessageDirection, message: Message): readonly (readonly Fault[])[] {
    const compiled = this.#compiled.get(operation);
    if (compiled === undefined) throw new Error(`The operation ${operation.id} is not compiled.`);
    try {
      const verdict =
        message.isPlain && !compiled.needsCopy
          ? compiled.verdict(direction, message.parts)
          : this.#verdictOnCopy(compiled, direction, message);
      if (verdict === undefined) return [];
      if (!isVerdict(verdict)) throw verdict;
      return this.#findsAll ? faultsByPlace(verdict.errors) : [verdict.errors];
    } catch (error) {
      if (!isOverflow(error)) throw error;
      throw new MismatchError('', isNested(message.parts, MOST_LEVELS) ? TOO_DEEP : TOO_LONG, { cause: error });
    }
  }

  /** The verdict on a copy, in which doubles stand for numbers that they do not hold. */
  #verdictOnCopy(compiled: CompiledOperation, direction: MessageDirection, { parts }: Message): Error | undefined {
    const { numbers, formats } = this.document;
    try {
      const copy = numbers.message(parts, compiled.isAmbiguous);
      formats.evaluations.begin(numbers.size);
      if (compiled.isAskedForDistinctItems) markRepeated(copy);
      return compiled.verdict(direction, copy);
    } finally {
      numbers.release();
      formats.evaluations.end();
    }
  }

  async #compile(operation: Operation): Promise<void> {
    this.#chain ??= middlewares(this.document, this.#findsAll);
    const { path, method } = operationPlace(this.#operations.indexOf(operation));
    const request = requestView(path, method);
    // All but the last find the operation of a request; the last one checks responses.
    const chain = await this.#chain;
    for (const step of chain.slice(0, -1)) await runStep(step, request, NO_RESPONSE);
    const response = new ResponseView();
    await runStep(chain.at(-1), request, response);
    const { document } = this.#contract;
    const schemas = [requestSchemas(document, operation), responseSchemas(document, operation)].flatMap(Object.values);
    const compiled = new CompiledOperation(
      response,
      schemas.some(this.#asksForDistinctItems),
      schemas.some((schema: Schema) => this.document.ambiguous.isAmbiguous(schema)),
    );
    compiled.prove();
    this.#compiled.set(operation, compiled);
  }
}

/** The levels of a value for which the stack is deep enough in any schema. */
const MOST_LEVELS = 1_000;
const TOO_DEEP = 'must not contain itself, or be nested too deeply';
/**
 * A regular expression that repeats a group keeps a place on a stack for each repetition: a text of
 * several MiB may have too many.
 */
const TOO_LONG = 'must not have a text that is too long for its pattern or format';

/** Whether a value has at least so many levels. One that contains itself has. */
function isNested(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isNested(child, levels - 1));
}

/** The compiled schemas of one operation. */
class CompiledOperation {
  /** Whether the schemas ask for items that differ. */
  readonly isAskedForDistinctItems: boolean;
  /** Whether one value may be evaluated many times. */
  readonly isAmbiguous: boolean;
  /** Whether a message is copied, so that equal items and evaluations can be marked. */
  readonly needsCopy: boolean;
  readonly #response: ResponseView;
  readonly #check: ResponseView['json'];

  /** @param response whose `json` checks its bodies. */
  constructor(response: ResponseView, isAskedForDistinctItems: boolean, isAmbiguous: boolean) {
    this.#response = response;
    this.#check = response.json;
    this.isAskedForDistinctItems = isAskedForDistinctItems;
    this.isAmbiguous = isAmbiguous;
    this.needsCopy = isAskedForDistinctItems || isAmbiguous;
  }

  /** The validator's error for a message; undefined for a valid one. */
  verdict(direction: MessageDirection, message: unknown): Error | undefined {
    this.#response.statusCode = MESSAGE_STATUSES[direction];
    this.#response.verdict = NO_VERDICT;
    this.#check.call(this.#response, message);
    return this.#response.verdict;
  }

  /** Fails closed if the validator accepts messages that lack their parts. */
  prove(): void {
    for (const direction of ['request', 'response'] as const) {
      const verdict = this.verdict(direction, {});
      if (verdict === undefined) throw new Error('It accepts messages that lack their parts.');
      if (!isVerdict(verdict)) throw verdict;
    }
  }
}

async function middlewares(document: ValidationDocument, allErrors: boolean): Promise<readonly ValidatorStep[]> {
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
    validateResponses: { coerceTypes: false, removeAdditional: false, allErrors },
    formats: document.formats.all,
    // 'fast' accepts a thirteenth month.
    ajvFormats: { mode: 'full' },
  });
}

/** The properties of an Express request that express-openapi-validator reads and sets. */
function requestView(path: string, method: string): object {
  const app = { enabled: () => true };
  return { path, originalUrl: path, method, baseUrl: '', headers: {}, query: {}, params: {}, app };
}

/** The properties of an Express response that express-openapi-validator reads and replaces. */
class ResponseView {
  statusCode: number = MESSAGE_STATUSES.response;
  readonly headersSent = false;
  verdict: Error | undefined;

  /** The validator replaces this method by its check, which calls it for a valid body. */
  json = (_body: unknown): void => {
    this.verdict = undefined;
  };

  getHeaders(): object {
    return {};
  }
}

const NO_RESPONSE = Object.freeze({});
const NO_VERDICT = new Error('express-openapi-validator has not checked the message.');

/**
 * Runs a middleware. Rejects with the error that it passes to `next`; the last middleware passes
 * each later verdict to it too, which `response` receives.
 */
function runStep(step: ValidatorStep | undefined, request: object, response: object): Promise<void> {
  return new Promise((resolve, reject) => {
    // The views have all that the validator reads of a request and a response.
    void step?.(request as never, response as never, (failure?: unknown) => {
      // It passes errors only.
      const error = failure as Error | undefined;
      if (response instanceof ResponseView) response.verdict = error;
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
