import { call } from './call.ts';
import { clientSettings, type ClientOptions } from './client-options.ts';
import type { AnySecuritySchemes } from './credentials.ts';
import type { Client, ClientMethod } from './types.ts';

/** The methods of a client. `fetch` does not send TRACE. */
const METHODS: readonly ClientMethod[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'QUERY'];

/**
 * Creates a client of a contract; docs/contracts.md lists what it cannot send. It retries 503 and
 * 429 with Retry-After, broken connections and timeouts; for methods that are not idempotent, such
 * as POST, only where nothing was done, as after 429, refused connections and `overloaded`.
 * @throws TypeError for an unknown or wrong option, RangeError for a negative time.
 * @example
 * const baseUrl = 'http://127.0.0.1:3000';
 * const client = createClient<paths>({ shapes, baseUrl, token: 'secret' });
 * const { data } = await client.GET('/todos/{id}', { params: { path: { id: 7n } } });
 */
export function createClient<Paths, SecuritySchemes = AnySecuritySchemes>(
  options: ClientOptions<SecuritySchemes>,
): Client<Paths> {
  const settings = clientSettings(options);
  // One function per key of Client: `call` checks the types at run time.
  return {
    ...Object.fromEntries(METHODS.map((method) => [method, call.bind(undefined, settings, method)])),
    request: call.bind(undefined, settings),
  } as unknown as Client<Paths>;
}
