import { middleware as createMiddlewares } from 'express-openapi-validator';
import type { IncomingMessage } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { RequestError } from '../errors.ts';
import { resolve, type Parameter } from './document.ts';
import { int64Deserializers } from './int64-parameter.ts';
import type { Contract, Operation } from './load.ts';
import { PATH, validationDocument } from './validation-document.ts';

/** A request as the contract describes it; `types.ts` gives each handler the exact type. */
export interface ValidRequest {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/**
 * Checks a request against its operation.
 * It rejects with a RequestError: invalidParameter, unknownQueryParameter, unexpectedBody or malformedUrl.
 */
export type Validator = (
  request: IncomingMessage,
  params: Readonly<Record<string, string>>,
  queryString: string,
) => Promise<ValidRequest>;

type Middleware = (request: object, response: object, next: (error?: unknown) => void) => unknown;

/**
 * A validator for one operation. The operation has an express-openapi-validator of its own, with a document of one path, made
 * on first use, and only its check of requests runs for each request: its matching recompiles the path
 * patterns of the whole contract each time, and its security and its write-back of parameters are not exact.
 */
export function createValidator(contract: Contract, operation: Operation): Validator {
  const headerNames = operation.parameters.filter((p) => p.in === 'header').map(({ name }) => name);
  let checking: Promise<(view: RequestView) => Promise<void>> | undefined;
  return async (request, params, queryString) => {
    if (operation.requestBody === undefined) refuseBody(request);
    const view = new RequestView(operation.method, params, queryString, pick(request, headerNames));
    checking ??= createCheck(contract, operation);
    await (
      await checking
    )(view);
    return view;
  };
}

/** The part of an Express request that express-openapi-validator reads and writes; nothing of it leaks into the real one. */
class RequestView implements ValidRequest {
  readonly originalUrl: string;
  readonly path = PATH;
  readonly method: string;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
  openapi: unknown;

  constructor(
    method: string,
    params: Readonly<Record<string, string>>,
    queryString: string,
    headers: Record<string, unknown>,
  ) {
    this.originalUrl = queryString === '' ? PATH : `${PATH}?${queryString}`;
    this.method = method;
    this.params = params;
    this.query = queryString === '' ? {} : parseWellFormedQuery(queryString);
    this.headers = headers;
    this.body = undefined;
    this.openapi = undefined;
  }
}

async function createCheck(contract: Contract, operation: Operation): Promise<(view: RequestView) => Promise<void>> {
  const document = validationDocument(contract, operation);
  const parameters = parametersOf(document, operation);
  const middlewares = createMiddlewares({
    // Its type is that of an older OpenAPI; the document is checked and is of 3.1, which it handles.
    apiSpec: document as never,
    validateApiSpec: false,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: false,
    fileUploader: false,
    // It asks for serialize too, but only uses it for responses.
    serDes: int64Deserializers(parameters.map(({ schema }) => schema)),
  });
  const metadata = await learnMetadata(named(middlewares, 'metadataMiddleware'), operation);
  const check = named(middlewares, 'requestMiddleware');
  return async (view) => {
    view.openapi = { ...metadata, pathParams: view.params };
    await run(check, view).catch((error: unknown) => {
      throw asRequestError(error);
    });
  };
}

/** The description of the operation that the validator attaches to requests; the same for each, so asked for once. */
async function learnMetadata(middleware: Middleware, { method }: Operation): Promise<object> {
  const probe = { method, path: PATH, originalUrl: PATH, baseUrl: '', app: { enabled: () => true }, openapi: {} };
  await run(middleware, probe);
  return probe.openapi;
}

function run(middleware: Middleware, view: object): Promise<void> {
  return new Promise((done, fail) => {
    const called = middleware(view, {}, (error?: unknown) => {
      if (error === undefined) done();
      else fail(error);
    });
    if (called instanceof Promise) called.catch(fail);
  });
}

function named(middlewares: readonly unknown[], name: string): Middleware {
  const found = middlewares.find((middleware) => typeof middleware === 'function' && middleware.name === name);
  if (found === undefined) throw new Error(`This version of express-openapi-validator has no ${name}.`);
  // Every entry is a middleware of Express, which reads and writes what RequestView holds, and ignores the response.
  return found as Middleware;
}

function parametersOf(document: ReturnType<typeof validationDocument>, { method }: Operation): readonly Parameter[] {
  const item = resolve(document, document.paths[PATH] ?? {});
  // validationDocument has put parameters there without references.
  return (item[method.toLowerCase() as 'get']?.parameters ?? []) as readonly Parameter[];
}

/** Says what is wrong in the words of the contract: which parameter, in which part of the request. */
function asRequestError(error: unknown): unknown {
  if (!isValidatorError(error) || error.status !== 400) return error;
  const [first] = error.errors;
  const [, part = '', ...names] = first?.path.split('/') ?? [];
  const name = names.join('/');
  if (first?.message?.startsWith('Unknown query parameter') === true) {
    return new RequestError(
      'unknownQueryParameter',
      `The query parameter '${name}' is not in the contract: leave it out.`,
    );
  }
  const kind = PARTS[part] ?? part;
  return new RequestError('invalidParameter', `${kind} '${name}' ${first?.message ?? 'is invalid'}.`, { cause: error });
}

const PARTS: Readonly<Record<string, string>> = {
  params: 'Path parameter',
  query: 'Query parameter',
  headers: 'Header',
};

interface ValidatorError {
  readonly status: number;
  readonly errors: readonly { readonly path: string; readonly message?: string }[];
}

function isValidatorError(error: unknown): error is ValidatorError {
  return error instanceof Error && 'status' in error && 'errors' in error && Array.isArray(error.errors);
}

/** RFC 9112 section 6: a request has a body when it has Transfer-Encoding or a Content-Length that is not 0. */
function refuseBody({ headers }: IncomingMessage): void {
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
  throw new RequestError('unexpectedBody', 'This operation takes no request body: send none.', {
    // What follows on the connection is that body: it is not read.
    headers: { Connection: 'close' },
  });
}

function pick({ headers }: IncomingMessage, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) {
    const value = headers[name.toLowerCase()];
    if (value !== undefined) picked[name.toLowerCase()] = value;
  }
  return picked;
}

function parseWellFormedQuery(queryString: string): Record<string, unknown> {
  try {
    decodeURIComponent(queryString);
  } catch (cause) {
    throw new RequestError(
      'malformedUrl',
      "The query's percent-encoding must be UTF-8, two hexadecimal digits after each %.",
      {
        cause,
      },
    );
  }
  return { ...parseQuery(queryString) };
}
