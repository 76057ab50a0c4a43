import { middleware } from 'express-openapi-validator';
import { RequestError } from '../errors.ts';
import { MismatchError } from '../response-error.ts';
import type { Formats } from './formats.ts';
import { requestError } from './request-error.ts';
import { withoutMarks } from '../numbers/property-keys.ts';
import { mergedDocument, type ValidationDocument } from './validation-document.ts';

type Middleware = ReturnType<typeof middleware>[number];

/**
 * The properties of an Express request that express-openapi-validator reads. The body holds a whole
 * request.
 */
class RequestView {
  readonly body: unknown;
  /** The path of the operation in the validator's document. */
  readonly path: string;
  readonly originalUrl: string;
  /** The validator's data on the operation. */
  openapi: unknown;

  constructor(path: string, body: unknown, openapi?: unknown) {
    this.path = path;
    this.originalUrl = path;
    this.body = body;
    this.openapi = openapi;
  }
}

/** The properties that all views share. */
const SHARED_PROPERTIES = {
  method: 'POST',
  baseUrl: '',
  headers: {},
  query: {},
  params: {},
  app: { enabled: () => true },
};
Object.assign(RequestView.prototype, SHARED_PROPERTIES);

/** The properties of an Express response that express-openapi-validator reads and replaces. */
class ResponseView {
  readonly statusCode = 200;
  readonly headersSent = false;
  verdict: Error | undefined;

  /** The validator replaces this method by its check, which calls it for a valid body. */
  json = (_body: unknown): void => {
    this.verdict = undefined;
  };

  getHeaders(): object {
    return {};
  }
}

/**
 * express-openapi-validator for a group of operations, through its public interface. Its middleware
 * gets plain objects, so that it cannot modify the real request and response.
 */
export class OpenApiValidator {
  readonly #document: ValidationDocument;
  readonly #allErrors: boolean;
  #chain: readonly Middleware[] | undefined;
  #isSound: Promise<boolean> | undefined;

  /** @param allErrors of a message, instead of the first: such code compiles faster. */
  constructor(document: ValidationDocument, allErrors = false) {
    this.#document = document;
    this.#allErrors = allErrors;
  }

  /**
   * Compiles the schemas of one operation.
   * @param index its index in the group.
   * @throws the validator's error when it cannot compile them.
   */
  async compile(index: number): Promise<CompiledOperation> {
    this.#chain ??= this.#middlewares();
    const request = new RequestView(`/${index}`, {});
    // All but the last two find the operation of a request, which is constant here.
    for (const step of this.#chain.slice(0, -2)) await run(step, request);
    const [validateRequest, validateResponse] = this.#chain.slice(-2);
    if (validateRequest === undefined || validateResponse === undefined) throw new Error('It validates nothing.');
    const response = await hook(validateResponse, request);
    const compiled = new CompiledOperation(validateRequest, request, response, this.#document.formats);
    await compiled.prove();
    return compiled;
  }

  /** Compiles the schemas of all operations as one. @returns false if one does not compile. */
  isSound(): Promise<boolean> {
    this.#isSound ??= new OpenApiValidator(mergedDocument(this.#document), true).compile(0).then(
      () => true,
      () => false,
    );
    return this.#isSound;
  }

  #middlewares(): readonly Middleware[] {
    const { document, formats } = this.#document;
    const options = { coerceTypes: false, allErrors: this.#allErrors };
    return middleware({
      // The validator has its own type for documents; this one was checked at load.
      apiSpec: document as unknown as Parameters<typeof middleware>[0]['apiSpec'],
      validateApiSpec: false,
      // Matching and authentication come before it, which refuses unknown query parameters too.
      validateSecurity: false,
      fileUploader: false,
      validateRequests: { ...options, allowUnknownQueryParameters: true },
      validateResponses: { ...options, removeAdditional: false },
      formats: formats.all,
      // 'fast' accepts a thirteenth month.
      ajvFormats: { mode: 'full' },
    });
  }
}

/** The compiled schemas of one operation. */
export class CompiledOperation {
  readonly #validateRequest: Middleware;
  readonly #request: RequestView;
  readonly #response: ResponseView;
  readonly #validateResponse: ResponseView['json'];
  readonly #formats: Formats;

