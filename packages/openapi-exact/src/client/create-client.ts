import createFetchClient, {
  createQuerySerializer,
  type FetchResponse,
  type ParamsOption,
  type RequestBodyOption,
} from 'openapi-fetch';
import type { paths } from '../../../../generated/openapi.d.ts';
import { exactJson } from './exact-json.ts';
import { operationOf, parseSuccess, successOf } from './operation.ts';
import type { Sending } from './send-once.ts';
import { send } from './send.ts';
import { requireArguments } from './require-arguments.ts';
import { requireBaseUrl, requireCount, requireDuration, requireKnown } from './require-options.ts';
import { requireToken, type Token } from './token.ts';

export {
  ConnectionError,
  PlantStoreError,
  ResponseError,
  TimeoutError,
  type ClientError,
  type Outcome,
} from './client-error.ts';

/** Options of {@link createClient}. Times are in milliseconds; Infinity removes a limit. */
export interface ClientOptions {
  /** URL of the service, such as `http://127.0.0.1:3000`, or `location.origin` in a page. */
  readonly baseUrl: string | URL;
  /**
   * The access token, or a function that returns one. Each call runs the function once, and again
   * after a 401. A call rejects with what the function throws; the outcome is then unknown.
   */
  readonly token: Token;
  /** Timeout of a call with all its retries; 30,000 by default. */
  readonly timeout?: number;
  /** Timeout of one attempt; 10,000 by default. */
  readonly attemptTimeout?: number;
  /** Maximum number of retries; 5 by default. */
  readonly retries?: number;
  /**
   * Maximum bytes of the body of a success; 64 MiB by default. A longer body is a
   * {@link ResponseError}. The limit for the body of an error is 1 MiB.
   */
  readonly maxResponseBytes?: number;
}

/** Options of a call, in addition to its parameters and body. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Replaces the timeout of the client, in milliseconds. */
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
 * One function for each HTTP method, typed by the contract. A call resolves on success. It rejects
 * with a {@link ClientError}, the reason of `signal`, what the token function throws, or, before
 * anything is sent, with a TypeError or RangeError for a wrong argument.
 */
export type Client = { readonly [Method in Methods as Uppercase<Method>]: Call<Method> };

/**
 * Creates a client of a plant store. It retries 503 and 429 with Retry-After and refused
 * connections; for idempotent methods such as DELETE broken connections and timeouts too.
 * @throws TypeError for an unknown or wrong option, RangeError for a negative time.
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
  // Safe: every call of openapi-fetch has the form of `UntypedCall`.
  const api = createFetchClient<object>({
    baseUrl,
    bodySerializer: exactJson,
    // A redirect may lead to any host, and may turn a DELETE into a GET.
    redirect: 'manual',
    credentials: 'omit',
  }) as unknown as Record<keyof Client, UntypedCall>;

  async function call(method: keyof Client, path: string, callOptions: UntypedOptions = {}): Promise<Success<unknown>> {
    const name = `${method} ${path}`;
    const operation = operationOf(name);
    requireKnown(callOptions, CALL_OPTIONS, method);
    const { signal, params = {}, body } = callOptions;
    requireArguments(operation, { params, body });
    const sending: Sending = {
      baseUrl,
      token,
      timeout: requireDuration(callOptions.timeout ?? timeout, 'timeout'),
      attemptTimeout,
      retries,
      maxResponseBytes,
      signal,
      isSuccess: (status) => successOf(operation, status) !== undefined,
    };
    let sent: Promise<Response> | undefined;
    // openapi-fetch begins a second query where a path has one.
    const [pathname = '', ...fixed] = path.split('?');
    try {
      const { data, response } = await api[method](pathname, {
        params,
        querySerializer: (query: Readonly<Record<string, unknown>>) =>
          [...fixed, serializeQuery(query)].filter((part) => part !== '').join('&'),
        body,
        headers: operation.bodyType === undefined ? {} : { 'Content-Type': operation.bodyType },
        parseAs: 'text',
        fetch: (request: Request) => (sent = send(request, sending)),
      });
      return { data: parseSuccess(name, response, data), response };
    } catch (error) {
      // openapi-fetch ignores a falsy failure, such as the reason of `abort(0)`.
      await sent;
      throw error;
    }
  }

  // One function per key of Client; `operationOf` and `requireArguments` check the types at run
  // time.
  return Object.fromEntries(METHODS.map((method) => [method, call.bind(undefined, method)])) as unknown as Client;
}

const serializeQuery = createQuerySerializer();

const CLIENT_OPTIONS = ['baseUrl', 'token', 'timeout', 'attemptTimeout', 'retries', 'maxResponseBytes'];
const CALL_OPTIONS = ['params', 'body', 'signal', 'timeout'];
const METHODS: readonly (keyof Client)[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/** The options of a call without the contract's types. */
interface UntypedOptions extends CallOptions {
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly body?: unknown;
}

type UntypedCall = (path: string, options: object) => Promise<{ data?: unknown; response: Response }>;
