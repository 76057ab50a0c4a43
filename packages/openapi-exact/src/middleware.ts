import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { BodyLimits } from './bodies/limits.ts';
import { dropRest } from './bodies/receive.ts';
import type { ReceivedBody, ValidRequest } from './bodies/received-body.ts';
import type { Contract, Operation } from './document/load.ts';
import { ErrorResponses, type ErrorBody } from './error-response.ts';
import { ConfigurationError, RequestError } from './errors.ts';
import { HandlerRequest } from './handler-request.ts';
import { Deadlines } from './deadlines.ts';
import { Matcher } from './match.ts';
import { failedPrecondition, respondUnmet, type Conditional } from './preconditions.ts';
import type { ParameterValues } from './parameters/parameters.ts';
import { prepareOperations, type PreparedOperation } from './prepare.ts';
import { discard, isAsyncIterable, respond, type ResponseValue } from './respond.ts';
import { Authentication, type Authenticator, type Guard } from './security/authenticate.ts';
import type { AnyVerifiers, Principal } from './security/verifier.ts';

/** A change made by an operation with an unsafe method, for example for an audit log. */
export interface Change {
  /** 'unknown': the request failed, but may have had its effect. */
  readonly outcome: 'done' | 'unknown';
  /** The operationId. */
  readonly operation: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly principal: Principal | undefined;
  /** What the option `requestId` returned. */
  readonly requestId: string | undefined;
  /** What the handler returned; undefined if the outcome is unknown. */
  readonly response: ResponseValue | undefined;
}

/** A failure, before its response is written. */
export interface Failure {
  /** What was thrown. */
  readonly error: unknown;
  /** What the client is told: `error` itself if it is a {@link RequestError}, else `internal`. */
  readonly refusal: RequestError;
  /** The operationId; undefined if the request matched no operation. */
  readonly operation: string | undefined;
  readonly request: Request;
  readonly response: Response;
}

/** Handlers by operationId, as the middleware calls them. */
export type AnyHandlers = Readonly<Record<string, (request: never) => ResponseValue | Promise<ResponseValue>>>;

/** The checks of operations, by operationId, as the middleware calls them. */
export type AnyChecks = Readonly<
  Record<string, ((request: never) => ResponseValue | undefined | Promise<ResponseValue | undefined>) | undefined>
>;

/** Options of {@link contractMiddleware}. */
export interface MiddlewareOptions {
  readonly contract: Contract;
  /** A handler for each operation, by operationId: `Handlers<operations>`. */
  readonly handlers: AnyHandlers;
  /** A verifier for each security scheme: `Verifiers<securitySchemes>`. */
  readonly verifiers?: AnyVerifiers | undefined;
  /** Request checks for preconditions, by operationId: `Checks<operations>`. */
  readonly checks?: AnyChecks | undefined;
  /** Whether a path that the contract does not have goes to `next()`; true by default, else 404. */
  readonly fallthrough?: boolean | undefined;
  /** Makes the bodies of failures; RFC 9457 problem details by default. */
  readonly errorBody?: ErrorBody | undefined;
  /**
   * Is told of each failure before it is answered. A {@link RequestError} that it returns is
   * answered instead. By default, failures of 500 and above are written to standard error.
   */
  readonly onError?: ((failure: Failure) => RequestError | undefined) | undefined;
  /** Receives each change, or possible change, by an operation with an unsafe method. */
  readonly onChange?: ((change: Change) => void) | undefined;
  /** Is told the outcome of each authentication, for example for a rate limit. */
  readonly guard?: Guard | undefined;
  /** The protection space that challenges name; the contract's title by default. */
  readonly realm?: string | undefined;
  /** Limits of request bodies. */
  readonly bodyLimits?: Partial<BodyLimits> | undefined;
  /** Names a request for the header X-Request-Id and for `onChange`; by default it has no id. */
  readonly requestId?: ((request: IncomingMessage, response: Response) => string) | undefined;
  /**
   * How long a handler may take to return its response, in milliseconds, or a function of the
   * operationId; 60,000 by default, Infinity for no limit.
   */
  readonly timeout?: number | ((operation: string) => number) | undefined;
  /**
   * Whether the middleware sends `100 Continue` when it reads a body, so that headers alone can
   * refuse one. For servers whose listener for `checkContinue` is the application: any other server
   * of Node.js has sent it before. False by default.
   */
  readonly sendsContinue?: boolean | undefined;
}

