import { middleware } from 'express-openapi-validator';
import { messageOf, RequestError } from '../../errors.ts';
import type { Operation } from '../document/load.ts';
import { Refused } from '../document/refusal.ts';
import { MEDIA_TYPE, type ValidationDocument } from './validation-document.ts';

type Options = Parameters<typeof middleware>[0];
type Middleware = ReturnType<typeof middleware>[number];

/** Options of express-openapi-validator. Matching and authentication come before it. */
const OPTIONS = {
  validateApiSpec: false,
  validateSecurity: false,
  fileUploader: false,
  // Unknown query parameters are refused earlier.
  validateRequests: { coerceTypes: false, allowUnknownQueryParameters: true },
  validateResponses: { removeAdditional: false, coerceTypes: false },
  // 'fast' accepts a thirteenth month.
  ajvFormats: { mode: 'full' },
} as const satisfies Partial<Options>;

/**
 * The properties of an Express request that express-openapi-validator reads. The body holds a whole
 * request.
 */
class RequestView {
  readonly body: unknown;
  /** The validator's data on the operation. */
  openapi: unknown;

  constructor(body: unknown, openapi?: unknown) {
    this.body = body;
    this.openapi = openapi;
  }
}

/** The properties that all views share. */
const SHARED_PROPERTIES = {
  method: 'POST',
  path: '/',
  originalUrl: '/',
  baseUrl: '',
  headers: { 'content-type': MEDIA_TYPE },
  query: {},
  params: {},
  app: { enabled: () => true },
};
Object.assign(RequestView.prototype, SHARED_PROPERTIES);

/** The properties of an Express response that express-openapi-validator reads and replaces. */
class ResponseView {
  statusCode = 200;
  readonly headersSent = false;
  verdict: unknown;

  /** The validator replaces this method by its check, which calls it for a valid body. */
  json = (_body: unknown): void => {
    this.verdict = undefined;
  };

  getHeaders(): object {
    return {};
  }
}

/**
 * express-openapi-validator for one operation, through its public interface. Its middleware gets
 * plain objects, so that it cannot modify the real request and response.
 */
export class OpenApiValidator {
  readonly #validateRequest: Middleware;
  readonly #openapi: unknown;
  readonly #response: ResponseView;
  readonly #validateResponse: ResponseView['json'];

  private constructor(validateRequest: Middleware, openapi: unknown, response: ResponseView) {
    this.#validateRequest = validateRequest;
    this.#openapi = openapi;
    this.#response = response;
    this.#validateResponse = response.json;
  }

  /**
   * @throws Refused at the operation when the validator cannot compile its schemas.
   */
  static async create(
    { id, definition }: Operation,
    { document, statuses }: ValidationDocument,
  ): Promise<OpenApiValidator> {
    try {
      // The validator has its own type for documents; this one was checked at load.
      const chain = middleware({ ...OPTIONS, apiSpec: document as unknown as Options['apiSpec'] });
      const request = new RequestView({});
      // All but the last two find the operation of a request, which is constant here.
      for (const step of chain.slice(0, -2)) await run(step, request);
      const [validateRequest, validateResponse] = chain.slice(-2);
      if (validateRequest === undefined || validateResponse === undefined) throw new Error('It validates nothing.');
      const response = await hook(validateResponse, request);
      const validator = new OpenApiValidator(validateRequest, request.openapi, response);
      await validator.#prove([...statuses.values()]);
      return validator;
    } catch (cause) {
      const reason = `express-openapi-validator cannot serve ${id}: ${messageOf(cause)}. Say it in other words.`;
      throw new Refused([{ node: definition, key: 'operationId', reason }], { cause });
    }
  }

  /**
   * Validates a request and fills in the defaults of its body.
   * @throws RequestError invalidParameter or invalidBody.
   */
  checkRequest(request: object): Promise<void> {
    return run(this.#validateRequest, new RequestView(request, this.#openapi));
  }

  /**
   * Validates the JSON body of a response.
   * @param status the status of the response in the validator's document.
   * @throws the validator's error.
   */
  checkResponse(status: number, body: unknown): void {
    this.#response.statusCode = status;
    this.#response.verdict = NO_VERDICT;
    this.#validateResponse.call(this.#response, body);
    if (this.#response.verdict !== undefined) throw this.#response.verdict as Error;
  }

  /** Compiles the schemas. Fails closed if the validator accepts an invalid message. */
  async #prove([status]: readonly number[]): Promise<void> {
    await requireRefusal(
      () => this.checkRequest({}),
      (error) => error instanceof RequestError,
    );
    if (status === undefined) return;
    await requireRefusal(
      () => {
        this.checkResponse(status, undefined);
      },
      (error) => isVerdict(error, 500),
    );
  }
}

const NO_VERDICT = new Error('express-openapi-validator has not checked the response.');

/** Runs a middleware. Rejects with the error that it passes to `next`, in the contract's terms. */
function run(step: Middleware, request: RequestView): Promise<void> {
  return new Promise((resolve, reject) => {
    // A view has all that the validator reads of a request. The response is not read here.
    void step(request as never, {} as never, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(asRequestError(error));
    });
  });
}

/** Returns a response whose `json` validates its bodies. Rejects with the middleware's error. */
async function hook(step: Middleware, request: RequestView): Promise<ResponseView> {
  const response = new ResponseView();
  await new Promise<void>((resolve) => {
    // A view has all that the validator reads of a response.
    void step(request as never, response as never, (error?: unknown) => {
      response.verdict = error;
      resolve();
    });
  });
  if (response.verdict !== undefined) throw response.verdict as Error;
  return response;
}

/** @throws an error of the check other than a verdict, or an Error when the check accepts. */
async function requireRefusal(check: () => unknown, isRefusal: (error: unknown) => boolean): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (isRefusal(error)) return;
    throw error;
  }
  throw new Error('It accepts messages that lack their parameters or their body.');
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

const GROUP_NAMES: Readonly<Record<string, string>> = {
  params: 'Path parameter',
  query: 'Query parameter',
  headers: 'Header',
  cookies: 'Cookie',
};

/**
 * Names the parameter or the place in the body, in the contract's terms. Returns other errors as
 * is.
 */
function asRequestError(error: unknown): unknown {
  if (!isVerdict(error, 400)) return error;
  const [first] = error.errors;
  const [, , group = '', ...names] = first?.path.split('/') ?? [];
  const what = first?.message ?? 'is not as the contract describes it';
  const groupName = GROUP_NAMES[group];
  if (groupName !== undefined) {
    return new RequestError('invalidParameter', `${groupName} '${names.join('/')}' ${what}.`, { cause: error });
  }
  const place = names.length === 0 ? '' : `'s /${names.join('/')}`;
  return new RequestError('invalidBody', `The request body${place} ${what}.`, { cause: error });
}
