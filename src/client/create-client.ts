import createFetchClient, { type FetchResponse, type ParamsOption, type RequestBodyOption } from 'openapi-fetch';
import type { paths } from '../../generated/openapi.d.ts';
import { requireBaseUrl } from './base-url.ts';
import { requireDuration } from './duration.ts';
import { exactJson } from './exact-json.ts';
import { operationOf } from './operation.ts';
import { send, type Sending } from './send.ts';
import { requireKnown } from './require-known.ts';
import { requireToken, type Token } from './token.ts';

export {
  ConnectionError,
  PlantStoreError,
  ResponseError,
  TimeoutError,
  type ClientError,
  type Outcome,
} from './plant-store-error.ts';

/** What a client is made of. Times are in milliseconds, 0 or more; Infinity is for no limit. */
export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:3000`; in a page of the same origin `location.origin`. */
  readonly baseUrl: string | URL;
  /**
   * The access token, or a function that gets one; it is asked for every call, and once more when a token is refused. What
   * the function throws, the call rejects with; the second time an attempt may have been carried out before.
   */
  readonly token: Token;
  /** For a call with all its repetitions; 30,000 by default. */
  readonly timeout?: number;
  /** For one attempt; 10,000 by default. */
  readonly attemptTimeout?: number;
  /** How often a call is repeated at most; 5 by default, 0 for never; Infinity is for no limit. */
  readonly retries?: number;
  /**
   * How many bytes of the body of a success are read at most; 64 MiB by default; Infinity is for no limit. A longer one is
   * a {@link ResponseError}. Of the body of a failure 1 MiB is read at most.
   */
  readonly maxResponseBytes?: number;
}

/** What a call may have beside what the contract asks for. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Instead of the client's own. */
  readonly timeout?: number;
}

type Methods = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';

/** The paths that have this method. */
type PathsWith<Method extends Methods> = {
  [Path in keyof paths]: paths[Path] extends Record<Method, object> ? Path : never;
}[keyof paths];

type OperationOf<Path, Method> = Path extends keyof paths
  ? Method extends keyof paths[Path]
    ? NonNullable<paths[Path][Method]>
    : never
  : never;

type Options<Operation> = ParamsOption<Operation> & RequestBodyOption<Operation> & CallOptions;

/** The options may be left out where nothing in them is required. */
type Arguments<Operation> = object extends Options<Operation> ? [options?: Options<Operation>] : [Options<Operation>];

/** The answer to a call that succeeded. */
export interface Success<Data> {
  /** The body; an int64 in it is a `bigint`. Undefined for a status without body. */
  readonly data: Data;
  /** Its status and headers; the body has been read. */
  readonly response: Response;
}

type DataOf<Operation> =
  Operation extends Record<string | number, unknown>
    ? Extract<FetchResponse<Operation, object, 'application/json'>, { error?: never }>['data']
    : never;

/** Calls an operation: its path as the contract writes it, then its parameters and body. */
export type Call<Method extends Methods> = <Path extends PathsWith<Method>>(
  path: Path,
  ...options: Arguments<OperationOf<Path, Method>>
) => Promise<Success<DataOf<OperationOf<Path, Method>>>>;

/**
 * A function for each method of HTTP, typed by the contract. A call resolves when the service has answered with success, and
 * rejects otherwise: with a {@link ClientError}, with the reason of the `signal`, with what the function for tokens throws, or
 * with a TypeError or RangeError when an argument is not what the types say, before anything is sent.
 */
export type Client = { readonly [Method in Methods as Uppercase<Method>]: Call<Method> };

/**
 * Makes a client of a plant store.
 *
 * Repeated are, after the pause that the service asks for or a growing one: 503 and 429 with Retry-After, connections that were
 * refused, and for methods that are idempotent, as DELETE is, connections that broke and attempts that took too long.
 * @throws TypeError or RangeError when an option is not what the types say.
 */
export function createClient(options: ClientOptions): Client {
  requireKnown(options, CLIENT_OPTIONS, 'createClient');
  const { token, retries = 5, maxResponseBytes = 67_108_864 } = options;
  const baseUrl = requireBaseUrl(options.baseUrl);
  requireToken(token);
  const timeout = requireDuration(options.timeout ?? 30_000, 'timeout');
  const attemptTimeout = requireDuration(options.attemptTimeout ?? 10_000, 'attemptTimeout');
  requireCount(retries, 'retries');
  requireCount(maxResponseBytes, 'maxResponseBytes');
  // Its types follow a contract call by call; what calls have in common is this. The types of calls are those above.
  const api = createFetchClient<object>({
    baseUrl,
    bodySerializer: exactJson,
    // A redirection may lead anywhere, and make a GET of a DELETE.
    redirect: 'manual',
    credentials: 'omit',
  }) as unknown as Record<keyof Client, UntypedCall>;

  async function call(method: keyof Client, path: string, callOptions: UntypedOptions = {}): Promise<Success<unknown>> {
    const operation = operationOf(method, path);
    requireKnown(callOptions, CALL_OPTIONS, method);
    const { signal, params = {}, body } = callOptions;
    operation.requireArguments({ params, body });
    const sending: Sending = {
      baseUrl,
      token,
      timeout: requireDuration(callOptions.timeout ?? timeout, 'timeout'),
      attemptTimeout,
      retries,
      maxResponseBytes,
      signal,
      isSuccess: operation.isSuccess,
    };
    let sent: Promise<Response> | undefined;
    try {
      const { data, response } = await api[method](path, {
        params,
        body,
        parseAs: 'text',
        fetch: (request: Request) => (sent = send(request, sending)),
      });
      return { data: operation.parse(response, data), response };
    } catch (error) {
      // openapi-fetch goes on after a failure that is falsy, such as the reason of `abort(0)`.
      await sent;
      throw error;
    }
  }

  // One for each key of Client; `operationOf` and `requireArguments` check at run time what the types say.
  return Object.fromEntries(METHODS.map((method) => [method, call.bind(undefined, method)])) as unknown as Client;
}

function requireCount(value: unknown, name: string): void {
  if (value === Infinity || (Number.isInteger(value) && Number(value) >= 0)) return;
  throw new TypeError(`${name} must be a whole number, 0 or more, or Infinity for no limit.`);
}

const CLIENT_OPTIONS = ['baseUrl', 'token', 'timeout', 'attemptTimeout', 'retries', 'maxResponseBytes'];
const CALL_OPTIONS = ['params', 'body', 'signal', 'timeout'];
const METHODS: readonly (keyof Client)[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/** What the types of a call come to when the contract is forgotten. */
interface UntypedOptions extends CallOptions {
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
}

type UntypedCall = (path: string, options: object) => Promise<{ data?: unknown; response: Response }>;