  constructor(validateRequest: Middleware, request: RequestView, response: ResponseView, formats: Formats) {
    this.#validateRequest = validateRequest;
    this.#request = request;
    this.#response = response;
    this.#validateResponse = response.json;
    this.#formats = formats;
  }

  /**
   * Validates a whole request.
   * @throws RequestError invalidParameter or invalidBody.
   */
  checkRequest(request: unknown): Promise<void> {
    const { path, openapi } = this.#request;
    const view = new RequestView(path, request, openapi);
    return run(this.#validateRequest, view, (error) => (isVerdict(error, 400) ? this.#asRequestError(error) : error));
  }

  /**
   * Validates a whole response.
   * @throws MismatchError that names the place and what must be there.
   */
  checkResponse(response: unknown): void {
    const verdict = this.#verdict(response);
    if (verdict === undefined) return;
    if (!isVerdict(verdict, 500)) throw verdict;
    const [place, what] = this.#firstOf(verdict, 'write-only');
    // The first two tokens are the validator's own: the body is a part of its response.
    throw new MismatchError(`/${place.split('/').slice(3).join('/')}`, what, { cause: verdict });
  }

  /** True when a response is valid. */
  isValidResponse(response: unknown): boolean {
    const verdict = this.#verdict(response);
    if (verdict !== undefined && !isVerdict(verdict, 500)) throw verdict;
    return verdict === undefined;
  }

  /** Fails closed if the validator accepts an invalid message. */
  async prove(): Promise<void> {
    const isRefused = await this.checkRequest({}).then(
      () => false,
      (error: unknown) => {
        if (error instanceof RequestError) return true;
        throw error;
      },
    );
    if (!isRefused || this.isValidResponse({})) throw new Error('It accepts messages that lack their parts.');
  }

  /** The validator's error for a response; undefined for a valid one. */
  #verdict(response: unknown): Error | undefined {
    this.#response.verdict = NO_VERDICT;
    this.#validateResponse.call(this.#response, response);
    return this.#response.verdict;
  }

  #asRequestError(verdict: Verdict): RequestError {
    const [place, what] = this.#firstOf(verdict, 'read-only');
    return requestError(place.slice('/body'.length), what, verdict);
  }

  /** The place and the message of the error that went furthest into the value. */
  #firstOf({ errors }: Verdict, forbidden: string): [place: string, what: string] {
    const depths = errors.map(({ path }) => path.split('/').length);
    const first = errors[depths.indexOf(Math.max(...depths))];
    const what = first?.message ?? 'is not as the contract describes it';
    return [withoutMarks(first?.path ?? ''), withoutMarks(this.#formats.describe(what, forbidden))];
  }
}

const NO_VERDICT = new Error('express-openapi-validator has not checked the response.');

/** Runs a middleware. Rejects with what `asError` makes of the error that it passes to `next`. */
function run(step: Middleware, request: RequestView, asError = (error: unknown): unknown => error): Promise<void> {
  return new Promise((resolve, reject) => {
    // A view has all that the validator reads of a request.
    void step(request as never, NO_RESPONSE, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(asError(error));
    });
  });
}

/** The response of a middleware that does not read it. */
const NO_RESPONSE = Object.freeze({}) as never;

/** Returns a response whose `json` validates its bodies. Rejects with the middleware's error. */
async function hook(step: Middleware, request: RequestView): Promise<ResponseView> {
  const response = new ResponseView();
  await new Promise<void>((resolve) => {
    // A view has all that the validator reads of a response.
    void step(request as never, response as never, (error?: unknown) => {
      // The validator passes errors only.
      response.verdict = error as Error | undefined;
      resolve();
    });
  });
  if (response.verdict !== undefined) throw response.verdict;
  return response;
}

interface Verdict {
  readonly errors: readonly { readonly path: string; readonly message?: string }[];
}

/** True for an error with which the validator refuses a message. */
function isVerdict(error: unknown, status: number): error is Verdict {
  return (
    typeof error === 'object' && error !== null && 'status' in error && error.status === status && 'errors' in error
  );
}
