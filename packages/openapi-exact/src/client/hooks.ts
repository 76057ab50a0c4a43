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
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that only logs has no return
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
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a function that only logs has no return
) => Response | undefined | void | Promise<Response | undefined | void>;

/** Sends a request, as the global `fetch` does. */
export type Fetch = (request: Request) => Promise<Response>;

/** The functions of a client that take part in an attempt. */
export interface Hooks {
  readonly fetch: Fetch;
  readonly onRequest: OnRequest | undefined;
  readonly onResponse: OnResponse | undefined;
}

/** An error of `fetch`, as opposed to one of a hook. */
export class FetchError extends Error {}

/**
 * Sends a request through the hooks.
 * @param isSentOnce whether the body is a stream, whose copy would be kept in memory.
 * @throws FetchError with the error of `fetch` as its cause, what a hook throws, and TypeError for
 * a hook that returns something else.
 */
export async function fetchWithHooks(
  hooks: Hooks,
  context: RequestContext,
  signal: AbortSignal,
  isSentOnce = false,
): Promise<Response> {
  const { onRequest, onResponse } = hooks;
  const changed: unknown = await onRequest?.(context);
  if (isResponse(changed)) return changed;
  const request = requestToSend(changed, context, signal);
  // onResponse may send the request again.
  const response = await fetchOnce(hooks, onResponse === undefined || isSentOnce ? request : request.clone());
  const replaced: unknown = await onResponse?.({
    ...{ ...context, request, response },
    fetch: (again) => fetchOnce(hooks, again),
  });
  if (replaced !== undefined && !isResponse(replaced))
    throw new TypeError('onResponse must return a Response or nothing.');
  const final = replaced ?? response;
  if (final.bodyUsed) throw new TypeError('onResponse has read the body: read that of response.clone() instead.');
  return final;
}

/** The request that onRequest leaves, with the signal that ends the attempt. */
function requestToSend(changed: unknown, { request }: RequestContext, signal: AbortSignal): Request {
  if (changed !== undefined && !isRequest(changed))
    throw new TypeError('onRequest must return a Request, a Response or nothing.');
  const given = changed ?? request;
  if (given.bodyUsed) throw new TypeError('onRequest has read the body: read that of request.clone() instead.');
  return given === request ? request : new Request(given, { signal });
}

async function fetchOnce({ fetch }: Hooks, request: Request): Promise<Response> {
  let response: unknown;
  try {
    response = await fetch(request);
  } catch (cause) {
    throw new FetchError('fetch failed', { cause });
  }
  if (isResponse(response)) return response;
  throw new TypeError('fetch must return a Response.');
}

/** Also of another realm, or of a custom `fetch`. */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

function isRequest(value: unknown): value is Request {
  return Object.prototype.toString.call(value) === '[object Request]';
}
