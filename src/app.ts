import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import {
  contractMiddleware,
  RequestError,
  InvalidResponseError,
  type Failure,
  type MiddlewareOptions,
} from 'openapi-exact';
import type { Logger } from 'pino';
import type { Docs } from './docs.ts';
import { errorBody, OverloadError, ServiceError, StoreError } from './errors.ts';
import type { Answered } from './http/answered.ts';
import { arrivalOf } from './http/arrived-message.ts';
import { isPreflight, type SetCorsHeaders } from './http/cors.ts';
import { respondWithError } from './http/error-response.ts';
import { LIMITS } from './http/limits.ts';
import { serviceOverloaded } from './http/refusals.ts';
import { SECURITY_HEADERS } from './http/security-headers.ts';
import { requireUnambiguous } from './http/unambiguous.ts';
import { FailureLog } from './logging/failure-log.ts';
import { localsOf } from './logging/locals.ts';
import { refusedLog } from './logging/refused-log.ts';
import { logRequests } from './logging/request-log.ts';

/** What the service binds to its contract. */
type Bindings = Pick<
  MiddlewareOptions,
  'contract' | 'handlers' | 'checks' | 'verifiers' | 'guard' | 'realm' | 'onChange'
>;

/** The parts of the application. */
export interface Dependencies extends Bindings {
  readonly log: Logger;
  /** Receives the outcome of each request. */
  readonly onAnswer?: (answer: Answered) => void;
  /** Trusted proxies for X-Forwarded-For: their number, or their addresses; none by default. */
  readonly trustProxy?: number | readonly string[];
  /** The API reference; none by default. */
  readonly docs?: Docs | undefined;
  /** Lets pages of other origins call the service; none by default. */
  readonly cors?: SetCorsHeaders | undefined;
}

/**
 * Composes the application: log, refuse ambiguous requests, serve the API reference and the
 * contract.
 * @throws ContractError, ConfigurationError or OperatorError when its parts do not fit together.
 */
export async function createApp(dependencies: Dependencies): Promise<Express> {
  const { log, trustProxy = 0, docs, contract, handlers, checks, verifiers, guard, realm, onChange } = dependencies;
  const failures = new Failures(log, docs?.unknownPath);
  const serveContract = await contractMiddleware({
    contract,
    handlers,
    checks,
    verifiers,
    guard,
    realm,
    onChange,
    fallthrough: false,
    sendsContinue: true,
    timeout: LIMITS.handlerTimeout,
    requestId: (_request, response) => localsOf(response).requestId,
    errorBody: (error) => ({ contentType: 'application/json', body: errorBody(error) }),
    onError: failures.note.bind(failures),
  });
  const application = new Application(dependencies, failures, serveContract);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  // A single middleware, since each further one costs time per request.
  app.use(application.serve.bind(application));
  // Only requests for the API reference come this far.
  if (docs !== undefined) app.use(docs.router);
  app.use(application.respondToFailure.bind(application));
  return app;
}

/** Answers every request. */
class Application {
  readonly #dependencies: Dependencies;
  readonly #failures: Failures;
  readonly #serveContract: RequestHandler;
  readonly #logRequest: ReturnType<typeof logRequests>;

  constructor(dependencies: Dependencies, failures: Failures, serveContract: RequestHandler) {
    this.#dependencies = dependencies;
    this.#failures = failures;
    this.#serveContract = serveContract;
    this.#logRequest = logRequests(dependencies.log, arrivalOf);
  }

  /** Returns nothing to Express, which would wait for a promise too. */
  serve(request: Request, response: Response, next: NextFunction): void {
    void this.#serve(request, response, next);
  }

