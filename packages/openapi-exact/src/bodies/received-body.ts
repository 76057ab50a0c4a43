import type { ValueCount } from '../json/value-count.ts';
import type { SharedIterator } from './shared-iterator.ts';
import type { ParameterValues } from '../parameters/parameters.ts';

/** A validated request; `types.ts` gives each handler the exact type. */
export interface ValidRequest extends ParameterValues {
  readonly body: unknown;
  /** The declared media type of the body; undefined without a body. */
  readonly contentType: string | undefined;
  /** The body as it came; undefined unless they are kept. */
  readonly bytes?: Buffer | undefined;
}

/** The media type of a body. */
export interface MediaType {
  /** Its key in the contract. */
  readonly declared: string;
  /**
   * What the handler gets: the same, or for a range such as `image/*` the type that was sent.
   */
  readonly contentType: string;
}

/**
 * Validates a value of a request's body, such as one part, together with the parameters.
 * @param schemaName the name of its schema in the request body.
 * @param count of the values of the body.
 * @param placeInBody the JSON pointer into the body for one into the value; the same by default.
 */
export type ValidateValue = (
  schemaName: string,
  value: unknown,
  count: ValueCount,
  placeInBody?: (pointer: string) => string,
) => ValidRequest;

/** The body of a request, before its schema is checked. */
export interface ReceivedBody {
  /** The name of its schema in the request body; undefined without a body. */
  readonly schemaName: string | undefined;
  /** What that schema describes, with numbers as `LosslessNumber`s; undefined for nothing. */
  readonly value: unknown;
  /** The count of the body's values; undefined for a text, bytes or a stream. */
  readonly count?: ValueCount;
  /** The media type that the handler gets; undefined without a body. */
  readonly contentType: string | undefined;
  /** The bytes of a buffered body: a view, which is not to be kept. */
  readonly bytes?: Buffer;
  /** The stream of items that the handler gets as its `content`. */
  readonly items?: SharedIterator<unknown>;
  /** The handler's value instead of the validated value, such as a stream. */
  readonly content?: unknown;
  /**
   * Reads and validates what a handler has left of a stream. Called before a successful response.
   * @param isStreamed whether the response is a stream, which may still read bytes of the request.
   * @throws RequestError of the rest.
   */
  readonly finish?: (isStreamed: boolean) => Promise<void>;
}
