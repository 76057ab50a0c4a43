import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { ContentType } from 'express-openapi-validator/dist/middlewares/util.js';
import { messageOf, OperatorError } from '../../errors.ts';
import type { Method } from '../document/openapi-document.ts';
import type { Operation } from '../document/load.ts';
import { createResponseCheck, representativeOf, type ResponseCheck } from './response-check.ts';
import { warnOfUrlParse } from './url-parse.ts';
import { MEDIA_TYPE, PATH, type ValidationDocument } from './validation-document.ts';

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
  readonly checkResponse: ResponseCheck;
}

/** A document as the library has it, and what it has for a path. */
type Document = ConstructorParameters<typeof SchemaPreprocessor>[0];
type PathItem = NonNullable<Document['paths']>[string];

type Options = ConstructorParameters<typeof AjvOptions>[0];

/** The options of express-openapi-validator. */
const OPTIONS = {
  // Unknown ones are refused before: it would take `a[b]` for an object.
  validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
  validateResponses: { removeAdditional: false, coerceTypes: false },
  validateFormats: true,
  formats: {},
  // 'fast' knows a thirteenth month.
  ajvFormats: { mode: 'full' },
} as const;

/**
 * Makes an express-openapi-validator that knows one operation, out of the parts that check: they are what its middlewares call, and give their verdict
 * at once. Used as it comes, its matching compiles the path patterns of the whole contract for each request, its authentication lets a scheme without
 * handler through, its write-back of parameters loses an id of 0, and a start would load what all that, and uploads, need.
 * @throws OperatorError, which names the operation, for what it cannot do.
 */
export async function createOpenApiValidator(
  operation: Operation,
  { document, deserializers }: ValidationDocument,
): Promise<OpenApiValidator> {
  await warnOfUrlParse();
  try {
    // Its type is that of an older OpenAPI; the document was checked and is of 3.1, which it handles. It writes into it.
    return assemble(operation, structuredClone(document) as never, deserializers);
  } catch (cause) {
    throw new OperatorError(
      `${operation.id}: express-openapi-validator cannot serve this operation: ${messageOf(cause)}`,
      { cause },
    );
  }
}

function assemble(
  operation: Operation,
  apiDoc: Document,
  deserializers: ValidationDocument['deserializers'],
): OpenApiValidator {
  const { method } = operation;
  const options = { ...OPTIONS, serDes: [...deserializers, ...defaultSerDes] } satisfies Partial<Options>;
  // The type asks for the options of what is not used here, too; AjvOptions reads none of those.
  const ajv = new AjvOptions(options as unknown as Options);
  // The preprocessor writes into the document.
  const representatives = representativeOf(definitionIn(apiDoc, operation).responses ?? {});
  const { apiDocRes } = new SchemaPreprocessor(apiDoc, ajv.preprocessor, OPTIONS.validateResponses).preProcess();
  const metadata = {
    expressRoute: PATH,
    openApiRoute: PATH,
    // Its path has none, so that the validator takes those that the view has.
    pathParams: {},
    schema: definitionIn(apiDoc, operation),
  };
  const checkFor = requestChecks(new RequestValidator(apiDoc, ajv.request), metadata.schema, operation);
  const checkResponse = createResponseCheck(
    new ResponseValidator(apiDocRes, ajv.response, OPTIONS.validateResponses),
    method,
    definitionIn(apiDocRes, operation).responses ?? {},
    representatives,
  );
  let passed = 0;
  const next = (error?: unknown): void => {
    if (error === undefined) passed++;
  };
  const validator: OpenApiValidator = {
    checkRequest: (view) => {
      view.openapi = metadata;
      const before = passed;
      checkFor(view.body === undefined ? undefined : MEDIA_TYPE)(view, {}, next);
      // It goes on or throws before it returns. Should another version not, nothing gets through.
      if (passed === before) throw new Error('This version of express-openapi-validator gives no verdict at once.');
    },
    checkResponse,
  };
  compile(validator, operation);
  return validator;
}

/** What RequestValidator checks the requests of one content type with. It reads and writes what RequestView holds. */
type RequestCheck = (view: RequestView, response: object, next: (error?: unknown) => void) => unknown;

/**
 * Gives the check for a content type of the contract, undefined for requests without a body: never for what a client has written. The validator's
 * own way to it makes a key of method, path and content type for each request: 2 % of the processor time of a durable delete
 * (`npm run bench -- --only durable`). The tests of the contract guard it.
 */
function requestChecks(
  validator: RequestValidator,
  schema: unknown,
  { method }: Operation,
): (contentType: string | undefined) => RequestCheck {
  // Private to its types; its versions are bounded in package.json, and no request would pass without it.
  const maker = validator as unknown as {
    buildMiddleware(path: string, schema: unknown, contentType: ContentType, key: string): RequestCheck;
  };
  const checks = new Map<string | undefined, RequestCheck>();
  return (contentType) => {
    const known = checks.get(contentType);
    if (known !== undefined) return known;
    // It reads the headers of a request.
    const request = { headers: { 'content-type': contentType } } as Parameters<typeof ContentType.from>[0];
    const made = maker.buildMiddleware(
      PATH,
      schema,
      ContentType.from(request),
      `${method} ${contentType ?? 'no body'}`,
    );
    checks.set(contentType, made);
    return made;
  };
}

/** The description of the one operation of a document. */
function definitionIn({ paths }: Document, { method }: Operation): NonNullable<PathItem['get']> {
  // Lower-casing a Method gives the key under which a path item holds it; TypeScript does not follow toLowerCase.
  const definition = paths?.[PATH]?.[method.toLowerCase() as Lowercase<Method>];
  if (definition === undefined) throw new Error(`There is no ${method} in the document.`);
  return definition;
}

/** Shows the validator empty requests: it compiles the schemas for them when it first needs them, and what it cannot do shall be known at the start. */
function compile({ checkRequest }: OpenApiValidator, { method, requestBody }: Operation): void {
  for (const type of requestBody === undefined ? [undefined] : [undefined, MEDIA_TYPE]) {
    try {
      checkRequest({
        method,
        path: PATH,
        originalUrl: PATH,
        params: {},
        query: {},
        headers: type === undefined ? {} : { 'content-type': type },
        body: type === undefined ? undefined : {},
        openapi: undefined,
      });
    } catch (error) {
      // The validator's own verdicts have a status: they are what an empty request deserves.
      if (typeof error !== 'object' || error === null || !('status' in error)) throw error;
    }
  }
}
