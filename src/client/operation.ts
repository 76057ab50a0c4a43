import { OPERATIONS } from '../../generated/operations.ts';
import { parseExact } from './exact-json.ts';
import { ResponseError } from './plant-store-error.ts';
import { requireArguments, type Arguments } from './require-arguments.ts';
import type { OperationShape, Shape } from './shape.ts';

/** The contract's data on an operation, for use at run time. */
export interface Operation {
  /** {@link requireArguments} of this operation. */
  readonly requireArguments: (args: Arguments) => void;
  /** The headers of a request with a body, beside those of openapi-fetch. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isSuccess: (status: number) => boolean;
  /**
   * Parses the body of a success.
   * @throws ResponseError unless it is JSON.
   */
  readonly parse: (response: Response, text: unknown) => unknown;
}

/**
 * Finds an operation of the contract.
 * @throws TypeError for an unknown operation.
 */
export function operationOf(method: string, path: string): Operation {
  const name = `${method} ${path}`;
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new TypeError(`The contract has no operation ${name}.`);
  return {
    requireArguments: (args) => {
      requireArguments(operation, args);
    },
    headers: operation.bodyType === undefined ? {} : { 'Content-Type': operation.bodyType },
    isSuccess: (status) => shapeOf(operation, status) !== undefined,
    parse: (response, text) => {
      if (typeof text !== 'string' || text === '') return undefined;
      try {
        return parseExact(text, shapeOf(operation, response.status) ?? {});
      } catch (cause) {
        throw new ResponseError(`The response to ${name} is not JSON: is this URL a plant store's?`, {
          status: response.status,
          code: undefined,
          headers: response.headers,
          outcome: 'unknown',
          cause,
        });
      }
    },
  };
}

/** The shape of a success body; undefined for every other status. */
function shapeOf({ responses }: OperationShape, status: number): Shape | undefined {
  if (status < 200 || status > 299) return undefined;
  return responses[status] ?? responses['2XX'] ?? responses['DEFAULT'];
}
