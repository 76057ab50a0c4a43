import type { Arguments } from './request-types.ts';
import type { DataOf, FailedCallOf, SuccessfulCall } from './response-types.ts';

/** The keys of methods in the generated type `paths`. `fetch` does not send TRACE. */
type MethodKey = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'query';

/** A method that the client can send. */
export type ClientMethod = Uppercase<MethodKey>;

/** The paths that have this method. */
type PathsWith<Paths, Key extends MethodKey> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Key, object> ? Path : never;
}[keyof Paths];

type OperationOfPath<PathItem, Key extends MethodKey> =
  PathItem extends Record<Key, infer Operation> ? Operation : never;

/** The results of a call, by its options `parseAs` and `throwHttpErrors`. */
type Result<Operation, Key extends string, ParseAs, Throws> =
  | SuccessfulCall<DataOf<Operation, Key, ParseAs>>
  | (Throws extends false ? FailedCallOf<Operation, Key> : never);

/** Calls an operation: its path as the contract writes it, then its parameters and body. */
type Call<Paths, Key extends MethodKey> = <
  Path extends PathsWith<Paths, Key>,
  ParseAs extends 'stream' | undefined = undefined,
  Throws extends boolean | undefined = undefined,
>(
  path: Path,
  ...options: Arguments<OperationOfPath<Paths[Path], Key>, ParseAs, Throws>
) => Promise<Result<OperationOfPath<Paths[Path], Key>, Key, ParseAs, Throws>>;

/** The methods of a path item beside those with functions of their own. */
type OtherMethodOf<PathItem> = PathItem extends { additionalOperations: infer Operations }
  ? keyof Operations & string
  : never;

/** Each method of a path item that the client can send. */
type MethodOf<PathItem> =
  | { [Key in MethodKey]: PathItem extends Record<Key, object> ? Uppercase<Key> : never }[MethodKey]
  | OtherMethodOf<PathItem>;

/** The operation of a method as sent. */
type OperationOfMethod<PathItem, Method extends string> = Method extends ClientMethod
  ? OperationOfPath<PathItem, Lowercase<Method>>
  : PathItem extends { additionalOperations: Record<Method, infer Operation> }
    ? Operation
    : never;

/** Calls an operation of any method: the method, then what {@link Call} takes. */
type RequestCall<Paths> = <
  Method extends { [Path in keyof Paths]: MethodOf<Paths[Path]> }[keyof Paths],
  Path extends { [Path in keyof Paths]: Method extends MethodOf<Paths[Path]> ? Path : never }[keyof Paths],
  ParseAs extends 'stream' | undefined = undefined,
  Throws extends boolean | undefined = undefined,
>(
  method: Method,
  path: Path,
  ...options: Arguments<OperationOfMethod<Paths[Path], Method>, ParseAs, Throws>
) => Promise<Result<OperationOfMethod<Paths[Path], Method>, Lowercase<Method>, ParseAs, Throws>>;

/**
 * One function for each common HTTP method, and `request` for any, typed by the contract. A call
 * resolves on success. It rejects with a {@link ClientError}, the reason of `signal`, an error of
 * the options' functions, or a TypeError or RangeError for a wrong argument, before it is sent.
 * @example const { data } = await client.GET('/todos/{id}', { params: { path: { id: 7n } } });
 */
export type Client<Paths> = { readonly [Key in MethodKey as Uppercase<Key>]: Call<Paths, Key> } & {
  /** Calls an operation of any method, such as `client.request('LINK', '/todos/{id}', …)`. */
  readonly request: RequestCall<Paths>;
};
