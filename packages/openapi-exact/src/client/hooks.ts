/**
 * A request that is about to be sent.
 * @example onRequest: ({ request, schemaPath }) => console.log(request.method, schemaPath)
 */
export interface RequestContext {
  /** The request; the headers of it may be changed. Its `signal` ends with the attempt. */
  readonly request: Request;
  /** The path as the contract writes it, such as `/todos/{id}`. */
  readonly schemaPath: string;
}

/**
 * A response that has arrived, and its request. The bodies of both are unread.
 * @example onResponse: ({ response, schemaPath }) => console.log(response.status, schemaPath)
 */
export interface ResponseContext extends RequestContext {
  readonly response: Response;
  /** Sends a request once more, so that a broken connection is the error of the call. */
  readonly fetch: Fetch;
}

/**
 * Runs before each attempt. May return another request, or a response: then nothing is sent.
 * @example const onRequest: OnRequest = ({ request }) => request.headers.set('X-Trace', trace());
 */
export type OnRequest = (
  context: RequestContext,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that logs has no return
) => Request | Response | undefined | void | Promise<Request | Response | undefined | void>;

/**
 * Runs for each response, before its body is read. May return another response, such as that of a
 * retry.
 * @example
 * const onResponse: OnResponse = async ({ request, response, fetch }) =>
 *   response.status === 425 ? fetch(request) : response;
 */
export type OnResponse = (
  context: ResponseContext,
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that logs has no return
) => Response | undefined | void | Promise<Response | undefined | void>;

/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/** The functions of a client that take part in an attempt. */
export interface Hooks {
  readonly fetch: Fetch;
  readonly onRequest: OnRequest | undefined;
  readonly onResponse: OnResponse | undefined;
}
