/**
 * Types that turn the `operations` of openapi-typescript into the types of handlers. They are the
 * contract's hold on the code: what the contract does not declare does not compile.
 */

import type { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Part } from './bodies/part-readers.ts';
import type { PartToSend } from './http/part-item.ts';
import type { DefaultStatus, FinalStatus, Statuses, StatusOf, WithoutContent } from './http/status-types.ts';
import type { ServerSentEvent } from './response/event-stream.ts';
import type { SECURITY_HEADERS } from './response/respond.ts';
import type { Principal } from './security/verifier.ts';

/** The shape in which openapi-typescript describes one operation. */
export interface OperationType {
  parameters: { path?: unknown; query?: unknown; header?: unknown; cookie?: unknown };
  requestBody?: unknown;
  responses: object;
  /** Present where the contract lets no anonymous request in. */
  security?: 'required';
  /** Present where the query is one value that a request may lack. */
  querystring?: 'optional';
  /** The values that defaults fill in, by group of parameters, or as `body` by media type. */
  filled?: object;
}

/** Any operation. */
interface AnyOperation {
  parameters: Readonly<Record<'path' | 'query' | 'header' | 'cookie', Readonly<Record<string, unknown>>>>;
  responses: object;
}

/** A key that is written out, as opposed to an index signature. */
type Known<Key> = string extends Key ? never : number extends Key ? never : Key;

/** An object type without its index signature. */
type KnownOnly<T> = { [Key in keyof T as Known<Key>]: T[Key] };

/**
 * Bytes of a response, at once or as a stream.
 * @example const body: Bytes = createReadStream('photo.jpg');
 */
export type Bytes = Uint8Array | Readable | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * The kind of a media type, as in http/media-type.ts. The contract writes media types as it
 * likes, also with parameters and capitals.
 */
type BodyKindOf<Type> = Type extends `${infer Essence};${string}`
  ? KindOfEssence<Lowercase<Essence>>
  : KindOfEssence<Lowercase<Type & string>>;

type KindOfEssence<Type> = Type extends `${string}/*`
  ? 'range'
  : Type extends `${string}/json` | `${string}+json`
    ? 'json'
    : Type extends 'application/x-www-form-urlencoded'
      ? 'form'
      : Type extends `multipart/${string}`
        ? 'multipart'
        : Type extends `${'application' | 'text'}/${'' | `${string}+`}xml`
          ? 'xml'
          : Type extends 'text/event-stream'
            ? 'events'
            : Type extends `text/${string}`
              ? 'text'
              : 'bytes';

type HasJson<Content> = 'json' extends { [Type in keyof Content]: BodyKindOf<Type> }[keyof Content] ? true : false;

/** The media types that are served: XML is not where JSON is an alternative to it. */
type Served<Content> = {
  [
    Type in keyof Content as BodyKindOf<Type> extends 'xml' ? (HasJson<Content> extends true ? never : Type) : Type
  ]: Content[Type];
};

/** A media type as handlers name it: `image/*` includes `image/png` and others. */
type NameOf<Type> = Type extends '*/*'
  ? `${string}/${string}`
  : Type extends `${infer Group}/*`
    ? `${Group}/${string}`
    : Type extends `${infer Group}/*+${infer Suffix}`
      ? `${Group}/${string}+${Suffix}`
      : Type;

/** A media type of a response: the bytes of a multipart body have a boundary. */
type ResponseNameOf<Type> =
  | NameOf<Type>
  | (BodyKindOf<Type> extends 'multipart' ? `${NameOf<Type> & string}; boundary=${string}` : never);

/** The parts of a multipart body: each property is a field, or a file with its bytes as `body`. */
type PartOf<Value> = Value extends object
  ? {
      [Name in keyof KnownOnly<Value> & string]: TypedPart<Name, ItemOf<NonNullable<Value[Name & keyof Value]>>>;
    }[keyof KnownOnly<Value> & string]
  : Part;

/** A part that no property can be told to describe: only a form requires names. */
type NamelessPart<Type> = Type extends `multipart/form-data${string}` ? never : Part & { readonly name: '' };

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

type TypedPartHead<Name> = Omit<Part, 'name' | 'value' | 'body'> & { readonly name: Name };

type TypedPart<Name, Value> =
  | (TypedPartHead<Name> & { readonly value: Value; readonly body?: never })
  | (TypedPartHead<Name> & { readonly value?: never; readonly body: Readable });