/** An operation with its handler and authenticator. */
interface MountedOperation extends Conditional, PreparedOperation {
  readonly id: string;
  readonly isSafe: boolean;
  readonly authenticate: Authenticator;
  /** In milliseconds. */
  readonly timeout: number;
}

/** Safe methods (RFC 9110, section 9.2.1). */
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

const TIMEOUT = 60_000;

/**
 * Creates an Express middleware that serves a contract. It sets `operation` and `principal` in
 * `response.locals`.
 * @throws ContractError for places that cannot be served, ConfigurationError for handlers,
 * verifiers or error bodies that do not fit the contract.
 * @example
 * const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 * app.use(await contractMiddleware({ contract, handlers, verifiers }));
 */
export async function contractMiddleware(options: MiddlewareOptions): Promise<RequestHandler> {
  const { contract, bodyLimits, sendsContinue = false } = options;
  const prepared = await prepareOperations(contract, bodyLimits, sendsContinue);
  const operations = mountOperations(options, prepared);
  const errors = new ErrorResponses(contract, options.errorBody);
  await errors.requireFit(prepared);
  const lifecycle = new RequestLifecycle(options, operations, errors);
  return (request, response, next) => lifecycle.answer(request, response, next);
}

/** @throws ConfigurationError for a handler or verifier that is missing, and a needless handler. */
function mountOperations(
  { contract, handlers, checks = {}, verifiers = {}, realm, guard, timeout = TIMEOUT }: MiddlewareOptions,
  prepared: readonly PreparedOperation[],
): ReadonlyMap<Operation, MountedOperation> {
  const authentication = new Authentication(contract, verifiers, { realm, guard });
  requireOperations(contract, [...Object.keys(handlers), ...Object.keys(checks)]);
  const mounted = new Map<Operation, MountedOperation>();
  for (const preparedOperation of prepared) {
    const { operation } = preparedOperation;
    mounted.set(operation, {
      ...preparedOperation,
      id: operation.id,
      method: operation.method,
      ownHeaders: headerNames(operation),
      isSafe: SAFE_METHODS.includes(operation.method),
      authenticate: authentication.of(operation),
      timeout: typeof timeout === 'number' ? timeout : timeout(operation.id),
      handle: handlerOf(operation, handlers),
      // The compiler has checked it against the operation's types, like the handler.
      check: (Object.hasOwn(checks, operation.id) ? checks[operation.id] : undefined) as MountedOperation['check'],
    });
  }
  return mounted;
}

/** @throws ConfigurationError for a handler that belongs to no operation. */
function requireOperations({ operations }: Contract, names: readonly string[]): void {
  const ids = new Set(operations.map(({ id }) => id));
  const unknown = names.find((name) => !ids.has(name));
  if (unknown === undefined) return;
  throw new ConfigurationError(`The handler '${unknown}' belongs to no operation of the contract.`);
}

