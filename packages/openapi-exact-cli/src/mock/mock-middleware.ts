import { Router, type RequestHandler } from 'express';
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ConfigurationError,
  contractMiddleware,
  type Contract,
  type ErrorBody,
  type MiddlewareOptions,
  type Principal,
} from 'openapi-exact';
import { apiReference } from 'openapi-exact-reference';
import { handlerValue } from '../examples/example-handlers.ts';
import { MockResponses, type Accepting } from './mock-handlers.ts';
import { preferenceOf } from './preference.ts';

const CLIENT: Principal = { name: 'client of the mock' };

/**
 * Serves each operation of a contract with its examples, and the API reference at /docs. Requests
 * and responses are checked as in production; credentials must be there, and any are accepted.
 * @throws ConfigurationError for a contract that cannot be served.
 */
export async function mockMiddleware(contract: Contract): Promise<Router> {
  const mock = new MockResponses(contract);
  const prefer = new AsyncLocalStorage<string>();
  const handlers = Object.fromEntries(
    contract.operations.map(({ id }) => {
      const handle = ({ accepts }: Accepting): ReturnType<MockResponses['respond']> =>
        mock.respond(id, accepts, preferenceOf(prefer.getStore() ?? ''));
      return [id, handle];
    }),
  );
  const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
  const verifiers = Object.fromEntries(schemes.map((scheme) => [scheme, () => CLIENT]));
  const serve = await started({ contract, handlers, verifiers }, declaredFailures(mock));
  const readPreference: RequestHandler = ({ headers }, _response, next) => {
    prefer.run([headers['prefer'] ?? ''].flat().join(), next);
  };
  // The contract first: it may have a path /docs of its own.
  return Router().use(readPreference, serve).use('/docs', apiReference({ contract }));
}

/** Bodies of failures say what went wrong where the contract allows it, else what it declares. */
async function started(options: MiddlewareOptions, errorBody: ErrorBody): Promise<RequestHandler> {
  try {
    return await contractMiddleware(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return contractMiddleware({ ...options, errorBody });
  }
}

/** Makes the body of a failure as its operation declares it. */
function declaredFailures(mock: MockResponses): ErrorBody {
  return ({ status }, _mediaTypes, operation) => {
    const body = operation && mock.messages.failure(mock.operationKeyOf(operation.id), status);
    return body && { contentType: body.contentType, body: handlerValue(body) };
  };
}
