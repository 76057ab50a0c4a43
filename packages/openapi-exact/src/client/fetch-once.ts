import type { Hooks } from './hooks.ts';

/** An error of `fetch`, as opposed to one of a hook. */
export class FetchError extends Error {}

/** Sends a request. @throws FetchError with the error of `fetch` as its cause. */
export async function fetchOnce({ fetch }: Pick<Hooks, 'fetch'>, request: Request): Promise<Response> {
  let response: unknown;
  try {
    response = await fetch(request);
  } catch (cause) {
    throw new FetchError('fetch failed', { cause });
  }
  if (isResponse(response)) return response;
  throw new TypeError('fetch must return a Response.');
}

/** Whether a value is a `Response`, also one of another realm or of a custom `fetch`. */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}
