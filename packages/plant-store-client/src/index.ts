import {
  createClient as createExactClient,
  type Client as ExactClient,
  type ClientOptions as ExactClientOptions,
  type ErrorDescription,
} from 'openapi-exact/client';
import type { paths } from '../../../generated/openapi.d.ts';
import { shapes } from '../../../generated/shapes.ts';

export { ClientError, ConnectionError, ResponseError, TimeoutError, type Outcome } from 'openapi-exact/client';

/** A client of a plant store. */
export type Client = ExactClient<paths>;

/** Options of {@link createClient}: those of openapi-exact. Each operation needs a token. */
export interface ClientOptions extends Omit<ExactClientOptions, 'shapes' | 'credentials' | 'describeError'> {
  readonly token: NonNullable<ExactClientOptions['token']>;
}

/** Codes with which a plant store states that nothing was done; docs/api.md lists all codes. */
const NOTHING_DONE = [50300, 50302, 50303];

/** Creates a client of a plant store. `code` of a `ResponseError` is a code such as 40401. */
export function createClient(options: ClientOptions): Client {
  if (typeof options.token !== 'string' && typeof options.token !== 'function') {
    throw new TypeError('The token must be an access token, or a function that returns one.');
  }
  return createExactClient<paths>({ ...options, shapes, describeError });
}

/** Reads the contract's `Error` object. */
function describeError(body: unknown, status: number): ErrorDescription {
  const { error: code, message } = Object(body) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'number' || typeof message !== 'string') return {};
  return { code, message, isNothingDone: status < 500 || NOTHING_DONE.includes(code) };
}
