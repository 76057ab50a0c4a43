import { withDefaults } from '../json/with-defaults.ts';
import { describeErrorOf, type DescribeError } from './describe-error.ts';
import { ContractPaths } from './contract-paths.ts';
import { isSuccess, operationOf, readError, readSuccess } from './operation.ts';
import { pathAndQuery, requestHeaders } from './parameters.ts';
import { requestBodyOf, type GivenBody } from './request-body.ts';
import { requireParameters, type CallParameters } from './require-parameters.ts';
import { requireBaseUrl, requireCount, requireDuration, requireKnown, requireShapes } from './require-options.ts';
import type { CallSending } from './send-once.ts';
import { send } from './send.ts';
import type { ContractShapes } from './shape.ts';
import { requireToken, type Token } from './token.ts';
import type { CallOptions, Client, ClientMethod, Success } from './types.ts';

/**
 * Options of {@link createClient}. Times are in milliseconds; Infinity removes a limit.
 * @example
 * const options: ClientOptions = {
 *   shapes, baseUrl: 'https://todos.example', token: 'secret', timeout: 5_000,
 * };
 */
export interface ClientOptions {
  /** The table `shapes` that `openapi-exact generate` writes beside the types. */
  readonly shapes: ContractShapes;
  /** URL of the service, such as `http://127.0.0.1:3000`, or `location.origin` in a page. */
  readonly baseUrl: string | URL;
  /**
   * A bearer token, or a function that returns one. Each call runs the function once, and again
   * after a 401. A call rejects with what the function throws; the outcome is then unknown.
   */
  readonly token?: Token | undefined;
  /** Headers of each request, such as an API key. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  /** Whether a browser sends cookies; `omit` by default. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** Timeout of a call with all its retries; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Timeout of one attempt; 10,000 by default. */
  readonly attemptTimeout?: number | undefined;
  /** Maximum number of retries; 5 by default. */
  readonly retries?: number | undefined;
  /**
   * Maximum bytes of the body of a success; 64 MiB by default. A longer body is a
   * {@link ResponseError}. The limit for the body of an error is 1 MiB.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Finds message, code and outcome in the body of an unsuccessful response. By default it reads
   * problem details (RFC 9457), `message`, `code` or `reason`, and a text of one line; and it takes
   * 503 with the reason `overloaded`, as openapi-exact refuses a body, for nothing done.
   */
  readonly describeError?: DescribeError | undefined;
}

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
export function createClient<Paths>(options: ClientOptions): Client<Paths> {
  requireKnown(options, CLIENT_OPTIONS, 'createClient');
  const { shapes, token } = options;
  const { headers, credentials, retries, maxResponseBytes, ...times } = withDefaults(options, DEFAULTS);
  requireShapes(shapes);
  const paths = new ContractPaths(shapes);
  const baseUrl = requireBaseUrl(options.baseUrl);
  if (token !== undefined) requireToken(token);
  const timeout = requireDuration(times.timeout, 'timeout');
  const attemptTimeout = requireDuration(times.attemptTimeout, 'attemptTimeout');
  requireCount(retries, 'retries');
  requireCount(maxResponseBytes, 'maxResponseBytes');
  async function call(method: ClientMethod, path: string, callOptions: UntypedOptions = {}): Promise<Success<unknown>> {
    const name = `${method} ${path}`;
    const operation = operationOf(shapes, name);
    requireKnown(callOptions, CALL_OPTIONS, method);
    const { signal } = callOptions;
    const { params, ...ownTimes } = withDefaults(callOptions, { params: {}, timeout });
    requireParameters(operation, shapes.schemas, params);
    const target = pathAndQuery(operation, path, params);
    paths.requireOwnPath(path, target.replace(/\?.*$/s, ''));
    const ownHeaders = requestHeaders(operation, headers, params);
    const { body, type } = requestBodyOf(name, operation, shapes, callOptions);
    if (type !== null) ownHeaders.set('Content-Type', type);
    // A redirect may lead to any host, and may turn a DELETE into a GET.
    const init = { method, headers: ownHeaders, body, redirect: 'manual', credentials } as const;
    const request = new Request(baseUrl + target, init);
    if (ownHeaders.has('Cookie') && !request.headers.has('Cookie'))
      throw new TypeError('A page cannot set cookies of a request: a browser sends its own (option credentials).');
    const sending: CallSending = {
      baseUrl,
      token,
      timeout: requireDuration(ownTimes.timeout, 'timeout'),
      attemptTimeout,
      retries,
      maxResponseBytes,
      signal,
      isSuccess: (status) => isSuccess(operation, status),
      readError: (response, bytes) => readError(shapes, operation, response, bytes),
      describeError: options.describeError ?? describeErrorOf(request),
    };
    const response = await send(request, sending);
    return { data: await readSuccess(name, shapes, operation, response), response };
  }

  // One function per key of Client: `operationOf` and `requireParameters` check the types at run
  // time.
  return Object.fromEntries(
    METHODS.map((method) => [method, call.bind(undefined, method)]),
  ) as unknown as Client<Paths>;
}

const DEFAULTS = {
  headers: {},
  credentials: 'omit',
  timeout: 30_000,
  attemptTimeout: 10_000,
  retries: 5,
  maxResponseBytes: 67_108_864,
} as const;

const CLIENT_OPTIONS: readonly (keyof ClientOptions)[] = [
  ...(['shapes', 'baseUrl', 'token', 'headers', 'credentials', 'timeout', 'attemptTimeout'] as const),
  ...(['retries', 'maxResponseBytes', 'describeError'] as const),
];
const CALL_OPTIONS = ['params', 'body', 'contentType', 'signal', 'timeout'];
const METHODS: readonly ClientMethod[] = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'];

/** The options of a call without the contract's types. */
interface UntypedOptions extends CallOptions, GivenBody {
  readonly params?: CallParameters | undefined;
}