/** A text is one scalar, where its schema has one, or else handed over unchanged. */
type TextOf<Value> = unknown extends Value ? string : [ScalarOf<Value>] extends [never] ? string : ScalarOf<Value>;

/** The scalars of JSON, and the values of custom formats. */
type ScalarOf<Value> = Value extends object ? Own<Value> : Value;

/** A value of a custom format, which unlike JSON has methods; never for an object of JSON. */
type Own<Value extends object> = Value extends readonly unknown[]
  ? never
  : true extends { [Key in keyof Value]-?: Value[Key] extends (...given: never) => unknown ? true : false }[keyof Value]
    ? Value
    : never;

/** The body of a request, by the kind of its media type. */
interface RequestBodies<Value, Type> {
  json: Value;
  form: Value;
  multipart: AsyncIterable<PartOf<Value> | NamelessPart<Type>>;
  events: TextOf<Value>;
  text: TextOf<Value>;
  xml: string;
  bytes: Readable;
  range: Value | AsyncIterable<PartOf<Value> | NamelessPart<Type>> | Readable;
}

/**
 * A value to send. With `exactOptionalPropertyTypes` too, an optional property may be undefined,
 * which is left out. A list may be read-only.
 */
type Given<Value> = Value extends readonly (infer Item)[]
  ? Item[] extends Value
    ? readonly Given<Item>[]
    : { readonly [Index in keyof Value]: Given<Value[Index]> }
  : Value extends object
    ? [Own<Value>] extends [never]
      ? { [Name in keyof Value]: Given<Value[Name]> | (Nothing extends Pick<Value, Name> ? undefined : never) }
      : Value
    : Value;

/** The values of custom formats among others. */
type OwnIn<Value> = unknown extends Value ? never : Value extends object ? Own<Value> : never;

/** The body of a response, by the kind of its media type. */
interface ResponseBodies<Value, Type> {
  json: Given<Value>;
  form: Bytes | string;
  multipart: Bytes;
  events: AsyncIterable<ServerSentEvent | string>;
  text: Bytes | string | OwnIn<Value>;
  xml: Bytes | string;
  // An image in SVG, for example, is a text to who writes it.
  bytes: Type extends `${string}+xml${string}` ? Bytes | string : Bytes;
  range: Given<Value> | Bytes;
}

/** The items of a response, each of which is checked when it is sent. */
type ItemsToSend<Item> = AsyncIterable<Item> | ReadableStream<Item> | readonly Item[];

/** The event without fields, which no client sees. */
type KeepAlive<Type> = BodyKindOf<Type> extends 'events' ? Readonly<Record<string, never>> : never;

/** A body with its media type, which tells what the body is. */
type TypedBody<Content> = {
  [Type in keyof Content]: {
    readonly contentType: NameOf<Type>;
    readonly body: Content[Type] extends AsyncIterable<unknown>
      ? Content[Type]
      : RequestBodies<Content[Type], Type>[BodyKindOf<Type>];
  };
}[keyof Content];

interface NothingReceived {
  readonly contentType: undefined;
  readonly body: undefined;
}

type ContentBody<RequestBody, Filled> = RequestBody extends { content: infer Content }
  ? TypedBody<Served<{ [Type in keyof Content]: WithFilled<Content[Type], FilledAt<Filled, Type>> }>>
  : NothingReceived;

/** A value with the properties that defaults fill in, here and inside. */
type WithFilled<Value, Filled> =
  Value extends AsyncIterable<infer Item>
    ? AsyncIterable<Filled extends { items: infer Items } ? WithFilled<Item, Items> : Item>
    : Value extends readonly (infer Item)[]
      ? Filled extends { items: infer Items }
        ? WithFilled<Item, Items>[]
        : Value
      : Value extends object
        ? WithNames<WithInside<Value, Filled>, Filled>
        : Value;

type WithNames<Value, Filled> = Filled extends { names: infer Names }
  ? Value & Required<Pick<Value, Names & keyof Value>>
  : Value;

type WithInside<Value, Filled> = Filled extends { properties: object } | { others: object }
  ? { [Name in keyof Value]: WithFilled<Value[Name], InsideOf<Filled, Name>> }
  : Value;

/** The defaults at a property. */
type InsideOf<Filled, Name> = Filled extends { properties: Record<Name & string, infer Inside> }
  ? Inside
  : Filled extends { others: infer Others }
    ? Others
    : Nothing;

/** The defaults at a key, if any. */
type FilledAt<Filled, Key> = Filled extends Record<Key & string, infer Inside> ? Inside : Nothing;

