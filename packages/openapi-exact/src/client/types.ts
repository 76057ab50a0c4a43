import type { ParamsOption } from 'openapi-fetch';

/** The keys of methods in the generated type `paths`. */
type MethodKey = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';

/** A method that a contract can declare. */
export type Method = Uppercase<MethodKey>;

/** The paths that have this method. */
export type PathsWith<Paths, Key extends MethodKey> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Key, object> ? Path : never;
}[keyof Paths];

type OperationOfPath<PathItem, Key extends MethodKey> =
  PathItem extends Record<Key, infer Operation> ? Operation : never;

/** Media types of JSON, parameters included. */
type JsonMediaType =
  | 'application/json'
  | `${string}/json`
  | `${string}+json`
  | `${string}/json;${string}`
  | `${string}+json;${string}`;

/** The value to send for each media type of a request body. */
type RequestContent<Content> = {
  [Type in keyof Content]: Type extends JsonMediaType
    ? Content[Type]
    : Type extends `multipart/${string}`
      ? FormData
      : Type extends 'application/x-www-form-urlencoded'
        ? URLSearchParams
        : Blob | ArrayBuffer | Uint8Array | string;
}[keyof Content];

/** The value received for each media type of a response body. */
type ResponseContent<Content> = {
  [Type in keyof Content]: Type extends JsonMediaType ? Content[Type] : Type extends `text/${string}` ? string : Blob;
}[keyof Content];

type BodyOption<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { readonly body: RequestContent<Content> }
  : Operation extends { requestBody?: { content: infer Content } | undefined }
    ? { readonly body?: RequestContent<Content> }
    : { readonly body?: never };

/** Options of a call, in addition to its parameters and body. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Replaces the timeout of the client, in milliseconds. */
  readonly timeout?: number;
}

type Options<Operation> = ParamsOption<Operation> & BodyOption<Operation> & CallOptions;

/** The options may be left out where nothing in them is required. */
type Arguments<Operation> = object extends Options<Operation> ? [options?: Options<Operation>] : [Options<Operation>];

/** The statuses of success: those of 2xx, or else `default`. */
type SuccessKey<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${string}` ? Status : never;
}[keyof Responses] extends infer Declared
  ? [Declared] extends [never]
    ? Extract<keyof Responses, 'default'>
    : Declared & keyof Responses
  : never;

type ResponseBodyOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? undefined
    : ResponseContent<Content>
  : undefined;

type DataOf<Operation> = Operation extends { responses: infer Responses }
  ? ResponseBodyOf<Responses[SuccessKey<Responses>]>
  : never;

/** The answer to a call that succeeded. */
export interface Success<Data> {
  /**
   * The body: JSON parsed, with a `bigint` for each int64; a string for text; a Blob for any other
   * media type; undefined for a status without body.
   */
  readonly data: Data;
  /** Its status and headers; the body has been read. */
  readonly response: Response;
}

/** Calls an operation: its path as the contract writes it, then its parameters and body. */
export type Call<Paths, Key extends MethodKey> = <Path extends PathsWith<Paths, Key>>(
  path: Path,
  ...options: Arguments<OperationOfPath<Paths[Path], Key>>
) => Promise<Success<DataOf<OperationOfPath<Paths[Path], Key>>>>;

/**
 * One function for each HTTP method, typed by the contract. A call resolves on success. It rejects
 * with a {@link ClientError}, the reason of `signal`, what the token function throws, or, before
 * anything is sent, with a TypeError or RangeError for a wrong argument.
 * @example const { data } = await client.GET('/todos/{id}', { params: { path: { id: 7n } } });
 */
export type Client<Paths> = { readonly [Key in MethodKey as Uppercase<Key>]: Call<Paths, Key> };
