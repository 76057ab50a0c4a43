import type { Response as ExpressResponse } from 'express';
import { stringify } from 'lossless-json';
import { STATUS_CODES } from 'node:http';
import type { Contract, Operation } from '../document/read-contract.ts';
import { essenceOf, bodyKind } from '../http/media-type.ts';
import { declaredStatus } from '../document/operations.ts';
import { ConfigurationError, messageOf, RequestError, STATUSES, type Reason } from '../errors/errors.ts';
import type { PreparedOperation } from './prepare.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { respond } from '../response/respond.ts';
import { ResponseValidator } from '../response/validate-response.ts';
import { ContractValidator } from '../validation/contract-validator.ts';
import { OperationSchemas } from '../validation/operation-schemas.ts';
import { Validation } from '../validation/validation.ts';

/**
 * The body of a failure with its media type.
 * @example
 * const body = { message: error.message };
 * const content: ErrorContent = { contentType: 'application/json', body };
 */
export interface ErrorContent {
  readonly contentType: string;
  readonly body: unknown;
}

/**
 * Makes the body of a failure; undefined for the default, problem details.
 * @param mediaTypes those that the operation declares for the status: none for a status that it
 * does not declare, and for a request that matches no operation.
 * @example ({ message }) => ({ contentType: 'application/json', body: { message } })
 */
export type ErrorBody = (error: RequestError, mediaTypes: readonly string[]) => ErrorContent | undefined;

const PROBLEM = 'application/problem+json';

/**
 * Problem details (RFC 9457), with the error's reason. Their media type is the one for problems, or
 * the JSON that the contract declares in its place.
 */
function problemDetails({ status, message, reason }: RequestError, mediaTypes: readonly string[]): ErrorContent {
  const isDeclared = mediaTypes.length === 0 || mediaTypes.some((type) => essenceOf(type) === PROBLEM);
  const contentType = isDeclared ? PROBLEM : (mediaTypes.find((type) => bodyKind(type) === 'json') ?? PROBLEM);
  return { contentType, body: { title: STATUS_CODES[status] ?? 'Error', status, detail: message, reason } };
}

/** Writes failures as the matched operation declares them. */
export class ErrorResponses {
  readonly #contract: Contract;
  readonly #errorBody: ErrorBody;

  constructor(contract: Contract, errorBody: ErrorBody = () => undefined) {
    this.#contract = contract;
    this.#errorBody = errorBody;
  }

  /**
   * Writes a failure, without a body where the contract declares the status without content.
   * @throws whatever the author's function for error bodies throws.
   */
  sendError(
    response: ExpressResponse,
    error: RequestError,
    operation: Operation | undefined,
  ): ReturnType<typeof respond> {
    const { status, headers } = error;
    const mediaTypes = mediaTypesOf(operation, status);
    const content = mediaTypes === undefined ? undefined : this.#contentOf(error, mediaTypes);
    return respond(response, { status, headers, ...content });
  }

  /**
   * Requires that the bodies of the failures that this library answers itself are as the contract
   * declares them.
   * @throws ConfigurationError that names the operation, the status, and the way out.
   */
  async requireFit(operations: readonly PreparedOperation[]): Promise<void> {
    const failures = getOrInsert(FAILURES, operations, () => distinctFailures(this.#contract, operations));
    for (const { operation, status, reason, mediaTypes, schemas, validator } of failures) {
      const error = new RequestError(reason, 'The request is not as the contract describes it.');
      await schemas.compile();
      try {
        validator.validateContent(status, this.#contentOf(error, mediaTypes));
      } catch (cause) {
        const [line] = await this.#contract.sources.linesOf([operation.definition]);
        throw new ConfigurationError(
          `${line}: the body of ${status} (${reason}) does not fit what ${operation.id} declares: ${messageOf(cause)} ` +
            'Give contractMiddleware the option errorBody, which makes the bodies of failures, or declare application/problem+json.',
          { cause },
        );
      }
    }
  }

  #contentOf(error: RequestError, mediaTypes: readonly string[]): ErrorContent {
    return this.#errorBody(error, mediaTypes) ?? problemDetails(error, mediaTypes);
  }
}

/** A failure that an operation declares with content. */
interface DeclaredFailure {
  readonly operation: Operation;
  readonly status: number;
  readonly reason: Reason;
  /** The key of the response that describes the status. */
  readonly key: string;
  readonly mediaTypes: readonly string[];
}

/** A failure with what checks its content. */
interface CheckedFailure extends DeclaredFailure {
  readonly schemas: OperationSchemas;
  readonly validator: ResponseValidator;
}

/** By the operations of a contract: one that is served twice is compiled once. */
const FAILURES = new WeakMap<readonly PreparedOperation[], readonly CheckedFailure[]>();

/** The failures of operations, each content once: most operations share the schemas of theirs. */
function distinctFailures(contract: Contract, operations: readonly PreparedOperation[]): readonly CheckedFailure[] {
  const failures = new Map<string, DeclaredFailure>();
  for (const { operation } of operations) {
    for (const [status, reason] of ownFailures(operation)) {
      const mediaTypes = mediaTypesOf(operation, status) ?? [];
      const key = declaredStatus(operation.responses, status) ?? '';
      const content = stringify([status, operation.responses[key]?.content]) ?? '';
      if (mediaTypes.length > 0 && !failures.has(content)) {
        failures.set(content, { operation, status, reason, key, mediaTypes });
      }
    }
  }
  const distinct = [...failures.values()];
  const described = distinct.map(({ operation, key }) => withResponse(operation, key));
  // Compiled by themselves: what an operation takes otherwise may be large.
  const validation = new Validation(contract, new ContractValidator(contract, described));
  return distinct.map((failure, index) => {
    const schemas = new OperationSchemas(validation, described[index] ?? failure.operation);
    return { ...failure, schemas, validator: new ResponseValidator(schemas) };
  });
}

/** An operation that has nothing but one of its responses. */
function withResponse(operation: Operation, key: string): Operation {
  const responses = Object.fromEntries(Object.entries(operation.responses).filter(([status]) => status === key));
  return { ...operation, parameters: [], requestBody: undefined, responses };
}

/**
 * The media types that an operation declares for a status; none if it does not declare the status.
 * Undefined where it is declared without content.
 */
function mediaTypesOf(operation: Operation | undefined, status: number): readonly string[] | undefined {
  const declared = operation?.responses[declaredStatus(operation.responses, status) ?? ''];
  if (declared === undefined) return [];
  const mediaTypes = Object.keys(declared.content ?? {});
  return mediaTypes.length === 0 ? undefined : mediaTypes;
}

/** The failures that this library answers for an operation, each with one of its reasons. */
export function ownFailures({ parameters, requestBody, security, responses }: Operation): readonly [number, Reason][] {
  const isChoice = Object.values(responses).some(({ content = {} }) => Object.keys(content).length > 1);
  const reasons: Reason[] = [
    parameters.length > 0 ? 'invalidParameter' : 'malformedUrl',
    ...(security.length > 0 ? (['noCredentials'] as const) : []),
    ...(isChoice ? (['notAcceptable'] as const) : []),
    ...(requestBody === undefined ? [] : (['bodyTooLarge', 'unsupportedMediaType', 'overloaded'] as const)),
    'internal',
  ];
  return reasons.map((reason) => [STATUSES[reason], reason]);
}
