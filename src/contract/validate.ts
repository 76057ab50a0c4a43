import type { Request, Response } from 'express';
import { parse as parseQuery } from 'node:querystring';
import { RequestError } from '../errors.ts';
import { resolve, type Schema } from './document/openapi-document.ts';
import { exactBody } from './numbers/exact-json.ts';
import { createBodyReader } from './validation/json-body.ts';
import type { Contract, Operation } from './document/load.ts';
import { createOpenApiValidator, type OpenApiValidator, type RequestView } from './validation/openapi-validator.ts';
import { createPathNumbers } from './validation/path-numbers.ts';
import type { ResponseValue } from './respond.ts';
import { PATH, validationDocument } from './validation/validation-document.ts';
import { asRequestError } from './validation/validation-error.ts';

/** A request as the contract describes it; `types.ts` gives each handler the exact type. */
export interface ValidRequest {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/** Holds the messages of one operation against the contract. */
export interface Validator {
  /**
   * Compiles the schemas, which is done on first use otherwise. It rejects with an OperatorError that names the operation when
   * express-openapi-validator cannot.
   */
  compile(): Promise<unknown>;
  /**
   * Reads a request; no promise when nothing has to be waited for. It throws, or rejects with, a RequestError: invalidParameter,
   * unknownQueryParameter, malformedUrl or one of those about the body.
   */
  request(
    message: Request,
    response: Response,
    params: Record<string, string>,
    queryString: string,
  ): ValidRequest | Promise<ValidRequest>;
  /**
   * Checks what a handler answers to a request that was read.
   * @throws Error that says what is wrong with the handler.
   */
  response(value: ResponseValue): void;
}

/**
 * A validator for one operation.
 * @throws OperatorError, which names the place, for what the service cannot serve.
 */
export function createValidator(contract: Contract, operation: Operation): Validator {
  const { id, method, parameters, requestBody, definition } = operation;
  const headerNames = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const bodySchema = Object.values(requestBody?.content ?? {})[0]?.schema;
  const queryNames = new Set(parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name));
  for (const name of apiKeysInQuery(contract, operation)) queryNames.add(name);
  const [mediaType] = Object.keys(requestBody?.content ?? {});
  /** Whether the response of each declared status has content, and of which schema. */
  const contents = new Map(
    Object.entries(definition.responses).map(([key, value]) => {
      const { content } = resolve(contract.document, value);
      return [key, { has: content !== undefined, schema: content?.['application/json']?.schema }];
    }),
  );
  const readBody = createBodyReader(operation);
  const document = validationDocument(contract, operation);
  const readPathNumbers = createPathNumbers(document.pathReaders);
  let compiled: Promise<OpenApiValidator> | undefined;
  let validator: OpenApiValidator | undefined;
  const compile = (): Promise<OpenApiValidator> =>
    (compiled ??= createOpenApiValidator(operation, document).then((made) => (validator = made)));

  return {
    compile,
    request: (message, response, params, queryString) => {
      const reading = readBody(message, response);
      if (reading === undefined && validator !== undefined) {
        return check(validator, message, params, queryString, undefined);
      }
      return Promise.all([validator ?? compile(), reading]).then(([ready, json]) =>
        check(ready, message, params, queryString, json),
      );
    },
    response: ({ status, body }) => {
      const content = contentOf(status);
      if (content === undefined) throw new Error(`${id} answered ${status}, which the contract does not declare.`);
      if (body === undefined && !content.has) return;
      // Whatever is answered, its request was read by it.
      if (validator === undefined) throw new Error(`${id} answered before there was a request.`);
      validator.checkResponse(status, body);
      if (content.schema !== undefined) requireBounds(status, body, content.schema);
    },
  };

