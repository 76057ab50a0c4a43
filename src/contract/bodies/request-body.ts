import type { Request, Response } from 'express';
import type { Operation } from '../document/load.ts';
import { readJsonBody, requireNoBody } from './json-body.ts';

/** The body of a request, before its schema is checked. */
export interface ReceivedBody {
  /** The declared media type that it has; undefined when there is no body. */
  readonly mediaType: string | undefined;
  /** The value for the schema, with numbers as `LosslessNumber`s; undefined without a body. */
  readonly value: unknown;
}

const NO_BODY: ReceivedBody = { mediaType: undefined, value: undefined };

/** Reads the request bodies of one operation. */
export class RequestBodyReader {
  readonly #operation: Operation;

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /**
   * @throws RequestError unexpectedBody, unsupportedMediaType, bodyTooLarge, malformedBody or
   * invalidBody.
   */
  async read(request: Request, response: Response): Promise<ReceivedBody> {
    const { requestBody } = this.#operation;
    if (requestBody === undefined) {
      await requireNoBody(request);
      return NO_BODY;
    }
    const value = await readJsonBody(requestBody, request, response);
    if (value === undefined) return NO_BODY;
    const [mediaType] = Object.keys(requestBody.content);
    return { mediaType, value };
  }
}
