import { declaredType, essenceOf } from '../http/media-type.ts';
import { InexactNumber, keepInexact, parseExact } from './exact-json.ts';
import { ResponseError } from './client-error.ts';
import { charsetOf, decodedText, isJson } from './media-type.ts';
import type { ContractShapes, MediaShapes, OperationShape } from './shape.ts';

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

/**
 * Reads the body of an unsuccessful response: JSON, whatever type it claims, or else a text.
 * @returns undefined for anything else.
 */
export function readError(
  { schemas }: ContractShapes,
  operation: OperationShape,
  { status, headers }: Response,
  bytes: Uint8Array,
): unknown {
  const received = headers.get('Content-Type') ?? '';
  const shapes = mediaShapes(operation, status);
  const type = declaredType(Object.keys(shapes), received) ?? JSON_ONLY;
  const text = (isText(received) ? decodedText(bytes, received) : undefined) ?? new TextDecoder().decode(bytes);
  const value = parsedJson(text, (json) => parseExact(json, shapes[type] ?? {}, schemas, keepInexact));
  // A text may look like a number.
  return isText(received) && Object(value) !== value ? text : value;
}

function isText(type: string): boolean {
  return essenceOf(type).startsWith('text/') && !isJson(type);
}

function parsedJson(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Reads the body of a success: JSON by its shape, text as a string, anything else as a Blob.
 * @param name the operation, for messages.
 * @returns undefined for a response without body: to HEAD, of the status 204 or 205, or as the
 * contract says.
 * @throws ResponseError for a media type that the contract does not declare, for broken JSON, for a
 * number that would be rounded, and for an unknown charset.
 */
export async function readSuccess(
  name: string,
  { schemas }: ContractShapes,
  operation: OperationShape,
  response: Response,
): Promise<unknown> {
  const { status, headers } = response;
  const shapes = mediaShapes(operation, status);
  const types = Object.keys(shapes);
  if (types.length === 0 || name.startsWith('HEAD ') || status === 204 || status === 205) return undefined;
  const fail = (problem: string, cause?: unknown): ResponseError => {
    const message = `The response to ${name} is ${problem}`;
    return new ResponseError(message, { status, code: undefined, body: undefined, headers, outcome: 'unknown', cause });
  };
  const received = headers.get('Content-Type') ?? '';
  const type = types.join() === JSON_ONLY ? JSON_ONLY : declaredType(types, received);
  const question = ': is this the URL of the service?';
  if (type === undefined) throw fail(`of the media type '${received}', not ${types.join(' or ')}${question}`);
  if (!isJson(type)) {
    if (!isText(type)) return response.blob();
    const text = decodedText(await response.arrayBuffer(), received);
    if (text !== undefined) return text;
    throw fail(`a text of the charset '${charsetOf(received)}', which is unknown.`);
  }
  const text = await response.text();
  try {
    return parseExact(text, shapes[type] ?? {}, schemas);
  } catch (cause) {
    if (cause instanceof InexactNumber) throw fail(`not exact: ${cause.message}.`, cause);
    throw fail(`${text === '' ? 'empty, ' : ''}not JSON${question}`, cause);
  }
}

/** The shapes of the response that describes a status: its own, its range or `DEFAULT`. */
function mediaShapes({ responses }: OperationShape, status: number): MediaShapes {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  return responses[keys.find((key) => responses[key] !== undefined) ?? 'DEFAULT'] ?? {};
}
