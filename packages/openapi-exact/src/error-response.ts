import type { Response as ExpressResponse } from 'express';
import type { RequestError } from './errors.ts';
import type { Contract, Operation } from './document/load.ts';
import type { Response } from './document/openapi-document.ts';
import { declaredStatus } from './document/operations.ts';
import { respond, respondWithError } from './respond.ts';

/** The body of an error response. */
export interface ErrorContent {
  readonly contentType: string;
  readonly body: unknown;
}

/**
 * Writes a failure in the form of the contract; undefined for the plant store's `Error` object.
 * @param declared the media types that the operation declares for the status: none for a status
 * that it does not declare, and for a request that matches no operation.
 */
export type MakeErrorBody = (
  error: RequestError,
  declared: { readonly mediaTypes: readonly string[] },
) => ErrorContent | undefined;

/** Writes failures as the matched operation declares them. */
export class ErrorResponses {
  readonly #responses: ReadonlyMap<string, Operation['responses']>;
  readonly #errorBody: MakeErrorBody;

  constructor({ operations }: Contract, errorBody: MakeErrorBody = (): undefined => undefined) {
    this.#responses = new Map(operations.map(({ id, responses }) => [id, responses]));
    this.#errorBody = errorBody;
  }

  /**
   * Writes a failure, without a body where the contract declares the status without content.
   * Rejects with whatever the author's function throws.
   */
  async respond(response: ExpressResponse, error: RequestError): Promise<void> {
    const { status, headers } = error;
    const declared = this.#declared(response.locals['operation'], status);
    const mediaTypes = Object.keys(declared?.content ?? {});
    if (declared !== undefined && mediaTypes.length === 0) {
      await respond(response, { status, headers });
      return;
    }
    const own = this.#errorBody(error, { mediaTypes });
    if (own === undefined) respondWithError(response, error);
    else await respond(response, { status, headers, ...own });
  }

  /** The response that an operation declares for a status. */
  #declared(operation: unknown, status: number): Response | undefined {
    const responses = typeof operation === 'string' ? this.#responses.get(operation) : undefined;
    return responses?.[declaredStatus(responses, status) ?? ''];
  }
}
