import type { FinalStatus, StatusesOf, StatusOf, WithoutContent } from '../http/status-types.ts';
import type { ResponseError } from './client-error.ts';
import type { JsonOf } from './json-types.ts';

/** The value received for each media type of a response body. */
type ResponseContent<Content> = {
  [Type in keyof Content]: Content[Type] extends AsyncIterable<unknown>
    ? Content[Type]
    : Type extends JsonOf<Type>
      ? Content[Type]
      : Lowercase<Type & string> extends `text/${string}`
        ? string
        : Blob;
}[keyof Content];

/** The statuses of success: those of 2xx, or else `default`. */
type SuccessKey<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${string}` ? Status : never;
}[keyof Responses] extends infer Declared
  ? [Declared] extends [never]
    ? Extract<keyof Responses, 'default'>
    : Declared & keyof Responses
  : never;

/** The body of a response; a stream where the call asks for one. */
type ResponseBodyOf<Response, ParseAs> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? undefined
    : ParseAs extends 'stream'
      ? ReadableStream<Uint8Array>
      : ResponseContent<Content>
  : undefined;

/** A range and `default` describe statuses without content, too. */
type BodyOfStatus<Status, Response, ParseAs> = Status extends WithoutContent
  ? undefined
  : Status extends number
    ? ResponseBodyOf<Response, ParseAs>
    : ResponseBodyOf<Response, ParseAs> | undefined;

/** The data of the statuses of success. */
type DataOfStatuses<Responses, ParseAs> = {
  [Status in SuccessKey<Responses>]: BodyOfStatus<Status, Responses[Status], ParseAs>;
}[SuccessKey<Responses>];

/** The data of a success. The response to HEAD has no body. */
export type DataOf<Operation, Method, ParseAs> = Method extends 'head'
  ? undefined
  : Operation extends { responses: infer Responses }
    ? DataOfStatuses<Responses, ParseAs>
    : never;

/**
 * An error that the contract declares, with its body by status.
 * @example if (error?.status === 409) console.log(error.body.reason);
 */
export interface DeclaredError<Status extends number, Body> extends ResponseError {
  readonly status: Status;
  readonly body: Body;
}

/** The statuses of success where `default` describes it. */
type StatusesOfDefault<Responses> = 'default' extends SuccessKey<Responses> ? StatusesOf<2> : never;

/** The errors of an operation. What a body is that the contract does not describe, no type says. */
type ErrorOf<Operation, Method> = Operation extends { responses: infer Responses }
  ? {
      [Key in keyof Responses]: Key extends `2${string}` | StatusesOf<2>
        ? never
        : ErrorOfStatus<
            Extract<FinalStatus, Exclude<StatusOf<Key, keyof Responses>, StatusesOfDefault<Responses>>>,
            Method extends 'head' ? unknown : ErrorBodyOf<Responses[Key]>
          >;
    }[keyof Responses]
  : never;

type ErrorOfStatus<Status extends number, Body> =
  | Declared<Exclude<Status, WithoutContent>, Body>
  | Declared<Extract<Status, WithoutContent>, unknown>;

type Declared<Status extends number, Body> = [Status] extends [never] ? never : DeclaredError<Status, Body>;

type ErrorBodyOf<Response> = Response extends { content: infer Content }
  ? [keyof Content] extends [never]
    ? unknown
    : ResponseContent<Content>
  : unknown;

/** The result of a call that fails with an error that the contract declares. */
export type FailedCallOf<Operation, Method> = [ErrorOf<Operation, Method>] extends [never]
  ? never
  : FailedCall<ErrorOf<Operation, Method>>;

/** The result of a call that succeeded. */
export interface SuccessfulCall<Data> {
  /**
   * The body: JSON parsed, with a `bigint` for each int64; a string for text; a Blob for any other
   * media type; undefined for a response without body, such as 204 and one to HEAD.
   */
  readonly data: Data;
  readonly error?: undefined;
  /** Its status and headers; the body has been read, or is the stream of `data`. */
  readonly response: Response;
}

/** The result of a call with `throwHttpErrors: false` that failed. */
export interface FailedCall<Error> {
  readonly data?: undefined;
  readonly error: Error;
  /** Its status and headers; the body has been read. */
  readonly response: Response;
}
