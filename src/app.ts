import express, { type Express, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import type { Answered } from './http/answered.ts';
import { arrivalOf } from './http/arrived-message.ts';
import { ErrorResponses, type MakeErrorBody } from '../packages/openapi-exact/src/error-response.ts';
import { mountContract, type Bindings } from '../packages/openapi-exact/src/middleware.ts';
import { respond, respondWithError } from '../packages/openapi-exact/src/respond.ts';
import { ResponseError } from '../packages/openapi-exact/src/response-error.ts';
import type { Docs } from './docs/docs.ts';
import { OverloadError, RequestError, StoreError, type ErrorName } from './errors.ts';
import { isPreflight, type SetCorsHeaders } from './http/cors.ts';
import { overloaded } from './http/refusals.ts';
import { FailureLog } from './logging/failure-log.ts';
import { refusedLog } from './logging/refused-log.ts';
import { logRequests } from './logging/request-log.ts';
import { requireUnambiguous } from './http/unambiguous.ts';

/** The parts of the application. */
export interface Dependencies extends Bindings {
  readonly log: Logger;
  /** Writes errors in the form of the contract; the plant store's `Error` object by default. */
  readonly errorBody?: MakeErrorBody;
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
 * Composes the application: log, refuse ambiguous requests, answer from the contract, answer
 * failures.
 * @throws OperatorError when contract, handlers and verifiers do not fit together.
 */
export async function createApp(dependencies: Dependencies): Promise<Express> {
  const { contract, log, errorBody, onAnswer, trustProxy = 0, docs, cors } = dependencies;
  const operations = await mountContract(dependencies);
  const logRequest = logRequests(log, arrivalOf);
  const failures = new Failures(log, new ErrorResponses(contract, errorBody), docs?.unknownPath);

  function onTimeout(this: Response): void {
    // The client is late, not the handler.
    if (this.headersSent || !this.req.complete) this.destroy();
    else void failures.answer(new Error('The handler has not answered in time.'), this);
  }

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  // A single middleware, since each further one costs time per request.
  app.use(async (request, response) => {
    logRequest(request, response);
    response.on('timeout', onTimeout);
    let reason: ErrorName | undefined;
    let docsPath: string | undefined;
    try {
      cors?.(request, response);
      requireUnambiguous(request);
      docsPath = docs?.pathOf(request.url);
      // Browsers send preflights without credentials, and for any method of any path.
      if (cors !== undefined && isPreflight(request)) await respond(response, { status: 204 });
      else if (docs === undefined || docsPath === undefined) await operations.answer(request, response);
      else await docs.answer(docsPath, request, response);
    } catch (error) {
      reason = await failures.answer(error, response);
    }
    onAnswer?.(answered(request, response, reason, docsPath));
  });
  return app;
}

function answered(
  request: Request,
  response: Response,
  reason: ErrorName | undefined,
  docsPath: string | undefined,
): Answered {
  const { operation = docsPath && 'docs' } = response.locals as { operation?: string };
  const seconds = (performance.now() - arrivalOf(request)) / 1000;
  return { operation, status: response.statusCode, seconds, reason };
}

/**
 * The one place that turns failures into responses. The client gets the cause below 500 only; the
 * log gets it always.
 */
class Failures {
  readonly #failures: FailureLog;
  readonly #responses: ErrorResponses;
  readonly #noteOverload: () => void;
  readonly #unknownPath: RequestError | undefined;
  readonly #noteAttempt: () => void;

  /** @param unknownPath replaces the engine's answer to an unknown path. */
  constructor(log: Logger, responses: ErrorResponses, unknownPath: RequestError | undefined) {
    this.#failures = new FailureLog(log);
    this.#responses = responses;
    this.#unknownPath = unknownPath;
    this.#noteOverload = refusedLog(log, 'error', 'overloaded: requests rejected');
    this.#noteAttempt = refusedLog(log, 'warn', 'too many failed authentications: requests rejected');
  }

  /** @returns the name of the error in the response. */
  async answer(thrown: unknown, response: Response): Promise<ErrorName> {
    const failure = asRequestError(thrown);
    const error = failure.reason === 'unknownPath' ? (this.#unknownPath ?? failure) : failure;
    if (this.#isCounted(error, thrown, response)) response.locals['isCounted'] = true;
    // A head that could not be written leaves its reason phrase.
    response.statusMessage = '';
    if (response.headersSent) response.destroy();
    else await this.#respond(error, response);
    return error.reason;
  }

  async #respond(error: RequestError, response: Response): Promise<void> {
    try {
      await this.#responses.respond(response, error);
    } catch (cause) {
      // The failure of the author's function for error bodies.
      this.#note(cause, error, response);
      respondWithError(response, error);
    }
  }

  /** Logs a failure. @returns true if another line counts it, so that it needs no line itself. */
  #isCounted(error: RequestError, thrown: unknown, response: Response): boolean {
    if (error.reason === 'overloaded') this.#noteOverload();
    else if (error.reason === 'tooManyFailures') this.#noteAttempt();
    else return error.status >= 500 && !this.#note(thrown, error, response);
    return true;
  }

  #note(thrown: unknown, error: RequestError, response: Response): boolean {
    const { requestId, operation } = response.locals as Record<string, unknown>;
    const { status, schemaPath } = thrown instanceof ResponseError ? thrown : { status: error.status };
    return this.#failures.note(thrown, error.message, { requestId, operation, status, schemaPath });
  }
}

function asRequestError(cause: unknown): RequestError {
  if (cause instanceof RequestError) return cause;
  if (cause instanceof OverloadError) return overloaded(cause);
  if (cause instanceof StoreError) {
    const headers = { 'Retry-After': '1' };
    return cause.outcome === 'nothing done'
      ? new RequestError(
          'storeUnavailable',
          'The store is unavailable and nothing was done. Repeat the request after the seconds in Retry-After.',
          { headers, cause },
        )
      : new RequestError(
          'outcomeUnknown',
          'The store failed at the commit, so the outcome is unknown. It is safe to repeat the request.',
          { headers, cause },
        );
  }
  return new RequestError('internal', 'The service failed unexpectedly. The failure has been logged.', { cause });
}
