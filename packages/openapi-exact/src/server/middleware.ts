import { AsyncResource } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { CLOSE } from '../bodies/body-refusals.ts';
import type { SharedIterator } from '../bodies/shared-iterator.ts';
import type { RequestMemory } from '../bodies/request-memory.ts';
import type { ReceivedBody, ValidRequest } from '../bodies/received-body.ts';
import type { Operation } from '../document/read-contract.ts';
import { requireErrorBodies } from './error-body-fit.ts';
import { ErrorResponses } from './error-response.ts';
import { asHeaderValue, InvalidRequestError, RequestError } from '../errors/errors.ts';
import { Gathering } from './gathering.ts';
import { HandlerRequest } from './handler-request.ts';
import { Deadlines, type Deadline } from './deadlines.ts';
import { Matcher } from './match.ts';
import { mountOperations, type MountedOperation } from './mounted-operations.ts';
import type { Change, CompleteOptions, Failure, MiddlewareOptions } from './options.ts';
import { answeredFailures, ownFailure } from './own-failures.ts';
import { pathAndQuery } from './request-target.ts';
import { failedPrecondition, respondUnmet } from './preconditions.ts';
import type { ReadParameters } from '../parameters/parameters.ts';
import { prepareOperations } from './prepare.ts';
import { printAll } from './print-failure.ts';
import { completeOptions } from './require-options.ts';
import { readResponse } from '../response/read-response.ts';
import { discard, isAsyncIterable, respond, type ResponseValue } from '../response/respond.ts';
import { passOn } from './validated.ts';
import { closeIfCrowded } from './waiting-requests.ts';

/**
 * Creates an Express middleware that serves a contract. It sets `operation` and `principal` in
 * `response.locals`.
 * @throws ContractError for places that cannot be served, ConfigurationError for options that are
 * not what they must be, or handlers, verifiers or error bodies that do not fit the contract.
 * @example
 * const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
 * app.use(await contractMiddleware({ contract, handlers, verifiers }));
 */
export async function contractMiddleware(options: MiddlewareOptions): Promise<RequestHandler> {
  const complete = completeOptions(options);
  const { contract, errorBody } = complete;
  const { prepared, forms } = await prepareOperations(complete);
  const operations = mountOperations(complete, prepared);
  await requireErrorBodies(contract, forms, errorBody, failuresOf(operations));
  const errors = new ErrorResponses(forms, errorBody);
  const lifecycle = new RequestLifecycle(complete, operations, errors);
  return (request, response, next) => lifecycle.runLifecycle(request, response, next);
}

/** The failures that are answered for an operation itself, by its way of being handled. */
function failuresOf(operations: ReadonlyMap<Operation, MountedOperation>): typeof answeredFailures {
  return (operation) => [
    ...answeredFailures(operation),
    ...(operations.get(operation)?.handling === 'notImplemented' ? [ownFailure('notImplemented')] : []),
  ];
}

