import express, { type Express, type Response } from 'express';
import type { Logger } from 'pino';
import { arrivalOf, type Answered } from './answered.ts';
import type { Authenticator, Verifier } from './contract/authenticate.ts';
import type { Contract } from './contract/document/load.ts';
import { mountContract, type AnyHandler, type Change } from './contract/mount.ts';
import { respondWithError } from './contract/respond.ts';
import type { Docs } from './docs/docs.ts';
import { OverloadError, RequestError, StoreError, type ErrorName } from './errors.ts';
import { overloadLog } from './overload-log.ts';
import { overloaded } from './refusals.ts';
import { logRequests } from './request-log.ts';
import { requireUnambiguous } from './unambiguous.ts';

/** What the application is made of. */
export interface Dependencies {
  readonly contract: Contract;
  /** A handler for each operation, by operationId; `Handlers` in contract/types.ts is the exact type of a contract's. */
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Verifies credentials, by the name of the security scheme in the contract. */
  readonly verifiers: Readonly<Record<string, Verifier>>;
  /** Is put around the authentication of each operation. */
  readonly guard?: (authenticate: Authenticator) => Authenticator;
  readonly log: Logger;
  /** Is told what was changed, by whom. */
  readonly onChange?: (change: Change) => void;
  /** Is told of each answer. */
  readonly onAnswer?: (answer: Answered) => void;
  /** The proxies whose X-Forwarded-For is believed: how many there are, or their addresses; none by default. */
  readonly trustProxy?: number | readonly string[];
  /** The API reference; none by default. */
  readonly docs?: Docs | undefined;
}

/**
 * Composes the way of a request: log, refuse what is ambiguous, answer from the contract, answer failures.
 * @throws OperatorError when contract, handlers and verifiers do not fit together.
 */
export async function createApp(dependencies: Dependencies): Promise<Express> {
  const {
    contract,
    handlers,
    verifiers,
    guard,
    log,
    onChange = ignore,
    onAnswer = ignore,
    trustProxy = 0,
    docs,
  } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  const begin = logRequests(log);
  const noteOverload = overloadLog(log);
  const answer = await mountContract(contract, handlers, verifiers, onChange, guard);
  // One middleware: Express takes a microsecond from each to the next.
  app.use((request, response) => {
    begin(request, response);
    const tell = (reason?: ErrorName): void => {
      const { operation } = response.locals as { operation?: string };
      const seconds = (performance.now() - arrivalOf(request)) / 1000;
      onAnswer({ operation, status: response.statusCode, seconds, reason });
    };
    const fail = (thrown: unknown): void => {
      const failure = asRequestError(thrown);
      if (failure.reason === 'overloaded') noteOverload();
      answerFailure(log, thrown, failure, response);
      tell(failure.reason);
    };
    try {
      requireUnambiguous(request);
      const docsPath = docs?.pathOf(request.url);
      const answered =
        docs === undefined || docsPath === undefined
          ? answer(request, response)
          : docs.answer(docsPath, request, response);
      // No async function here, in mount.ts and in the handler of deletes: the three took 5 % of a delete's processor time.
      answered.then(() => {
        tell();
      }, fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
  return app;
}

function ignore(): void {}

/** The one place where failures become answers. The client reads the cause below 500 only; the log has all of it. */
function answerFailure(log: Logger, thrown: unknown, error: RequestError, response: Response): void {
  if (error.status >= 500 && error.reason !== 'overloaded') {
    log.error({ err: thrown, requestId: response.locals['requestId'] as unknown }, error.message);
  }
  if (response.headersSent) response.destroy();
  else respondWithError(response, error);
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