  async #serve(request: Request, response: Response, next: NextFunction): Promise<void> {
    const { cors, docs, onAnswer } = this.#dependencies;
    this.#logRequest(request, response);
    try {
      cors?.(request, response);
      requireUnambiguous(request);
      // Browsers send preflights without credentials, and for any method of any path.
      if (cors !== undefined && isPreflight(request)) this.#allow(response);
      else if (docs?.isFor(request.url) === true) {
        response.set('X-Request-Id', localsOf(response).requestId);
        response.once('close', () => onAnswer?.(answered(request, response, 'docs')));
        next();
        return;
      } else await this.#serveContract(request, response, next);
    } catch (error) {
      this.#respondToFailure(error, request, response);
    }
    onAnswer?.(answered(request, response));
  }

  /** Answers a preflight, whose CORS headers are set. */
  #allow(response: Response): void {
    response
      .set({ ...SECURITY_HEADERS, 'X-Request-Id': localsOf(response).requestId })
      .status(204)
      .end();
  }

  /** Answers a failure of the API reference, as Express calls it. */
  respondToFailure(error: unknown, request: Request, response: Response, _next: NextFunction): void {
    this.#respondToFailure(error, request, response);
  }

  /** Answers a failure outside the contract. */
  #respondToFailure(error: unknown, request: Request, response: Response): void {
    const unexpected = new ServiceError('internal', 'The service failed unexpectedly. The failure has been logged.');
    const refusal = error instanceof RequestError ? error : unexpected;
    this.#failures.note({ error, refusal, operation: undefined, request, response });
    if (response.headersSent) response.destroy();
    else respondWithError(response, refusal, localsOf(response).requestId);
  }
}

/** @param area what answered, where that was no operation. */
function answered(request: Request, response: Response, area?: 'docs'): Answered {
  const { operation = area, reason } = localsOf(response);
  const seconds = (performance.now() - arrivalOf(request)) / 1000;
  return { operation, status: response.statusCode, seconds, reason };
}

/** Logs failures, and says what those of the stores mean for clients. */
class Failures {
  readonly #log: FailureLog;
  readonly #noteOverload: () => void;
  readonly #noteAttempt: () => void;
  readonly #unknownPath: RequestError | undefined;

  /** @param unknownPath replaces openapi-exact's answer to an unknown path. */
  constructor(log: Logger, unknownPath: RequestError | undefined) {
    this.#log = new FailureLog(log);
    this.#noteOverload = refusedLog(log, 'error', 'overloaded: requests rejected');
    this.#noteAttempt = refusedLog(log, 'warn', 'too many failed authentications: requests rejected');
    this.#unknownPath = unknownPath;
  }

  /** @returns what is answered. */
  note({ error, refusal, operation, response }: Failure): RequestError {
    const answer = refusal.reason === 'unknownPath' ? (this.#unknownPath ?? refusal) : (storeFailure(error) ?? refusal);
    const locals = localsOf(response);
    locals.reason = answer.reason;
    if (answer.reason === 'overloaded') this.#noteOverload();
    else if (answer.reason === 'tooManyFailures') this.#noteAttempt();
    else if (answer.status < 500) return answer;
    else {
      const { status, schemaPath } = error instanceof InvalidResponseError ? error : { status: answer.status };
      const fields = { requestId: locals.requestId, operation, status, schemaPath };
      if (this.#log.note(error, answer.message, fields)) return answer;
    }
    locals.isCounted = true;
    return answer;
  }
}

/** What the failure of a store means for the client; undefined for other failures. */
function storeFailure(error: unknown): RequestError | undefined {
  if (error instanceof OverloadError) return serviceOverloaded(error);
  if (!(error instanceof StoreError)) return undefined;
  const options = { headers: { 'Retry-After': '1' }, cause: error, outcome: error.outcome };
  return error.outcome === 'nothing done'
    ? new ServiceError(
        'storeUnavailable',
        'The store is unavailable and nothing was done. Repeat the request after the seconds in Retry-After.',
        options,
      )
    : new ServiceError(
        'outcomeUnknown',
        'The store failed at the commit, so the outcome is unknown. It is safe to repeat the request.',
        options,
      );
}