/** The defaults of an operation. */
type FilledOf<Op> = Op extends { filled: infer Filled } ? Filled : Nothing;

type FilledBody<Op> = FilledOf<Op> extends { body: infer Filled } ? Filled : Nothing;

/**
 * The request of an operation: validated, exact, and free of HTTP. `User` is what the verifiers
 * return, `Context` what the option `context` returns.
 * @example
 * function idOf({ params: { id } }: OperationRequest<operations['getTodo']>): bigint {
 *   return id;
 * }
 */
export type OperationRequest<Op extends OperationType, User = Principal, Context = undefined> = RequestHead<Op> &
  RequestBodyOf<Op> &
  WithPrincipal<Op, User> &
  WithContext<Context>;

/** The request of any operation. */
export type AnyRequest = RequestHead<AnyOperation> & {
  readonly principal?: Principal | undefined;
  readonly context?: unknown;
  readonly contentType: string | undefined;
  readonly body: unknown;
};

type RequestBodyOf<Op extends OperationType> = ContentBody<Op['requestBody'], FilledBody<Op>>;

interface RequestHead<Op extends OperationType> {
  /** The parameters of the path. */
  readonly params: WithFilled<Present<Op['parameters']['path']>, FilledAt<FilledOf<Op>, 'path'>>;
  /** The parameters of the query, or what the whole query is. */
  readonly query:
    | WithFilled<Present<Op['parameters']['query']>, FilledAt<FilledOf<Op>, 'query'>>
    | (Op extends { querystring: 'optional' } ? undefined : never);
  /** The header parameters that the contract declares, under the names it gives them. */
  readonly headers: WithFilled<Present<Op['parameters']['header']>, FilledAt<FilledOf<Op>, 'header'>>;
  /** The cookies that the contract declares. */
  readonly cookies: WithFilled<Present<Op['parameters']['cookie']>, FilledAt<FilledOf<Op>, 'cookie'>>;
  /**
   * The media types of the response that the client accepts, best first; undefined when the
   * contract offers one only.
   */
  readonly accepts?: readonly string[] | undefined;
  /** Ends when the client leaves or the time is up. */
  readonly signal: AbortSignal;
}

/** The authenticated client; undefined for an anonymous request, where the contract allows it. */
type WithPrincipal<Op, User> = Op extends { security: 'required' }
  ? { readonly principal: User }
  : { readonly principal?: User | undefined };

/** The body as it came, where the option `keepBytes` keeps it. */
type WithBytes<Op, IsKept> = IsKept extends true
  ? { readonly bytes: Op extends { requestBody: object } ? Buffer : Buffer | undefined }
  : unknown;

/** What the option `context` has returned. */
type WithContext<Context> = undefined extends Context ? { readonly context?: Context } : { readonly context: Context };

/** `never` and optional groups of parameters become objects that can be destructured. */
type Present<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>;

/** An object in which no property is declared. */
type Nothing = object;

/** Headers that need no declaration, as in declared-response.ts. */
type CommonHeaders = { [Name in keyof typeof SECURITY_HEADERS]?: string | undefined };

type HeadersOf<R> = R extends { headers: infer Headers }
  ? Flat<Given<DeclaredHeaders<Headers>> & CommonHeaders>
  : CommonHeaders;

/** Without Content-Type, whose declaration OpenAPI ignores. */
type DeclaredHeaders<Headers> = {
  [Name in keyof Headers as Lowercase<Known<Name> & string> extends 'content-type' ? never : Known<Name>]: HeaderValue<
    Lowercase<Name & string>,
    Headers[Name]
  >;
};

/** The contract describes one Set-Cookie; a response may have several. */
type HeaderValue<Name, Value> = Name extends 'set-cookie' ? Value | readonly string[] : Value;

/**
 * Headers are required if the contract requires one. Otherwise they may be `{}`, to which the
 * compiler adds, as optional, the header names of the handler's other responses.
 */
type WithHeaders<Headers> = Nothing extends Headers
  ? { headers?: Headers | Readonly<Record<string, never>> | undefined }
  : { headers: Headers };

/**
 * Stands for "no body". With `never` or `undefined`, TypeScript (5.9, exactOptionalPropertyTypes)
 * would discriminate responses by it and miss a missing body.
 */
interface NoBody {
  readonly 'The contract declares no body for this status.': never;
}

/** A type with more than one member. */
type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never;