function handlerOf({ id, method, path }: Operation, handlers: AnyHandlers): MountedOperation['handle'] {
  const handler = Object.hasOwn(handlers, id) ? handlers[id] : undefined;
  if (handler === undefined) throw new ConfigurationError(`The operation ${id} (${method} ${path}) has no handler.`);
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
class RequestLifecycle {
  readonly #options: MiddlewareOptions;
  readonly #matcher: Matcher<MountedOperation>;
  /** Without the base paths of the contract's servers: the mount path stands in for them. */
  readonly #mountedMatcher: Matcher<MountedOperation>;
  readonly #errors: ErrorResponses;
  readonly #deadlines = new Deadlines();

  constructor(
    options: MiddlewareOptions,
    operations: ReadonlyMap<Operation, MountedOperation>,
    errors: ErrorResponses,
  ) {
    this.#options = options;
    this.#matcher = new Matcher(operations);
    this.#mountedMatcher = new Matcher(operations, false);
    this.#errors = errors;
  }

  /** Runs the six steps. Failures are thrown, and answered in one place. */
  async answer(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { requestId, fallthrough = true } = this.#options;
    const exchange = new Exchange(request, response);
    try {
      if (requestId !== undefined) response.locals['requestId'] = requestId(request, response);
      await this.#answer(exchange);
    } catch (error) {
      if (fallthrough && error instanceof RequestError && error.reason === 'unknownPath') next();
      else if (!exchange.isOver(error)) await this.#fail(error, exchange);
    }
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const [path, wholeQuery] = split(request.url);
    const matcher = request.baseUrl === '' ? this.#matcher : this.#mountedMatcher;
    const { target: operation, params, query, allow } = matcher.match(request.method, path, wholeQuery);
    if (operation === undefined) {
      await respond(response, { status: 204, headers: { Allow: allow } });
      return;
    }
    exchange.operation = operation;
    response.locals['operation'] = operation.id;

    const principal = await operation.authenticate(request);
    response.locals['principal'] = principal;

    const values = operation.parameters.read(params, query, request);
    if (!operation.validator.isCompiled) await operation.validator.compile();
    const { valid, finish } = await receive(operation, values, exchange);

    const accepts = operation.representations.accepted(request, response);
    let value = await this.#handle(operation, new HandlerRequest(valid, accepts, principal, response), exchange);

    // A stream that fails before it is read fails the response, not the process.
    if (value.body instanceof Readable) value.body.on('error', () => undefined);
    try {
      value = operation.representations.represent(value, request, response);
      operation.validator.response(value);
      if (value.status < 400 && finish !== undefined) await finish(isAsyncIterable(value.body));
    } catch (error) {
      discard(value);
      throw error;
    }
    // It may come after the time was up.
    if (response.headersSent) discard(value);
    else await respond(response, value);
  }

  /** Calls the handler, if the preconditions hold, and reports the change. */
  async #handle(operation: MountedOperation, handled: HandlerRequest, exchange: Exchange): Promise<ResponseValue> {
    const failure = failedPrecondition(operation, exchange.request.headers);
    exchange.handled = handled;
    const deadline = this.#deadlines.begin(operation.timeout, () => {
      handled.expire();
      exchange.isTimedOut = true;
      void this.#fail(new Error('The handler has not answered in time.'), exchange);
    });
    try {
      const value = await (failure === undefined
        ? operation.handle(handled)
        : respondUnmet(operation, handled, failure));
      if (value.status < 300) this.#report('done', exchange, value);
      return value;
    } finally {
      deadline.end();
    }
  }

  /** Answers a failure: the one place that turns what was thrown into a response. */
  async #fail(error: unknown, exchange: Exchange): Promise<void> {
    const { request, response, operation } = exchange;
    const refusal = error instanceof RequestError ? error : internal(error);
    const failure = { error, refusal, operation: operation?.id, request, response };
    const { onError = printError } = this.#options;
    const answered = onError(failure) ?? refusal;
    if (answered.outcome === 'unknown') this.#report('unknown', exchange);
    dropRest(request);
    // A head that could not be written leaves its reason phrase.
    response.statusMessage = '';
    if (response.headersSent) {
      response.destroy();
      return;
    }
    try {
      await this.#errors.respond(response, answered, operation?.operation);
    } catch (cause) {
      // The failure of the author's function for error bodies.
      onError({ ...failure, error: cause });
      await respond(response, { status: answered.status, headers: answered.headers });
    }
  }

  #report(outcome: Change['outcome'], { operation, handled, response }: Exchange, value?: ResponseValue): void {
    if (operation === undefined || operation.isSafe || handled === undefined) return;
    const { params, principal } = handled;
    const { requestId } = response.locals as { requestId?: string };
    this.#options.onChange?.({ outcome, operation: operation.id, params, principal, requestId, response: value });
  }
}

/** Reads and validates a request's body with its parameters, and keeps no value of before. */
async function receive(
  { requestBody, validator }: MountedOperation,
  values: ParameterValues,
  { request, response }: Exchange,
): Promise<{ readonly valid: ValidRequest; readonly finish: ReceivedBody['finish'] }> {
  const body = await requestBody.receive(request, response, (name, value) => validator.request(values, name, value));
  const { schemaName, value, contentType, content, finish } = body;
  const valid = validator.request(values, schemaName, value);
  return { valid: { ...valid, contentType, body: content ?? valid.body }, finish };
}

/** A request with its response, and what is known of it so far. */
class Exchange {
  readonly request: Request;
  readonly response: Response;
  operation: MountedOperation | undefined;
  /** What the handler was given. */
  handled: HandlerRequest | undefined;
  isTimedOut = false;

  constructor(request: Request, response: Response) {
    this.request = request;
    this.response = response;
  }

  /** True for a failure of a request that was answered already, or whose client has left. */
  isOver(error: unknown): boolean {
    return this.isTimedOut || this.handled?.isEndedBy(error) === true;
  }
}

function internal(cause: unknown): RequestError {
  return new RequestError('internal', 'The service failed unexpectedly. The failure has been logged.', { cause });
}

function printError({ error, refusal }: Failure): undefined {
  if (refusal.status >= 500) console.error(error);
}

/** The path and the query of a request target in origin form. */
function split(url: string): [string, string] {
  const end = url.indexOf('?');
  return end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end + 1)];
}