  function check(
    { checkRequest }: OpenApiValidator,
    message: Request,
    params: Record<string, string>,
    queryString: string,
    json: unknown,
  ): ValidRequest | Promise<never> {
    const numbers = readPathNumbers(params);
    if (numbers instanceof RequestError) return Promise.reject(numbers);
    const view: RequestView = {
      method,
      path: PATH,
      originalUrl: queryString === '' ? PATH : `${PATH}?${queryString}`,
      params,
      query: queryString === '' ? {} : readQuery(queryString),
      // Without body no type either: express-openapi-validator would look for the body's discriminator.
      headers: pick(message, headerNames, json === undefined ? undefined : mediaType),
      body: json === undefined ? undefined : exactBody(contract.document, bodySchema ?? {}, json),
      openapi: undefined,
    };
    try {
      checkRequest(view);
    } catch (error) {
      throw asRequestError(error);
    }
    for (const { name, value } of numbers) view.params[name] = value;
    return headerNames.length === 0 ? view : { ...view, headers: named(view.headers) };
  }

  /** What the validator has let through is exact but for the bounds of bigints. */
  function requireBounds(status: number, body: unknown, schema: Schema): void {
    if (!holdsBigint(body)) return;
    try {
      exactBody(contract.document, schema, body);
    } catch (cause) {
      // As a RequestError it would be the client's fault.
      throw new Error(`${id} answered ${status} with an int64 out of its bounds.`, { cause });
    }
  }

  /** The headers under the names that the contract gives them, which are those of the handler's type. */
  function named(headers: Record<string, unknown>): Record<string, unknown> {
    const present = headerNames.filter((name) => headers[name.toLowerCase()] !== undefined);
    return Object.fromEntries(present.map((name) => [name, headers[name.toLowerCase()]]));
  }

  /** Reads a query whose parameters are all in the contract, each under the very name it has there. */
  function readQuery(queryString: string): Record<string, unknown> {
    const query = parseWellFormedQuery(queryString);
    for (const [name, value] of Object.entries(query)) {
      if (!queryNames.has(name)) {
        const message = `The query parameter '${name}' is not in the contract: leave it out.`;
        throw new RequestError('unknownQueryParameter', message);
      }
      if (value === '') {
        throw new RequestError('invalidParameter', `Query parameter '${name}' must have a value, or be left out.`);
      }
    }
    return query;
  }

  function contentOf(status: number): ReturnType<typeof contents.get> {
    return contents.get(String(status)) ?? contents.get(`${Math.floor(status / 100)}XX`) ?? contents.get('default');
  }
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsBigint);
  return typeof value === 'bigint';
}

/** Credentials that the contract wants in the query are no parameters of the operation, but known. */
function apiKeysInQuery({ document }: Contract, { security }: Operation): string[] {
  const schemes = document.components?.securitySchemes ?? {};
  const names = new Set(security.flatMap((requirement) => Object.keys(requirement)));
  return Object.entries(schemes)
    .filter(([scheme]) => names.has(scheme))
    .map(([, reference]) => resolve(document, reference))
    .flatMap((scheme) => (scheme.in === 'query' && scheme.name !== undefined ? [scheme.name] : []));
}

/** The headers that the contract declares; of Content-Type, which was checked before, only the declared one goes on. */
function pick({ headers }: Request, names: readonly string[], contentType?: string): Record<string, unknown> {
  const picked: Record<string, unknown> = contentType === undefined ? {} : { 'content-type': contentType };
  for (const name of names) {
    const value = headers[name.toLowerCase()];
    // A list may have spaces around its commas (RFC 9110, section 5.6.1).
    if (value !== undefined) picked[name.toLowerCase()] = String(value).replaceAll(/[ \t]*,[ \t]*/g, ',');
  }
  return picked;
}

function parseWellFormedQuery(queryString: string): Record<string, unknown> {
  try {
    decodeURIComponent(queryString);
  } catch (cause) {
    const message = "The query's percent-encoding must be UTF-8, two hexadecimal digits after each %.";
    throw new RequestError('malformedUrl', message, { cause });
  }
  return { ...parseQuery(queryString) };
}
