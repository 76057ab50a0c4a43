import type { Operation } from '../document/read-contract.ts';
import type { RequestError } from '../errors/errors.ts';

/**
 * The body of a failure with its media type.
 * @example
 * const body = { message: error.message };
 * const content: ErrorContent = { contentType: 'application/json', body };
 */
export interface ErrorContent {
  readonly contentType: string;
  readonly body: unknown;
}

/**
 * Makes the body of a failure; undefined for the default: problem details, or what the schema of
 * the response asks for, where it is made of the message and the status.
 * @param mediaTypes those that the operation declares for the status: none for a status that it
 * does not declare, and for a request that matches no operation.
 * @param operation one of `contract.operations`; undefined where none matched.
 * @example
 * const errorBody: ErrorBody = ({ message, reason }, mediaTypes, operation) =>
 *   operation?.tags.includes('billing')
 *     ? { contentType: 'application/json', body: { reason, message } }
 *     : undefined;
 */
export type ErrorBody = (
  error: RequestError,
  mediaTypes: readonly string[],
  operation: Operation | undefined,
) => ErrorContent | undefined;
