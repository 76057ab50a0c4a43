import { parseExact } from './exact-json.ts';
import { ResponseError } from './client-error.ts';
import type { ContractShapes, OperationShape, Shape } from './shape.ts';

/** Media types of JSON, such as `application/problem+json; charset=utf-8`. */
const JSON_RESPONSE = /^[^;]*[/+]json *(?:;|$)/i;
const TEXT_TYPE = /^text\//i;
const JSON_ONLY = 'application/json';

/** The contract's data on an operation. @throws TypeError for an unknown operation. */
export function operationOf({ operations }: ContractShapes, name: string): OperationShape {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new TypeError(`The contract has no operation ${name}.`);
  return operation;
}

/** True for a declared status of success. `default` means success only where no 2xx is declared. */
export function isSuccess({ responses }: OperationShape, status: number): boolean {
  if (status < 200 || status > 299) return false;
  const declared = Object.keys(responses).filter((key) => key.startsWith('2'));
  return declared.length === 0
    ? responses['DEFAULT'] !== undefined
    : [String(status), '2XX'].some((key) => declared.includes(key));
}

/** The shape of the JSON body with a status. */
export function shapeOf(operation: OperationShape, status: number): Shape {
  return operation.responses[responseKey(operation, status)] ?? {};
}

/**
 * Reads the body of a success: JSON by its shape, text as a string, anything else as a Blob.
 * @param name the operation, for messages.
 * @throws ResponseError for a media type that the contract does not declare, and for broken JSON.
 */
export async function readSuccess(
  name: string,
  { schemas }: ContractShapes,
  operation: OperationShape,
  response: Response,
): Promise<unknown> {
  const { status, headers } = response;
  const body = await response.blob();
  const types = operation.responseTypes?.[responseKey(operation, status)] ?? [JSON_ONLY];
  // Without body as the contract says, or as a response to HEAD.
  if (types.length === 0 || body.size === 0) return undefined;
  const fail = (problem: string, cause?: unknown): ResponseError => {
    const message = `The response to ${name} is ${problem}: is this the URL of the service?`;
    return new ResponseError(message, { status, code: undefined, body: undefined, headers, outcome: 'unknown', cause });
  };
  const received = headers.get('Content-Type') ?? '';
  const type = types.length === 1 && types[0] === JSON_ONLY ? JSON_ONLY : matchingType(types, received);
  if (type === undefined) throw fail(`of the media type '${received}', not ${types.join(' or ')}`);
  if (TEXT_TYPE.test(type) && !JSON_RESPONSE.test(type)) return body.text();
  if (!JSON_RESPONSE.test(type)) return body;
  try {
    return parseExact(await body.text(), shapeOf(operation, status), schemas);
  } catch (cause) {
    throw fail('not JSON', cause);
  }
}

/** The declared media type of a received one: the same, or a range such as `image/*`. */
function matchingType(types: readonly string[], received: string): string | undefined {
  const essence = essenceOf(received);
  const ranges = [essence, essence.replace(/\/.*$/, '/*'), '*/*'];
  return ranges.flatMap((range) => types.filter((type) => essenceOf(type) === range))[0];
}

function essenceOf(type: string): string {
  return type.replace(/;.*$/s, '').trim().toLowerCase();
}

/** The key of the response that describes a status: its own, its range or `DEFAULT`. */
function responseKey({ responses }: OperationShape, status: number): string {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  return keys.find((key) => responses[key] !== undefined) ?? 'DEFAULT';
}
