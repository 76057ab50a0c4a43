import type { ContractShapes, MediaShapes, OperationShape } from './shape.ts';

/** The contract's data on an operation. @throws TypeError for an unknown operation. */
export function operationOf({ operations }: ContractShapes, name: string): OperationShape {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) throw new TypeError(`The contract has no operation ${name}.`);
  return operation;
}

/** The idempotent methods with functions of their own (RFC 9110, section 9.2.2). */
const IDEMPOTENT = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'QUERY'];

/** Whether several identical requests have the effect of one. */
export function isIdempotent(operation: OperationShape, method: string): boolean {
  return IDEMPOTENT.includes(method) || operation.isIdempotent === true;
}

/** True for a declared status of success. `default` means success only where no 2xx is declared. */
export function isSuccess({ responses }: OperationShape, status: number): boolean {
  if (status < 200 || status > 299) return false;
  return hasSuccess(responses)
    ? [String(status), '2XX'].some((key) => responses[key] !== undefined)
    : responses['DEFAULT'] !== undefined;
}

/**
 * The content of the response that describes a status: its own, its range or `DEFAULT`, which
 * describes failures alone where a success is declared.
 * @returns `{}` for a response without content, undefined for an undeclared status.
 */
export function declaredContent(
  { responses }: OperationShape,
  method: string,
  status: number,
): MediaShapes | undefined {
  const keys = [String(status), `${Math.floor(status / 100)}XX`];
  if (status >= 400 || !hasSuccess(responses)) keys.push('DEFAULT');
  const key = keys.find((declared) => responses[declared] !== undefined);
  if (key === undefined) return undefined;
  const hasNoContent = method === 'HEAD' || status === 204 || status === 205 || status === 304;
  return hasNoContent ? {} : responses[key];
}

function hasSuccess(responses: OperationShape['responses']): boolean {
  return Object.keys(responses).some((key) => key.startsWith('2'));
}