/** Answers the requests for the operations of a contract. */
class RequestLifecycle {
  readonly #options: CompleteOptions;
  readonly #matcher: Matcher<MountedOperation>;
  /** Without the base paths of the contract's servers: the mount path replaces them. */
  readonly #mountedMatcher: Matcher<MountedOperation>;
  readonly #errors: ErrorResponses;
  /** Requests that have arrived. */
  readonly #arrived = new Gathering('iteration');
  /** Requests whose responses are ready to be written. */
  readonly #answered = new Gathering('task');
  readonly #deadlines = new Deadlines<Exchange>((exchange) => {
    exchange.context.runInAsyncScope(() => {
      this.#timeOut(exchange);
    });
  });

  constructor(options: CompleteOptions, operations: ReadonlyMap<Operation, MountedOperation>, errors: ErrorResponses) {
    this.#options = options;
    this.#matcher = new Matcher(operations);
    this.#mountedMatcher = new Matcher(operations, false);
    this.#errors = errors;
  }

  /** Runs the six steps. Failures are thrown, and answered in one place. */
  async runLifecycle(request: Request, response: Response, next: NextFunction): Promise<void> {
    // Before matching: what matches nothing counts among the pipelined requests like any other.
    if (closeIfCrowded(request, response)) return;
    // V8 walks the stack for each refusal that is thrown, too: without the callers it is short.
    await this.#arrived.join();
    const { requestId, context: createContext } = this.#options;
    const exchange = new Exchange(request, response);
    try {
      if (requestId !== undefined) response.locals['requestId'] = asHeaderValue(requestId(request, response));

      const [path, wholeQuery] = pathAndQuery(request.url);
      const matcher = request.baseUrl === '' ? this.#matcher : this.#mountedMatcher;
      const { target: operation, params, query, allow } = matcher.match(request.method, path, wholeQuery);
      if (operation === undefined) {
        await this.#respond({ status: 204, headers: { Allow: allow } }, exchange);
        return;
      }
      if (operation.handling === 'next') {
        next();
        return;
      }
      exchange.mounted = operation;
      response.locals['operation'] = operation.id;

      const authenticated = operation.authenticate(request);
      const principal = authenticated instanceof Promise ? await authenticated : authenticated;
      response.locals['principal'] = principal;
      if (operation.handling === 'notImplemented') throw notImplemented(operation);
      const context = await createContext?.(request, response, operation.operation);

      const values = operation.parameters.readParameters(params, query, request, exchange);
      if (!operation.schemas.areCompiled) await operation.schemas.compile();
      const { valid, finish } = operation.requestBody.isExpected(request)
        ? await receiveRequest(operation, values, exchange)
        : { valid: operation.requestValidator.validateRequest(values), finish: undefined };

      const accepts = operation.representations.accepted(request, response);
      exchange.handled = new HandlerRequest(valid, accepts, principal, context, response);
      if (operation.handling === 'validated') {
        exchange.keepMemory();
        passOn(request, exchange.handled);
        next();
        return;
      }
      exchange.deadline = this.#deadlines.beginDeadline(operation.timeout, exchange);
      const returned = await callHandler(operation, exchange.handled, request);
      exchange.deadline.end();
      const given = readResponse(operation.id, returned);
      if (given.status < 300) this.#reportChange('done', exchange, given);

      const value = checkedResponse(operation, given, exchange);
      if (value.status < 400 && finish !== undefined) await finishRequest(finish, value);

      await this.#respond(value, exchange);
    } catch (error) {
      exchange.deadline?.end();
      await this.#endFailed(error, exchange, next);
    } finally {
      exchange.memory?.giveBack();
    }
  }

  /** Writes a response, in turn with others that are ready at the same time. */
  async #respond(value: ResponseValue, exchange: Exchange): Promise<void> {
    await this.#answered.join();
    // The time of the handler may be up, and the request answered.
    if (exchange.isTimedOut || exchange.response.headersSent) discard(value);
    else await respond(exchange.response, value);
  }

  /** Passes on a request whose path the contract does not have, and answers any other failure. */
  async #endFailed(error: unknown, exchange: Exchange, next: NextFunction): Promise<void> {
    try {
      const isUnknown = error instanceof RequestError && error.reason === 'unknownPath';
      if (isUnknown && this.#options.fallthrough) next();
      else if (!exchange.isOver(error)) await this.#fail(error, exchange);
    } catch {
      respondBarely(exchange.response);
    }
  }

  /** Answers a request whose handler has not answered in time. */
  #timeOut(exchange: Exchange): void {
    exchange.handled?.endSignal();
    exchange.isTimedOut = true;
    this.#fail(new Error('The handler has not answered in time.'), exchange).catch(() => {
      respondBarely(exchange.response);
    });
  }

  /** Answers a failure: the one place that turns what was thrown into a response. */
  async #fail(thrown: unknown, exchange: Exchange): Promise<void> {
    const error = thrown instanceof InvalidRequestError ? await thrown.allFaults() : thrown;
    const { request, response, mounted } = exchange;
    const refusal = error instanceof RequestError ? error : internal(error);
    const failure = { error, refusal, operation: mounted?.id, request, response };
    const answered = this.#refusalOf(failure);
    // Items before the one that is refused may have had their effect.
    if (answered.outcome === 'unknown' || exchange.items?.hasFailedWith(thrown) === true)
      this.#reportChange('unknown', exchange);
    await this.#answered.join();
    // The head of another response, which could not be written, may have set it.
    response.statusMessage = '';
    if (response.headersSent) {
      if (!response.writableEnded) response.destroy();
      return;
    }
    const closing = exchange.closingHeaders;
    try {
      await this.#errors.sendError(response, answered, mounted?.operation, closing);
    } catch (cause) {
      // The failure of the author's function for error bodies.
      this.#refusalOf({ ...failure, error: cause });
      await respond(response, { status: answered.status, headers: { ...answered.headers, ...closing } });
    }
  }

  /** The error to answer. A failure of `onError` itself is printed, and changes nothing. */
  #refusalOf(failure: Failure): RequestError {
    const { onError } = this.#options;
    try {
      const replaced: unknown = onError(failure) ?? failure.refusal;
      if (replaced instanceof RequestError) return replaced;
      onRejection(replaced, (cause) => {
        printAll(failure.error, cause);
      });
      throw new TypeError('The option onError must return a RequestError or undefined, and no promise.');
    } catch (cause) {
      printAll(failure.error, cause);
      return failure.refusal;
    }
  }

  /** A failure of `onChange` goes to `onError`, and changes nothing: the change was made. */
  #reportChange(outcome: Change['outcome'], exchange: Exchange, value?: ResponseValue): void {
    const { mounted: operation, handled, request, response } = exchange;
    if (operation === undefined || operation.isSafe || handled === undefined) return;
    const { params, query, body, principal } = handled;
    const { requestId } = response.locals as { requestId?: string };
    const fail = (error: unknown): void => {
      this.#refusalOf({ error, refusal: internal(error), operation: operation.id, request, response });
    };
    try {
      const changed = { operation: operation.id, params, query, body, principal, requestId };
      onRejection(this.#options.onChange?.({ outcome, ...changed, response: value }), fail);
    } catch (error) {
      fail(error);
    }
  }
}

