import type { Request, Response } from 'express';
import { OperatorError, StoreError } from '../errors.ts';
import {
  createAuthenticator,
  requireVerifiers,
  type Authenticator,
  type Principal,
  type Verifiers,
} from './authenticate.ts';
import type { Contract, Operation } from './document/load.ts';
import { Matcher } from './match.ts';
import { handleConditionally, type Conditional } from './preconditions.ts';
import { respond, type ResponseValue } from './respond.ts';
import { prepareOperations, type PreparedOperation } from './prepare.ts';
import type { ValidRequest } from './validate.ts';

/** A handler as the engine calls it; `Handlers` in types.ts is the type for its author. */
export type AnyHandler = (request: never) => ResponseValue | Promise<ResponseValue>;

/** The checks of a handler as the engine calls them; `Checks` in types.ts is the author's type. */
export type AnyCheck = (request: never) => ResponseValue | undefined | Promise<ResponseValue | undefined>;

/** A change made by an operation, for the audit log. */
export interface Change {
  /** 'unknown': the store failed at the commit. */
  readonly outcome: 'done' | 'unknown';
  /** The operationId. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly principal: Principal | undefined;
  readonly requestId: string;
}

/** Wraps the authentication of an operation, for example in a rate limit. */
export type Guard = (authenticate: Authenticator) => Authenticator;

/** Handlers by operationId. */
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

/** The checks of operations, by operationId. */
export type AnyChecks = Readonly<Record<string, AnyCheck | undefined>>;

/** An operation with its handler and authenticator. */
interface MountedOperation extends Conditional, PreparedOperation {
  readonly id: string;
  readonly isSafe: boolean;
  readonly authenticate: Authenticator;
}

/**
 * Up to this number, operations are compiled at the start, which reveals unusable schemas; beyond
 * it, at their first request.
 */
const COMPILED_AT_START = 50;

/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * Mounts a contract: binds each operation to its handler and its verifiers.
 * @param onChange receives each change, or possible change, by an operation with an unsafe method.
 * @param checks the normal request checks, for failed preconditions (preconditions.ts).
 * @throws ContractError for places that cannot be served, OperatorError for wrong bindings.
 */
export async function mountContract(
  contract: Contract,
  handlers: AnyHandlers,
  verifiers: Verifiers,
  onChange: (change: Change) => void = () => undefined,
  guard: Guard = (authenticate) => authenticate,
  checks: AnyChecks = {},
): Promise<MountedContract> {
  requireVerifiers(contract, verifiers);
  const ids = contract.operations.map(({ id }) => id);
  const unknown = Object.keys({ ...handlers, ...checks }).find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw new OperatorError(`The handler '${unknown}' belongs to no operation of the contract.`);
  }
  const mounted = new Map<Operation, MountedOperation>();
  for (const prepared of await prepareOperations(contract, contract.operations.length <= COMPILED_AT_START)) {
    const { operation } = prepared;
    mounted.set(operation, {
      ...prepared,
      id: operation.id,
      method: operation.method,
      ownHeaders: headerNames(operation),
      isSafe: SAFE_METHODS.includes(operation.method),
      authenticate: guard(createAuthenticator(operation, verifiers)),
      handle: handlerOf(operation, handlers),
      // The compiler has checked it against the operation's types, like the handler.
      check: (Object.hasOwn(checks, operation.id) ? checks[operation.id] : undefined) as MountedOperation['check'],
    });
  }
  return new MountedContract(new Matcher(contract, mounted), onChange);
}

function handlerOf({ id, method, path }: Operation, handlers: AnyHandlers): MountedOperation['handle'] {
  const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
  if (handler === undefined) throw new OperatorError(`The operation ${id} (${method} ${path}) has no handler.`);
  // The compiler has checked the handler against the operation's types, and the validator makes
  // requests of that type.
  return handler as MountedOperation['handle'];
}

/** The header parameters of an operation, in lower case. */
function headerNames({ parameters }: Operation): ReadonlySet<string> {
  const headers = parameters.filter((parameter) => parameter.in === 'header');
  return new Set(headers.map(({ name }) => name.toLowerCase()));
}

/** Answers the requests for the operations of a contract. */
export class MountedContract {
  readonly #matcher: Matcher<MountedOperation>;
  readonly #onChange: (change: Change) => void;

  constructor(matcher: Matcher<MountedOperation>, onChange: (change: Change) => void) {
    this.#matcher = matcher;
    this.#onChange = onChange;
  }

  /**
   * The request lifecycle. Sets `operation` and `principal` in `response.locals` for the log.
   * @throws RequestError, StoreError or, for a bug, any other error.
   */
  async answer(request: Request, response: Response): Promise<void> {
    const [path, query] = split(request.url);

    const { target: operation, params } = this.#matcher.match(request.method, path);
    response.locals['operation'] = operation.id;

    const principal = await operation.authenticate(request);
    response.locals['principal'] = principal;

    const { mediaType, value: body } = await operation.requestBody.read(request, response);
    const values = operation.parameters.read(params, query, request.headers);
    const valid = await operation.validator.request(values, mediaType, body);

    const value = await this.#handle(operation, valid, request, response);

    operation.validator.response(value);
    respond(response, value);
  }

  /** Calls the handler if the preconditions hold, and reports its changes. */
  async #handle(
    operation: MountedOperation,
    valid: ValidRequest,
    request: Request,
    response: Response,
  ): Promise<ResponseValue> {
    try {
      const value = await handleConditionally(operation, valid, request.headers);
      if (!operation.isSafe && value.status < 300) this.#report('done', operation, valid, response);
      return value;
    } catch (error) {
      const isUnknown = error instanceof StoreError && error.outcome === 'unknown';
      if (isUnknown && !operation.isSafe) this.#report('unknown', operation, valid, response);
      throw error;
    }
  }

  #report(outcome: Change['outcome'], { id }: MountedOperation, { params }: ValidRequest, { locals }: Response): void {
    // The request log and `answer` have set both.
    const { requestId, principal } = locals as { requestId: string; principal: Principal | undefined };
    this.#onChange({ outcome, operation: id, params, principal, requestId });
  }
}

/** The path and the query of a request target in origin form. */
function split(url: string): [string, string] {
  const end = url.indexOf('?');
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
}
