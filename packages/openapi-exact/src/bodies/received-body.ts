import type { ParameterValues } from '../parameters/parameters.ts';

/** A validated request; `types.ts` gives each handler the exact type. */
export interface ValidRequest extends ParameterValues {
  readonly body: unknown;
  /** The declared media type of the body; undefined without a body. */
  readonly contentType: string | undefined;
}

/** The media type of a body. */
export interface MediaType {
  /** Its key in the contract. */
  readonly declared: string;
  /**
   * What the handler is told: the same, or for a range such as `image/*` the type that was sent.
   */
  readonly contentType: string;
}

/**
 * Validates the parameters of a request with this value as its body.
 * @param mediaType the key of its schema in the request body; undefined without a body.
 * @param value its value, with numbers as `LosslessNumber`s; undefined when no schema describes it.
 */
export type Check = (mediaType: string | undefined, value: unknown) => ValidRequest;

/** The body of a request, before its schema is checked. */
export interface ReceivedBody {
  /**
   * @returns the request with the body that the handler gets.
   * @throws RequestError of the check, or of the rest of the body.
   */
  validate(check: Check): ValidRequest | Promise<ValidRequest>;
  /**
   * Reads and validates what a handler has left of a stream. Called before a successful response.
   * @param isStreamed whether the response is a stream, which may still read bytes of the request.
   * @throws RequestError of the rest.
   */
  finish?(isStreamed: boolean): Promise<void>;
}