/** Calls the handler, if the preconditions hold. */
function callHandler(
  operation: MountedOperation,
  handled: HandlerRequest,
  { headers }: Request,
): ReturnType<MountedOperation['handle']> {
  const failure = failedPrecondition(operation, headers);
  return failure === undefined ? operation.handle(handled) : respondUnmet(operation, handled, failure);
}

/** Handles the rejection of what may be a promise, which would end the process. */
function onRejection(value: unknown, handle: (error: unknown) => void): void {
  if (typeof value === 'object' && value !== null) void Promise.resolve(value).catch(handle);
}

/** Reads a request's body and validates it together with the parameters. */
async function receiveRequest(
  { requestBody, requestValidator, keepsBytes }: MountedOperation,
  values: ReadParameters,
  exchange: Exchange,
): Promise<{ readonly valid: ValidRequest; readonly finish: ReceivedBody['finish'] }> {
  let checked: ValidRequest | undefined;
  const body = await requestBody.receiveBody(exchange, (name, part, partCount, placeInBody) => {
    if (checked !== undefined) return requestValidator.validatePart(checked, name, part, partCount, placeInBody);
    return (checked = requestValidator.validateRequest(values, name, part, partCount));
  });
  const { schemaName, value, count, contentType, content, items, finish, bytes } = body;
  exchange.items = items;
  const valid =
    checked === undefined
      ? requestValidator.validateRequest(values, schemaName, value, count)
      : requestValidator.validatePart(checked, schemaName, value, count);
  checked = valid;
  const kept = keepsBytes && bytes !== undefined ? Buffer.from(bytes) : undefined;
  return { valid: { ...valid, contentType, body: content ?? valid.body, bytes: kept }, finish };
}

/**
 * The handler's response as sent, checked against the contract.
 * @throws InvalidResponseError for a response that the contract does not describe.
 */
function checkedResponse(
  { representations, responseValidator }: MountedOperation,
  given: ResponseValue,
  { request, response }: Exchange,
): ResponseValue {
  // A stream that fails before it is read fails the response, not the process.
  if (given.body instanceof Readable) given.body.on('error', () => undefined);
  try {
    return responseValidator.validateResponse(
      representations.represent(responseValidator.withEncodedHeaders(given), request, response),
    );
  } catch (error) {
    discard(given);
    throw error;
  }
}

/** Reads the rest of the request. @throws its failure, after which the response is discarded. */
async function finishRequest(finish: NonNullable<ReceivedBody['finish']>, value: ResponseValue): Promise<void> {
  try {
    await finish(isAsyncIterable(value.body));
  } catch (error) {
    discard(value);
    throw error;
  }
}

/** A request with its response, and what is known of it so far. */
class Exchange {
  readonly request: Request;
  readonly response: Response;
  /** What an `AsyncLocalStorage` holds for it, which the timer of a deadline does not know. */
  readonly context = new AsyncResource('openapi-exact.Request');
  mounted: MountedOperation | undefined;
  /** What the handler was given. */
  handled: HandlerRequest | undefined;
  /** That of the handler. */
  deadline: Deadline<Exchange> | undefined;
  /** The memory of its body and parameters. */
  memory: RequestMemory | undefined;
  /** The items of its body. */
  items: SharedIterator<unknown> | undefined;
  isTimedOut = false;

  constructor(request: Request, response: Response) {
    this.request = request;
    this.response = response;
  }

  /** Closes the connection behind a failure: a stream of items may have no end. */
  get closingHeaders(): Readonly<Record<string, string>> {
    return this.items === undefined || this.request.complete ? {} : CLOSE;
  }

  /** Takes memory for values of the parameters. @throws RequestError overloaded. */
  addValues(values: number): void {
    this.mounted?.requestBody.memoryOf(this).addValues(values);
  }

  /** Keeps the memory until the request closes: a route behind may read the rest of the body. */
  keepMemory(): void {
    const { memory, request } = this;
    this.memory = undefined;
    if (memory === undefined) return;
    if (request.closed) memory.giveBack();
    else
      request.once('close', () => {
        memory.giveBack();
      });
  }

  /** True for a failure of a request that was answered already, or whose client has left. */
  isOver(error: unknown): boolean {
    return this.isTimedOut || this.handled?.isEndedBy(error) === true;
  }
}

function notImplemented({ id }: MountedOperation): RequestError {
  return new RequestError('notImplemented', `The operation ${id} is not implemented yet.`);
}

function internal(cause: unknown): RequestError {
  return new RequestError('internal', 'The service failed unexpectedly. The failure has been logged.', { cause });
}

/**
 * The last resort for a failure that cannot be answered, such as an error that throws when it is
 * read.
 */
function respondBarely(response: Response): void {
  console.error('A request has failed, and so has the answer to its failure.');
  try {
    if (response.headersSent) response.destroy();
    else void respond(response, { status: 500 });
  } catch {
    // Another middleware may have set a header that Node.js cannot send.
    response.destroy();
  }
}
