import { OPERATIONS } from '../../../../generated/operations.ts';
import { parseExact } from './exact-json.ts';
import { ResponseError } from './client-error.ts';
import type { OperationShape, Shape } from './shape.ts';

/** The contract's data on an operation. @throws TypeError for an unknown operation. */
export function operationOf(name: string): OperationShape {
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new TypeError(`The contract has no operation ${name}.`);
  return operation;
}

/** The shape of a success body; undefined for every other status. */
export function successOf({ responses }: OperationShape, status: number): Shape | undefined {
  if (status < 200 || status > 299) return undefined;
  return responses[status] ?? responses['2XX'] ?? responses['DEFAULT'];
}

/**
 * Parses the body of a success.
 * @param name the operation, for the message.
 * @throws ResponseError unless it is JSON.
 */
export function parseSuccess(name: string, { status, headers }: Response, text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    return parseExact(text, successOf(operationOf(name), status) ?? {});
  } catch (cause) {
    throw new ResponseError(`The response to ${name} is not JSON: is this URL a plant store's?`, {
      status,
      code: undefined,
      headers,
      outcome: 'unknown',
      cause,
    });
  }
}
