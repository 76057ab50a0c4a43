/** The keys of methods in the generated type `paths`. `fetch` does not send TRACE. */
type MethodKey = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch';

/** A method that the client can send. */
export type ClientMethod = Uppercase<MethodKey>;

/** The paths that have this method. */
type PathsWith<Paths, Key extends MethodKey> = {
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

/** The media types of JSON among others; the contract may write them in capitals. */
type JsonOf<Type> = Type extends string ? (Lowercase<Type> extends JsonMediaType ? Type : never) : never;

/** A body that is sent as it is. */
type Sendable = Blob | ArrayBuffer | Uint8Array | string;

/** The value to send for a media type of a request body. */
type RequestValue<Content, Type extends keyof Content> =
  Type extends JsonOf<Type>
    ? Content[Type]
    : Lowercase<Type & string> extends 'multipart/form-data'
      ? FormData
      : Lowercase<Type & string> extends `multipart/${string}`
        ? Blob
        : Lowercase<Type & string> extends 'application/x-www-form-urlencoded'
          ? URLSearchParams
          : Sendable;

/** The only member of a union; never of others. */
type Sole<Union, All = Union> = Union extends unknown ? ([All] extends [Union] ? Union : never) : never;

/** The type of a body that names none: the only one, or the only one of JSON. */
type SoleType<Types> = Exclude<
  [JsonOf<Types>] extends [never] ? Sole<Types> : Sole<JsonOf<Types>>,
  `${string}*${string}`
>;

/** The names of a media type: of a range such as `image/*`, those in it. */
type ContentTypeOf<Type> = Type extends '*/*'
  ? `${string}/${string}`
  : Type extends `${infer Start}*${infer End}`
    ? `${Start}${string}${End}`
    : Type;

/** Bodies that tell their media type. */
type SelfNamed<Content> = {
  [Type in keyof Content]: Type extends JsonOf<Type>
    ? never
    : Extract<RequestValue<Content, Type>, FormData | URLSearchParams | Blob>;
}[keyof Content];

/** A value under a range of media types that has JSON among others. */
type ValueInRange<Value> = [Value] extends [never]
  ? never
  : { readonly body: Value; readonly contentType: 'application/json' | `application/${string}+json` };

/** The body of an operation, with its media type unless that is known. */
type BodyOptions<Content> =
  | {
      [Type in keyof Content]:
        | { readonly body: RequestValue<Content, Type>; readonly contentType: ContentTypeOf<Type> }
        | (Type extends '*/*' | 'application/*' ? ValueInRange<Exclude<Content[Type], Sendable>> : never);
    }[keyof Content]
  | UnnamedBody<RequestValue<Content, SoleType<keyof Content>> | SelfNamed<Content>>;

/** Without a value, the compiler names the missing contentType. */
type UnnamedBody<Value> = [Value] extends [never] ? never : { readonly body: Value; readonly contentType?: undefined };

/** The value received for each media type of a response body. */
type ResponseContent<Content> = {
  [Type in keyof Content]: Type extends JsonOf<Type>
    ? Content[Type]
    : Lowercase<Type & string> extends `text/${string}`
      ? string
      : Blob;
}[keyof Content];

interface BodylessOptions {
  readonly body?: undefined;
  readonly contentType?: undefined;
}

type BodyOption<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? BodyOptions<Content>
  : Operation extends { requestBody?: { content: infer Content } | undefined }
    ? BodyOptions<Content> | BodylessOptions
    : BodylessOptions;

/** The parameters of an operation; a browser sends its own cookies. */
type ParamsOf<Groups> = Omit<Groups, 'cookie'> &
  (Groups extends { cookie?: infer Cookie } ? { readonly cookie?: Cookie } : unknown);

type ParamsOption<Operation> = Operation extends { parameters: infer Groups }
  ? object extends ParamsOf<Groups>
    ? { readonly params?: ParamsOf<Groups> | undefined }
    : { readonly params: ParamsOf<Groups> }
  : { readonly params?: undefined };

/** Options of a call, in addition to its parameters and body. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Replaces the timeout of the client, in milliseconds. */
  readonly timeout?: number | undefined;
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

/** Statuses without content, whatever the contract says (RFC 9110, 15.3.5 and 15.3.6). */
type WithoutContent = 204 | 205;

/** A range and `default` describe statuses without content, too. */
type BodyOfStatus<Status, Response> = Status extends WithoutContent
  ? undefined
  : Status extends number
    ? ResponseBodyOf<Response>
    : ResponseBodyOf<Response> | undefined;

/** The data of the statuses of success. */
type DataOfStatuses<Responses> = {
  [Status in SuccessKey<Responses>]: BodyOfStatus<Status, Responses[Status]>;
}[SuccessKey<Responses>];

/** The response to HEAD has no body. */
type DataOf<Operation, Key extends MethodKey> = Key extends 'head'
  ? undefined
  : Operation extends { responses: infer Responses }
    ? DataOfStatuses<Responses>
    : never;

/** The answer to a call that succeeded. */
export interface Success<Data> {
  /**
   * The body: JSON parsed, with a `bigint` for each int64; a string for text; a Blob for any other
   * media type; undefined for a response without body, such as 204 and one to HEAD.
   */
  readonly data: Data;
  /** Its status and headers; the body has been read. */
  readonly response: Response;
}

/** Calls an operation: its path as the contract writes it, then its parameters and body. */
type Call<Paths, Key extends MethodKey> = <Path extends PathsWith<Paths, Key>>(
  path: Path,
  ...options: Arguments<OperationOfPath<Paths[Path], Key>>
) => Promise<Success<DataOf<OperationOfPath<Paths[Path], Key>, Key>>>;

/**
 * One function for each HTTP method, typed by the contract. A call resolves on success. It rejects
 * with a {@link ClientError}, the reason of `signal`, what the token function throws, or, before
 * anything is sent, with a TypeError or RangeError for a wrong argument.
 * @example const { data } = await client.GET('/todos/{id}', { params: { path: { id: 7n } } });
 */
export type Client<Paths> = { readonly [Key in MethodKey as Uppercase<Key>]: Call<Paths, Key> };