/** True for types that are identical: being assignable to each other is less. */
type IsSame<Left, Right> =
  (<T>(value: T) => T extends Left ? 1 : 2) extends <T>(value: T) => T extends Right ? 1 : 2 ? true : false;

/** True where all media types are JSON of the same type, so that the client may choose. */
type IsSameJson<Content> = {
  [Type in keyof Content]: BodyKindOf<Type> extends 'json'
    ? { [Name in keyof Content]: IsSame<Content[Type], Content[Name]> }[keyof Content]
    : false;
}[keyof Content];

/** Must be given when the body depends on it, and for a range such as `image/*`. */
type WithContentType<Content, Type> = Type extends `${string}*+${string}`
  ? { contentType: ResponseNameOf<Type> }
  : IsUnion<keyof Content> extends true
    ? IsSameJson<Content> extends true
      ? { contentType?: ResponseNameOf<Type> | undefined }
      : { contentType: ResponseNameOf<Type> }
    : Type extends '*/*' | 'application/*' | 'text/*'
      ? { contentType?: ResponseNameOf<Type> | undefined }
      : BodyKindOf<Type> extends 'range'
        ? { contentType: ResponseNameOf<Type> }
        : { contentType?: ResponseNameOf<Type> | undefined };

type ContentOf<Types> = {
  [Type in keyof Types]: WithContentType<Types, Type> & {
    body: Types[Type] extends AsyncIterable<infer Item>
      ? ItemsToSend<BodyKindOf<Type> extends 'multipart' ? Given<PartToSend<Item>> : Given<Item> | KeepAlive<Type>>
      : ResponseBodies<Types[Type], Type>[BodyKindOf<Type>];
  };
}[keyof Types];

interface WithoutBody {
  body?: NoBody;
}

type WithBody<R> = R extends { content: infer Types }
  ? [keyof Types] extends [never]
    ? WithoutBody
    : ContentOf<Served<Types>>
  : WithoutBody;

/**
 * Keys that are written by mistake. The compiler knows no excess keys in what an arrow function
 * returns, unless the function names its type; those not in this list are found at run time.
 */
type MistakenKey =
  | ('header' | 'haeders' | 'headres' | 'heads' | 'Headers' | 'cookies')
  | ('statusCode' | 'status_code' | 'statusText' | 'code')
  | ('content' | 'type' | 'contenttype' | 'content_type' | 'content-type' | 'Content-Type' | 'contentTyp' | 'mediaType')
  | ('Body' | 'boddy' | 'data' | 'json' | 'text' | 'payload' | 'result' | 'response' | 'value' | 'error' | 'message');

/** The compiler shows their type in its message. */
type NoMistakenKeys = Partial<Record<MistakenKey, 'A response has the keys status, headers, contentType and body.'>>;

type WithStatus<Status, Body, R> = [Status] extends [never]
  ? never
  : Flat<{ status: Status } & Body & WithHeaders<HeadersOf<R>> & NoMistakenKeys>;

/** An intersection as one object, which the compiler shows in one line. */
type Flat<T> = { [Key in keyof T]: T[Key] };

type ResponsesOf<Status, R> =
  | WithStatus<Exclude<Status, WithoutContent>, WithBody<R>, R>
  | WithStatus<Extract<Status, WithoutContent>, WithoutBody, R>;

/**
 * A response of an operation: one of the statuses it declares, with the body and the headers of
 * that status. A range and `default` describe the statuses that are not declared more exactly.
 * @example
 * const body = { message: 'No such todo.' };
 * const missing: OperationResponse<operations['getTodo']> = { status: 404, body };
 */
export type OperationResponse<Op extends OperationType> = {
  [Status in keyof Op['responses']]: ResponsesOf<StatusOf<Status, keyof Op['responses']>, Op['responses'][Status]>;
}[keyof Op['responses']];

/**
 * A function from the request of an operation to one of its responses. It never sees the HTTP
 * messages.
 * @example
 * const getTodo: Handler<operations['getTodo']> = ({ params: { id } }) => {
 *   return { status: 200, body: todos.get(id) };
 * };
 */
export type Handler<Op extends OperationType, User = Principal, Context = undefined> = HandlerOf<
  'operation',
  DeclaredStatuses<Op>,
  { operation: Op },
  User,
  Context
>;

/**
 * The normal request checks of operations, without their effect (RFC 9110, section 13.2.1): a
 * response such as 404, or undefined if the handler would act. Called if a precondition fails.
 * @example
 * const checks: Checks<operations> = {
 *   deleteTodo: ({ params: { id } }) =>
 *     todos.has(id) ? undefined : { status: 404, body: { message: 'No such todo.' } },
 * };
 */
