import { withDefaults } from '../json/with-defaults.ts';
import type { AnyFormats } from '../schema/codec.ts';
import { clientPlaces, type ClientPlaces } from './client-places.ts';
import { ContractPaths } from './contract-paths.ts';
import {
  requireCredentials,
  requireToken,
  type AnySecuritySchemes,
  type ClientCredentials,
  type GivenCredentials,
  type Provided,
} from './credentials.ts';
import type { DescribeError } from './describe-error.ts';
import { requireHeaders, type HeaderValues } from './headers.ts';
import type { Fetch, Hooks, OnRequest, OnResponse } from './hooks.ts';
import {
  requireBaseUrl,
  requireCount,
  requireDuration,
  requireFormats,
  requireFunctions,
  requireKnown,
  requireOneOf,
  requireShapes,
} from './require-options.ts';
import type { ContractShapes } from './shape.ts';

/**
 * Options of {@link createClient}. Times are in milliseconds; Infinity removes a limit.
 * @example
 * const options: ClientOptions = {
 *   shapes, baseUrl: 'https://todos.example', token: 'secret', timeout: 5_000,
 * };
 */
export interface ClientOptions<SecuritySchemes = AnySecuritySchemes> {
  /** The table `shapes` that `openapi-exact generate` writes beside the types. */
  readonly shapes: ContractShapes;
  /** URL of the service, such as `http://127.0.0.1:3000`, or `location.origin` in a page. */
  readonly baseUrl: string | URL;
  /**
   * A bearer token, or a function that returns one. Each call runs the function once, and again
   * after a 401. A call rejects with what the function throws; the outcome is then unknown.
   */
  readonly token?: Provided<string> | undefined;
  /**
   * Credentials by the names of the contract's security schemes, or functions that return them, as
   * for `token`. An operation gets those of its first requirement for which all are given.
   */
  readonly credentials?: ClientCredentials<SecuritySchemes> | undefined;
  /** Headers of each request, or a function that returns them, which each call runs once. */
  readonly headers?: Provided<HeaderValues> | undefined;
  /** Whether a browser sends its cookies (`credentials` of `fetch`); `omit` by default. */
  readonly cookies?: CookieMode | undefined;
  /**
   * Custom formats, by name: `validate` checks their texts, `decode` and `encode` turn them
   * into values and back, at each place that `openapi-exact generate --format` has written.
   */
  readonly formats?: AnyFormats | undefined;
  /** Sends requests; the global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
  /** Runs before each attempt; may return another Request, or a Response without sending. */
  readonly onRequest?: OnRequest | undefined;
  /** Runs for each response, before its body is read; may return another Response. */
  readonly onResponse?: OnResponse | undefined;
  /** Timeout of a call with all its retries; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Timeout of one attempt; 10,000 by default. */
  readonly attemptTimeout?: number | undefined;
  /** Maximum number of retries; 5 by default. */
  readonly retries?: number | undefined;
  /**
   * Maximum bytes of the body of a success; 64 MiB by default. A longer body is a
   * {@link ResponseError}. The limit for the body of an error is 1 MiB; a stream has none.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Finds message, code and outcome in the body of an unsuccessful response. By default it reads
   * problem details (RFC 9457), `message`, `code` or `reason`, and a text of one line; and it takes
   * 503 with the reason `overloaded`, as openapi-exact refuses a body, for nothing done.
   */
  readonly describeError?: DescribeError | undefined;
}

/** When a browser sends the cookies that it has for the service. */
type CookieMode = 'omit' | 'same-origin' | 'include';

/** The options without the names of the contract's security schemes. */
type UntypedClientOptions = Omit<ClientOptions, 'credentials'> & { readonly credentials?: object | undefined };

/** The options of a client, validated and with their defaults. */
export interface ClientSettings extends Hooks, GivenCredentials {
  readonly shapes: ContractShapes;
  readonly paths: ContractPaths;
  readonly places: ClientPlaces;
  readonly baseUrl: string;
  readonly headers: Provided<HeaderValues>;
  readonly cookies: CookieMode;
  readonly timeout: number;
  readonly attemptTimeout: number;
  readonly retries: number;
  readonly maxResponseBytes: number;
  readonly describeError: DescribeError | undefined;
}

const DEFAULTS = {
  formats: {},
  credentials: {},
  headers: {},
  cookies: 'omit',
  fetch: (request: Request): Promise<Response> => globalThis.fetch(request),
  timeout: 30_000,
  attemptTimeout: 10_000,
  retries: 5,
  maxResponseBytes: 67_108_864,
} as const;

/**
 * Validates the options of a client; an undefined option is its default.
 * @throws TypeError for an unknown or wrong option, RangeError for a negative time.
 */
export function clientSettings(options: UntypedClientOptions): ClientSettings {
  requireKnown(options, CLIENT_OPTIONS, 'createClient');
  const { shapes, token, onRequest, onResponse, describeError } = options;
  const { formats, credentials, headers, cookies, fetch, ...numbers } = withDefaults(options, DEFAULTS);
  requireShapes(shapes);
  requireFormats(formats, shapes);
  requireToken(token);
  requireCredentials(credentials, shapes);
  if (typeof headers !== 'function') requireHeaders(headers);
  requireOneOf(cookies, COOKIES, 'cookies');
  requireFunctions({ fetch, onRequest, onResponse, describeError });
  for (const name of ['timeout', 'attemptTimeout'] as const) requireDuration(numbers[name], name);
  for (const name of ['retries', 'maxResponseBytes'] as const) requireCount(numbers[name], name);
  return {
    ...{ shapes, paths: new ContractPaths(shapes), places: clientPlaces(shapes, formats) },
    baseUrl: requireBaseUrl(options.baseUrl),
    ...{ token, credentials, headers, cookies, fetch, onRequest, onResponse, describeError },
    ...numbers,
  };
}

const CLIENT_OPTIONS: readonly string[] = [
  ...(['shapes', 'baseUrl', 'token', 'onRequest', 'onResponse', 'describeError'] satisfies (keyof ClientOptions)[]),
  ...Object.keys(DEFAULTS),
];
const COOKIES: readonly CookieMode[] = ['omit', 'same-origin', 'include'];
