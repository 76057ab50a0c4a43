import { parseExact, requireExact } from './exact-json.ts';
import { OPERATIONS } from './operations.ts';
import { ResponseError } from './plant-store-error.ts';
import type { OperationShape, Shape } from './shape.ts';

/** What the contract says of an operation, for use at run time. */
export interface Operation {
  /**
   * Checks what is about to be sent.
   * @throws TypeError when a parameter of the path is missing or an int64 is no `bigint`, RangeError when it is no int64.
   */
  readonly requireArguments: (params: Readonly<Record<string, unknown>>, body: unknown) => void;
  readonly isSuccess: (status: number) => boolean;
  /**
   * The body of a success.
   * @throws ResponseError when it is no JSON.
   */
  readonly parse: (response: Response, text: unknown) => unknown;
}

/**
 * An operation of the contract.
 * @throws TypeError when there is none.
 */
export function operationOf(method: string, path: string): Operation {
  const name = `${method} ${path}`;
  const operation = OPERATIONS[name];
  if (operation === undefined) throw new TypeError(`The contract has no operation ${name}.`);
  return {
    requireArguments: (params, body) => {
      requireParameters(operation, params);
      requireExact(body, operation.body, 'body');
    },
    isSuccess: (status) => shapeOf(operation, status) !== undefined,
    parse: (response, text) => {
      if (typeof text !== 'string' || text === '') return undefined;
      try {
        return parseExact(text, shapeOf(operation, response.status) ?? {});
      } catch (cause) {
        throw new ResponseError(`The answer to ${name} is no JSON: is it a plant store's?`, {
          status: response.status,
          code: undefined,
          requestId: response.headers.get('X-Request-Id') ?? undefined,
          retryAfter: undefined,
          outcome: 'unknown',
          cause,
        });
      }
    },
  };
}

function requireParameters({ parameters }: OperationShape, params: Readonly<Record<string, unknown>>): void {
  for (const [location, shapes] of Object.entries(parameters)) {
    const group = params[location];
    for (const [name, shape] of Object.entries(shapes)) {
      const value: unknown = typeof group === 'object' && group !== null ? Reflect.get(group, name) : undefined;
      const place = `params.${location}.${name}`;
      // null and '' would make the path another one.
      if (location === 'path' && (value === undefined || value === null || value === '')) {
        throw new TypeError(`${place} is missing.`);
      }
      requireExact(value, shape, place);
    }
  }
}

/** The shape of the body that comes with a status of success; undefined for any other status. */
function shapeOf({ responses }: OperationShape, status: number): Shape | undefined {
  if (status < 200 || status > 299) return undefined;
  return responses[status] ?? responses['2XX'] ?? responses['DEFAULT'];
}
