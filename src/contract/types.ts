/**
 * Types that turn the `operations` of openapi-typescript into the types of handlers. They are the
 * contract's hold on the code: what the contract does not declare does not compile.
 */

/** The shape in which openapi-typescript describes one operation. */
interface OperationType {
  parameters: { path?: unknown; query?: unknown; header?: unknown };
  requestBody?: unknown;
  responses: object;
}

/** A key that is written out, as opposed to an index signature. */
type Known<Key> = string extends Key ? never : number extends Key ? never : Key;

/** An object type without its index signature. */
type KnownOnly<T> = { [Key in keyof T as Known<Key>]: T[Key] };

type Json<Content> = Content extends { content: infer Types }
  ? Types extends Record<'application/json', infer Body>
    ? Body
    : never
  : never;

/** The request of an operation: validated, exact, and free of HTTP. */
export interface OperationRequest<Op extends OperationType> {
  /** The parameters of the path. */
  readonly params: Present<Op['parameters']['path']>;
  /** The parameters of the query. */
  readonly query: Present<Op['parameters']['query']>;
  /** The header parameters that the contract declares, under the names it gives them. */
  readonly headers: Present<Op['parameters']['header']>;
  /** The JSON body; undefined when there is none. */
  readonly body: undefined extends Op['requestBody']
    ? Json<NonNullable<Op['requestBody']>> | undefined
    : Json<Op['requestBody']>;
}

/** `never` and optional groups of parameters become objects that can be destructured. */
type Present<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>;

/** An object in which no property is declared. */
type Nothing = object;

/** The numbers that a status of the contract stands for. */
type StatusOf<Status> = Status extends number ? Status : Status extends 'default' | `${number}XX` ? number : never;

type HeadersOf<R> = R extends { headers: infer Headers } ? KnownOnly<Headers> : Nothing;

/** Headers must be given when the contract requires one. */
type WithHeaders<Headers> = Nothing extends Headers ? { headers?: Headers } : { headers: Headers };

/**
 * Stands for "no body". With `never` or `undefined`, TypeScript (5.9, exactOptionalPropertyTypes)
 * would discriminate responses by it and miss a missing body.
 */
interface NoBody {
  readonly none: never;
}

type WithBody<R> = R extends { content: infer Content }
  ? [Content] extends [Record<'application/json', infer Body>]
    ? { body: Body }
    : { body?: NoBody }
  : { body?: NoBody };

/**
 * A response of an operation: one of the statuses it declares, with the body and the headers of
 * that status.
 */
export type OperationResponse<Op extends OperationType> = {
  [Status in keyof Op['responses']]: { status: StatusOf<Status> } & WithBody<Op['responses'][Status]> &
    WithHeaders<HeadersOf<Op['responses'][Status]>>;
}[keyof Op['responses']];

/**
 * A function from the request of an operation to one of its responses. It never sees the HTTP
 * messages.
 */
export type Handler<Op extends OperationType> = (
  request: OperationRequest<Op>,
) => OperationResponse<Op> | Promise<OperationResponse<Op>>;

/**
 * The normal request checks of operations, without their effect (RFC 9110, section 13.2.1): a
 * response such as 404, or undefined if the handler would act. Called if a precondition fails.
 */
export type Checks<Operations> = {
  readonly [Id in keyof Operations]?: Operations[Id] extends OperationType
    ? (
        request: OperationRequest<Operations[Id]>,
      ) => OperationResponse<Operations[Id]> | undefined | Promise<OperationResponse<Operations[Id]> | undefined>
    : never;
};

/** A handler for each operation, by operationId, and for nothing else. */
export type Handlers<Operations> = {
  [Id in keyof Operations]: Operations[Id] extends OperationType ? Handler<Operations[Id]> : never;
};