export type Checks<Operations, User = Principal, Context = undefined> = {
  readonly [Id in keyof Operations]?: CheckOf<
    Id,
    DeclaredStatuses<OperationOf<Operations, Id>>,
    Operations,
    User,
    Context
  >;
};

/**
 * A handler for each operation, by operationId, and for nothing else. `User` is what the verifiers
 * return, `Context` what the option `context` returns, and `Kept` the names in `keepBytes`.
 * @example
 * const handlers: Handlers<operations, User, Transaction> = {
 *   addTodo: ({ body, principal, context }) => context.insert({ ...body, owner: principal.id }),
 * };
 */
export type Handlers<Operations, User = Principal, Context = undefined, Kept extends keyof Operations = never> = {
  [Id in keyof Operations]: HandlerOf<
    Id,
    DeclaredStatuses<OperationOf<Operations, Id>>,
    Operations,
    User,
    Context,
    Id extends Kept ? true : false
  >;
};

/*
 * The first line of a type error names a type with its arguments, and cuts them at a length. So the
 * types of handlers take the operationId and the declared statuses first, and operations later.
 */

type HandlerOf<Id extends keyof Operations, Statuses, Operations, User, Context, IsKept = false> = (
  request: RequestOf<Id, Operations, User, Context, IsKept>,
) => ResponseWithStatus<Id, Statuses, Operations>;

type CheckOf<Id extends keyof Operations, Statuses, Operations, User, Context> = (
  request: OperationRequest<OperationOf<Operations, Id>, User, Context>,
) => ResponseWithStatus<Id, Statuses, Operations> | undefined | Promise<ResponseOf<Operations, Id> | undefined>;

/** By its names, which the compiler shows: the members of a request would fill its first line. */
type RequestOf<Id extends keyof Operations, Operations, User, Context, IsKept> = RequestHead<
  OperationOf<Operations, Id>
> &
  RequestBodyOf<OperationOf<Operations, Id>> &
  WithPrincipal<OperationOf<Operations, Id>, User> &
  WithContext<Context> &
  WithBytes<OperationOf<Operations, Id>, IsKept>;

type ResponseWithStatus<Id extends keyof Operations, Statuses, Operations> =
  | ResponseOf<Operations, Id>
  | Promise<ResponseOf<Operations, Id>>
  // Nothing: an argument that is not used would not be shown.
  | Extract<Statuses, never>;

type ResponseOf<Operations, Id extends keyof Operations> =
  | OperationResponse<OperationOf<Operations, Id>>
  | UndeclaredResponse<keyof OperationOf<Operations, Id>['responses']>;

type OperationOf<Operations, Id extends keyof Operations> = Operations[Id] extends OperationType
  ? Operations[Id]
  : never;

/** The declared statuses as errors show them, such as `404` and `"503 with Retry-After"`. */
type DeclaredStatuses<Op extends OperationType> =
  // Inferred, since the compiler would show a type alias by its name.
  ShownStatuses<Op['responses']>[keyof ShownStatuses<Op['responses']>] extends infer Statuses ? Statuses : never;

type ShownStatuses<Responses> = {
  [Status in keyof Responses & (number | string)]: [ShownNeeds<Responses[Status]>] extends [never]
    ? Status
    : `${Status} with ${ShownNeeds<Responses[Status]>}`;
};

/** What a response must have besides its body. */
type ShownNeeds<R> = RequiredKey<HeadersOf<R>> | RequiredType<WithBody<R>>;

type RequiredType<Body> = Body extends { contentType: infer Type extends string } ? `contentType ${Type}` : never;

type RequiredKey<T> = { [Key in keyof T & string]: Nothing extends Pick<T, Key> ? never : Key }[keyof T & string];

type UndeclaredResponse<Key> = [UndeclaredStatus<Key>] extends [never] ? never : Undeclared<UndeclaredStatus<Key>>;

type UndeclaredStatus<Key> = Exclude<FinalStatus, Statuses<Key> | ('default' extends Key ? DefaultStatus<Key> : never)>;

/** Does not exist. The compiler shows its last property for an undeclared status. */
interface Undeclared<Status> {
  status: Status;
  body?: unknown;
  headers?: Readonly<Record<string, unknown>>;
  contentType?: string;
  'The contract does not declare this status for this operation.': never;
}
