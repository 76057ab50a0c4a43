import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { OperatorError, StoreError } from './errors.ts';
import type { BodyLimits } from './bodies/limits.ts';
import type { ValidRequest } from './bodies/received-body.ts';
import type { Contract, Operation } from './document/load.ts';
import { Matcher } from './match.ts';
import { failedPrecondition, respondUnmet, type Conditional } from './preconditions.ts';
import { prepareOperations, type PreparedOperation } from './prepare.ts';
import { discard, isAsyncIterable, respond, type ResponseValue } from './respond.ts';
import { Authentication, type Authenticator, type Guard } from './security/authenticate.ts';
import type { AnyVerifiers, Principal } from './security/verifier.ts';

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

/** Handlers by operationId, as the engine calls them. */
export type AnyHandlers = Readonly<Record<string, (request: never) => ResponseValue | Promise<ResponseValue>>>;

/** The checks of operations, by operationId, as the engine calls them. */
export type AnyChecks = Readonly<
  Record<string, ((request: never) => ResponseValue | undefined | Promise<ResponseValue | undefined>) | undefined>
>;

/** What the author of a service binds to the operations of its contract. */
export interface Bindings {
  readonly contract: Contract;
  /** A handler for each operation, by operationId; `Handlers` in types.ts is the exact type. */
  readonly handlers: AnyHandlers;
  /** Request checks by operationId; `Checks` in types.ts is the exact type. */
  readonly checks?: AnyChecks;
  /** Verifiers by security scheme; `Verifiers` in security/verifier.ts is the exact type. */
  readonly verifiers: AnyVerifiers;
  /** The protection space that challenges name; the contract's title by default. */
  readonly realm?: string;
  /** Limits of request bodies; those in bodies/limits.ts by default. */
  readonly bodyLimits?: Partial<BodyLimits>;
  /** Operations prepared before, with limits of their own; by default they are prepared here. */
  readonly prepared?: Promise<readonly PreparedOperation[]>;
  /** Is told the outcome of each authentication. */
  readonly guard?: Guard;
  /** Receives each change, or possible change, by an operation with an unsafe method. */
  readonly onChange?: (change: Change) => void;
}

/** An operation with its handler and authenticator. */
interface MountedOperation extends Conditional, PreparedOperation {
  readonly id: string;
  readonly isSafe: boolean;
  readonly authenticate: Authenticator;
}

/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

/**
 * Mounts a contract: binds each operation to its handler and its verifiers.
 * @throws ContractError for places that cannot be served, OperatorError for wrong bindings.
 */
export async function mountContract(bindings: Bindings): Promise<MountedContract> {
  const { contract, handlers, checks = {}, verifiers, realm, bodyLimits, prepared } = bindings;
  const { guard, onChange = (): void => undefined } = bindings;
  const authentication = new Authentication(contract, verifiers, { realm, guard });
  requireOperations(contract, [...Object.keys(handlers), ...Object.keys(checks)]);
  const mounted = new Map<Operation, MountedOperation>();
  for (const one of await (prepared ?? prepareOperations(contract, bodyLimits))) {
    const { operation } = one;
    mounted.set(operation, {
      ...one,
      id: operation.id,
      method: operation.method,
      ownHeaders: headerNames(operation),
      isSafe: SAFE_METHODS.includes(operation.method),
      authenticate: authentication.of(operation),
      handle: handlerOf(operation, handlers),
      // The compiler has checked it against the operation's types, like the handler.
      check: (Object.hasOwn(checks, operation.id) ? checks[operation.id] : undefined) as MountedOperation['check'],
    });
  }
  return new MountedContract(new Matcher(mounted), onChange);
}

/** @throws OperatorError for a handler that belongs to no operation. */
function requireOperations({ operations }: Contract, names: readonly string[]): void {
  const ids = new Set(operations.map(({ id }) => id));
  const unknown = names.find((name) => !ids.has(name));
  if (unknown === undefined) return;
  throw new OperatorError(`The handler '${unknown}' belongs to no operation of the contract.`);
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
   * @throws RequestError, StoreError, ResponseError or, for a bug, any other error.
   */
  async answer(request: Request, response: Response): Promise<void> {
    const [path, wholeQuery] = split(request.url);

    const { target: operation, params, query, allow } = this.#matcher.match(request.method, path, wholeQuery);
    if (operation === undefined) {
      await respond(response, { status: 204, headers: { Allow: allow } });
      return;
    }
    response.locals['operation'] = operation.id;

    const principal = await operation.authenticate(request);
    response.locals['principal'] = principal;

    const body = await operation.requestBody.read(request, response);
    const values = operation.parameters.read(params, query, request);
    const valid = await body.validate((mediaType, value) => operation.validator.request(values, mediaType, value));

    const accepts = operation.representations.accepted(request, response);
    const given = accepts === undefined ? valid : { ...valid, accepts };
    let value = await this.#handle(operation, given, request, response);

    // A stream that fails before it is read fails the response, not the process.
    if (value.body instanceof Readable) value.body.on('error', () => undefined);
    try {
      value = operation.representations.represent(value, request, response);
      operation.validator.response(value);
      if (value.status < 400 && body.finish !== undefined) await body.finish(isAsyncIterable(value.body));
    } catch (error) {
      discard(value);
      throw error;
    }
    // It may come after the request has timed out.
    if (response.headersSent) discard(value);
    else await respond(response, value);
  }

  /** Calls the handler if the preconditions hold, and reports its changes. */
  async #handle(
    operation: MountedOperation,
    valid: ValidRequest,
    request: Request,
    response: Response,
  ): Promise<ResponseValue> {
    try {
      const failure = failedPrecondition(operation, request.headers);
      const value = await (failure === undefined ? operation.handle(valid) : respondUnmet(operation, valid, failure));
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
