import type { HeaderValues } from './headers.ts';
import type { PartToSend } from '../http/part-item.ts';
import type { JsonOf } from './json-types.ts';

/** A body that is sent unchanged. */
type Sendable = Blob | ArrayBuffer | Uint8Array | string;

/** The items of a stream, or its bytes. */
type ItemsOf<Item> = AsyncIterable<Item> | readonly Item[] | Exclude<Sendable, string>;

/** The value to send for a media type of a request body. */
type RequestValue<Content, Type extends keyof Content> =
  Content[Type] extends AsyncIterable<infer Item>
    ? ItemsOf<Lowercase<Type & string> extends `multipart/${string}` ? PartToSend<Item> : Item>
    : Type extends JsonOf<Type>
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
export interface CallOptions<ParseAs, Throws> {
  /** Headers of this call, over those of the client and over its credentials. */
  readonly headers?: HeaderValues | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Replaces the timeout of the client, in milliseconds; of a stream until it begins. */
  readonly timeout?: number | undefined;
  /** `stream`: the data of a success are a ReadableStream of bytes, without a limit of them. */
  readonly parseAs?: ParseAs | undefined;
  /** false: a call resolves to `{ error, response }` for an error that the contract declares. */
  readonly throwHttpErrors?: Throws | undefined;
}

/** The options of a call. */
type Options<Operation, ParseAs, Throws> = ParamsOption<Operation> &
  BodyOption<Operation> &
  CallOptions<ParseAs, Throws>;

/** The options may be left out where nothing in them is required. */
export type Arguments<Operation, ParseAs, Throws> =
  object extends Options<Operation, ParseAs, Throws>
    ? [options?: Options<Operation, ParseAs, Throws>]
    : [options: Options<Operation, ParseAs, Throws>];
