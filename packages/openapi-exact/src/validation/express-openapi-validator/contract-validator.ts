import type { middleware } from 'express-openapi-validator';
import type { Contract, Operation } from '../../document/read-contract.ts';
import { reaching } from '../../schema/schema-graph.ts';
import type { Schema } from '../../schema/openapi-document.ts';
import { isOverflow } from '../../json/json-body.ts';
import { MismatchError } from '../../errors/response-error.ts';
import { requestSchemas, responseSchemas, type Message, type MessageDirection } from '../../bodies/message-parts.ts';
import { isVerdict } from './faults.ts';
import { mismatchOf, onCopy, type MessageTraits } from './message-copy.ts';
import {
  openApiDocument,
  operationPlace,
  MESSAGE_STATUSES,
  validationDocument,
  type ValidationDocument,
} from './validation-document.ts';

type ValidatorStep = ReturnType<typeof middleware>[number];

/**
 * Checks messages against the schemas of their operation with the public middleware of
 * express-openapi-validator, which gets plain objects instead of requests and responses.
 */
export class ContractValidator {
  readonly #contract: Contract;
  readonly operations: readonly Operation[];
  readonly #compiled = new Map<Operation, CompiledOperation>();
  readonly #compiling = new Map<Operation, Promise<void>>();
  readonly #asksForDistinctItems: (schema: Schema) => boolean;
  #document: ValidationDocument | undefined;
  #chain: Promise<readonly ValidatorStep[]> | undefined;

  constructor(contract: Contract, operations: readonly Operation[]) {
    this.#contract = contract;
    this.operations = operations;
    this.#asksForDistinctItems = reaching(contract.document, ({ uniqueItems }) => uniqueItems === true);
  }

  /** What the validator is told of the operations. */
  get document(): ValidationDocument {
    this.#document ??= validationDocument(this.#contract, this.operations);
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
    const mismatch = this.mismatch(operation, direction, message);
    if (mismatch !== undefined) throw mismatch;
  }

  /** What {@link check} throws for an invalid message. */
  mismatch(operation: Operation, direction: MessageDirection, message: Message): MismatchError | undefined {
    const compiled = this.#compiled.get(operation);
    if (compiled === undefined) throw new Error(`The operation ${operation.id} is not compiled.`);
    try {
      const verdict =
        message.isPlain && !compiled.needsCopy
          ? compiled.verdict(direction, message.parts)
          : onCopy(this.document, message.parts, compiled, (copy) => compiled.verdict(direction, copy));
      if (verdict === undefined) return undefined;
      if (!isVerdict(verdict)) throw verdict;
      return mismatchOf(this.document.formats, verdict.errors, direction);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      throw new MismatchError('', isNested(message.parts, MOST_LEVELS) ? TOO_DEEP : TOO_LONG, { cause: error });
    }
  }

  async #compile(operation: Operation): Promise<void> {
    this.#chain ??= middlewares(this.document);
    const { path, method } = operationPlace(this.operations.indexOf(operation));
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
class CompiledOperation implements MessageTraits {
  readonly isAskedForDistinctItems: boolean;
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
