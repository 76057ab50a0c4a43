import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { OpenApiValidator as ExpressOpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { RouteMetadata } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { messageOf, OperatorError } from '../errors.ts';
import type { Operation } from './load.ts';
import { warnOfUrlParse } from './url-parse.ts';
import { PATH, type ValidationDocument } from './validation-document.ts';

/** The part of an Express request that express-openapi-validator reads and writes; nothing of it leaks into the real one. */
export interface RequestView {
  readonly method: string;
  readonly path: string;
  readonly originalUrl: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Lower-case names. */
  headers: Record<string, unknown>;
  body: unknown;
  openapi: unknown;
}

/** An express-openapi-validator for one operation. */
export interface OpenApiValidator {
  /** Checks a request and gives its parameters their values. @throws the validator's own errors. */
  readonly checkRequest: (view: RequestView) => void;
  /** Checks the JSON body of a response. It rejects with the validator's own errors. */
  readonly checkResponse: (status: number, body: unknown) => Promise<void>;
}

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => unknown;

/** By it, express-openapi-validator tells its documents apart. */
let serial = 0;

/**
 * The description of the one path, which express-openapi-validator's own loader would make. But the loader also compiles the JSON Schema
 * of OpenAPI itself, unused, for each document: without it, a validator is made in 30 ms in place of 100 (`npm run bench -- --only start`).
 * The tests of the contract guard it.
 */
function route(method: string): RouteMetadata {
  return { basePath: '', expressRoute: PATH, openApiRoute: PATH, method, pathParams: [] };
}

/**
 * Makes an express-openapi-validator that knows one operation, and of which only the checks themselves run for each request.
 * Used as it comes, its matching compiles the path patterns of the whole contract for each request, its authentication lets
 * a scheme without handler through, and its write-back of parameters loses an id of 0.
 */
export async function createOpenApiValidator(
  operation: Operation,
  { document, deserializers }: ValidationDocument,
): Promise<OpenApiValidator> {
  await warnOfUrlParse();
  const { method } = operation;
  // Its type is that of an older OpenAPI; the document was checked and is of 3.1, which it handles. It writes into it.
  const apiDoc = structuredClone(document) as never;
  const library = new ExpressOpenApiValidator({
    apiSpec: apiDoc,
    validateApiSpec: false,
    // Unknown ones are refused before: it would take `a[b]` for an object.
    validateRequests: { allowUnknownQueryParameters: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
    // 'fast' knows a thirteenth month.
    ajvFormats: { mode: 'full' },
    // Its type asks for serialize too, which it uses for responses only.
    serDes: [...deserializers] as never,
  });
  const middlewares = library.installMiddleware(
    Promise.resolve({ apiDoc, basePaths: [''], routes: [route(method)], serial: ++serial }),
  );
  const metadata = await learnMetadata(named(middlewares, 'metadataMiddleware'), method);
  // What its middleware for requests calls, by way of promises that nothing here has to wait for.
  const requestValidator = new RequestValidator(apiDoc, library.ajvOpts.request);
  const responseMiddleware = named(middlewares, 'responseMiddleware');
  const validator: OpenApiValidator = {
    checkRequest: (view) => {
      // Its path has no parameters, so that the validator takes those that the view has.
      view.openapi = metadata;
      const verdict = { hasPassed: false };
      // It reads and writes what RequestView holds.
      void requestValidator.validate(view as never, {} as never, (error?: unknown) => {
        verdict.hasPassed = error === undefined;
      });
      // It goes on or throws before it returns. Should another version not, nothing gets through.
      if (!verdict.hasPassed) throw new Error('This version of express-openapi-validator gives no verdict at once.');
    },
    checkResponse: async (statusCode, body) => {
      const headers = { 'content-type': 'application/json' };
      const response = { statusCode, headersSent: false, getHeaders: () => headers, json: (json: unknown) => json };
      let failure: Error | undefined;
      const request = { method: method, originalUrl: PATH, headers: {}, openapi: metadata };
      await run(responseMiddleware, request, response, (error) => {
        // What the validator reports is an Error.
        failure = error as Error;
      });
      response.json(body);
      if (failure !== undefined) throw failure;
    },
  };
  await compile(validator, operation);
  return validator;
}

/**
 * Shows the validator an empty request and empty responses: it compiles the schemas for them when it first needs them, and what
 * it cannot do shall be known at the start.
 */
async function compile({ checkRequest, checkResponse }: OpenApiValidator, operation: Operation): Promise<void> {
  const { id, method, requestBody, definition } = operation;
  const [contentType] = Object.keys(requestBody?.content ?? {});
  const headers = contentType === undefined ? [{}] : [{}, { 'content-type': contentType }];
  const empty = { method, path: PATH, originalUrl: PATH, params: {}, query: {}, body: {}, openapi: undefined };
  const probes = [
    ...headers.map((one) => () => Promise.resolve({ ...empty, headers: one }).then(checkRequest)),
    ...Object.keys(definition.responses).map((status) => () => checkResponse(Number.parseInt(status) || 400, {})),
  ];
  for (const probe of probes) {
    try {
      await probe();
    } catch (cause) {
      // The validator's own verdicts have a status: they are what an empty message deserves.
      if (typeof cause === 'object' && cause !== null && 'status' in cause) continue;
      throw new OperatorError(`${id}: express-openapi-validator cannot serve this operation: ${messageOf(cause)}`, {
        cause,
      });
    }
  }
}

/** The description of the operation that the validator attaches to requests; the same for each, so asked for once. */
async function learnMetadata(middleware: Middleware, method: string): Promise<object> {
  const probe = { method, path: PATH, originalUrl: PATH, baseUrl: '', app: { enabled: () => true }, openapi: {} };
  await run(middleware, probe, {});
  return probe.openapi;
}

/**
 * Runs a middleware until it is done.
 * @param afterwards is told errors that it reports later, from the hook that it put into the response.
 */
function run(
  middleware: Middleware,
  request: object,
  response: object,
  afterwards?: (error: unknown) => void,
): Promise<void> {
  return new Promise((done, fail) => {
    let finished = false;
    // The promise that some of them return is one that they have caught already, with this function.
    middleware(request, response, (error?: unknown) => {
      if (finished) afterwards?.(error);
      else if (error === undefined) done();
      else fail(error);
      finished = true;
    });
  });
}

function named(middlewares: readonly unknown[], name: string): Middleware {
  const found = middlewares.find((middleware) => typeof middleware === 'function' && middleware.name === name);
  if (found === undefined) throw new Error(`This version of express-openapi-validator has no ${name}.`);
  // Every entry is a middleware of Express, which reads and writes what RequestView holds.
  return found as Middleware;
}
