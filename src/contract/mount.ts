import type { Request, Response } from 'express';
import { OperatorError, StoreError } from '../errors.ts';
import {
  createAuthenticator,
  requireVerifiers,
  type Authenticator,
  type Principal,
  type Verifier,
} from './authenticate.ts';
import type { Contract, Operation } from './document/load.ts';
import { createMatcher } from './match.ts';
import { respond, type ResponseValue } from './respond.ts';
import { createValidator, type Validator, type ValidRequest } from './validate.ts';

/** A handler as the machinery calls it; `Handlers` in types.ts is what its author sees. */
export type AnyHandler = (request: never) => ResponseValue | Promise<ResponseValue>;

/**
 * Up to this many operations are compiled at the start, some 15 ms each, so that a start shows whatever cannot be served. With more
 * of them each is compiled when it is first called.
 */
const COMPILED_AT_START = 50;

/** Something that an operation has done, for those who keep a record. */
export interface Change {
  /** 'unknown': it may have been done, nobody can tell. */
  readonly outcome: 'done' | 'unknown';
  /** Its operationId. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly principal: Principal | undefined;
  readonly requestId: string;
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

interface Mounted {
  readonly id: string;
  readonly changes: boolean;
  readonly authenticate: Authenticator;
  readonly validator: Validator;
  readonly handle: (request: ValidRequest) => ResponseValue | Promise<ResponseValue>;
}

/**
 * A function that answers every operation of a contract: match, authenticate, validate, handle, respond. It throws, or rejects with, what
 * is to be answered otherwise, at once where nothing has to be waited for: each promise costs a request a part of a microsecond. It leaves
 * `operation` and `principal` in `response.locals` for the log.
 * @param onChange is told what an operation with an unsafe method has done, as its successful answer says, or may have done.
 * @param guard is put around the authentication of each operation.
 * @throws OperatorError when an operation has no handler, a handler no operation, or a security scheme no verifier.
 */
export async function mountContract(
  contract: Contract,
  handlers: Readonly<Record<string, AnyHandler>>,
  verifiers: Readonly<Record<string, Verifier>>,
  onChange: (change: Change) => void = () => undefined,
  guard: (authenticate: Authenticator) => Authenticator = (authenticate) => authenticate,
): Promise<(request: Request, response: Response) => Promise<void>> {
  requireVerifiers(contract, verifiers);
  const ids = new Set(contract.operations.map(({ id }) => id));
  const unknown = Object.keys(handlers).find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new OperatorError(`The handler '${unknown}' belongs to no operation of the contract.`);
  const mounted = new Map<Operation, Mounted>();
  for (const operation of contract.operations) mounted.set(operation, mount(operation));
  if (mounted.size <= COMPILED_AT_START) for (const { validator } of mounted.values()) await validator.compile();
  const match = createMatcher(contract, mounted);

  function mount(operation: Operation): Mounted {
    const handler = Object.hasOwn(handlers, operation.id) ? handlers[operation.id] : undefined;
    if (handler === undefined) {
      throw new OperatorError(`The operation ${operation.id} (${operation.method} ${operation.path}) has no handler.`);
    }
    return {
      id: operation.id,
      changes: !SAFE.has(operation.method),
      authenticate: guard(createAuthenticator(operation, verifiers)),
      validator: createValidator(contract, operation),
      // The compiler has held the handler against the operation's types, and the validator makes requests of that type.
      handle: handler as Mounted['handle'],
    };
  }

  function note(
    outcome: Change['outcome'],
    { id, changes }: Mounted,
    { params }: ValidRequest,
    { locals }: Response,
  ): void {
    if (!changes) return;
    const { requestId, principal } = locals as { requestId: string; principal: Principal | undefined };
    onChange({ outcome, operation: id, params, principal, requestId });
  }

  /** Goes on with a request whose sender is known. */
  function proceed(
    target: Mounted,
    params: Record<string, string>,
    queryString: string,
    principal: Principal | undefined,
    request: Request,
    response: Response,
  ): Promise<void> {
    response.locals['principal'] = principal;
    const valid = target.validator.request(request, response, params, queryString);
    return valid instanceof Promise
      ? valid.then((read) => carryOut(target, read, response))
      : carryOut(target, valid, response);
  }

  function carryOut(target: Mounted, valid: ValidRequest, response: Response): Promise<void> {
    const finish = (answer: ResponseValue): void => {
      if (answer.status < 300) note('done', target, valid, response);
      target.validator.response(answer);
      respond(response, answer);
    };
    const fail = (error: unknown): never => {
      if (error instanceof StoreError && error.outcome === 'unknown') note('unknown', target, valid, response);
      throw error;
    };
    let answer: ReturnType<AnyHandler>;
    try {
      answer = target.handle(valid);
    } catch (error) {
      return fail(error);
    }
    return Promise.resolve(answer).then(finish, fail);
  }

  return (request, response) => {
    const { url } = request;
    const end = url.indexOf('?');
    const path = end === -1 ? url : url.slice(0, end);
    const queryString = end === -1 ? '' : url.slice(end + 1);
    const { target, params } = match(request.method, path);
    response.locals['operation'] = target.id;
    const principal = target.authenticate(request);
    return principal instanceof Promise
      ? principal.then((found) => proceed(target, params, queryString, found, request, response))
      : proceed(target, params, queryString, principal, request, response);
  };
}
