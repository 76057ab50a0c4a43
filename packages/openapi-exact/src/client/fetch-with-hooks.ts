import type { Fetch, Hooks, RequestContext } from './hooks.ts';

/**
 * Sends a request through the hooks. A client that has some imports it, so that what every client
 * has is an argument.
 * @param isSentOnce whether the body is a stream, whose copy would be kept in memory.
 * @throws what `fetchOnce` throws, what a hook throws, and TypeError for
 * a hook that returns something else.
 */
export async function fetchWithHooks(
  { onRequest, onResponse }: Hooks,
  context: RequestContext,
  signal: AbortSignal,
  isSentOnce: boolean,
  fetchOnce: Fetch,
): Promise<Response> {
  const changed: unknown = await onRequest?.(context);
  if (isResponse(changed)) return changed;
  const request = requestToSend(changed, context, signal);
  // onResponse may send the request again.
  const response = await fetchOnce(onResponse === undefined || isSentOnce ? request : request.clone());
  const replaced: unknown = await onResponse?.({
    ...{ ...context, request, response },
    fetch: fetchOnce,
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

/** Whether a value is a `Response`, also one of another realm or of a custom `fetch`. */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

function isRequest(value: unknown): value is Request {
  return Object.prototype.toString.call(value) === '[object Request]';
}
