import cors from 'cors';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Sets the CORS headers of a response, before its other headers are written. */
export type SetCorsHeaders = (request: IncomingMessage, response: ServerResponse) => void;

/** Methods that pages use; 405 says what a path has. */
const USUAL_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'POST', 'DELETE'];

/** Response headers that scripts of other origins may read, beside those of the Fetch standard. */
const EXPOSED_HEADERS = ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'];

/**
 * Lets pages of these origins call the service (Fetch standard, section 3.2). Cookies are not used,
 * so credentials stay off: a page sends its own access token.
 * @param origins scheme, host and port, such as `https://app.example`.
 * @param methods of the contract's operations.
 */
export function corsHeaders(origins: readonly string[], methods: readonly string[]): SetCorsHeaders {
  const middleware = cors({
    origin: [...origins],
    methods: [...new Set([...USUAL_METHODS, ...methods])],
    exposedHeaders: EXPOSED_HEADERS,
    preflightContinue: true,
  });
  return (request, response) => {
    middleware(request, response, passOn);
  };
}

/** Whether an OPTIONS request is a preflight: what may a page of another origin send? */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** With static options, the middleware passes no error on. */
function passOn(): void {}
