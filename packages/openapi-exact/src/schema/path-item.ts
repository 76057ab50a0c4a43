import { FIXED_METHODS, type FixedMethod, type OperationObject, type PathItem } from './openapi-document.ts';

/** The operations of a path item, by the methods as requests send them. */
export function operationsOf(item: PathItem): [method: string, operation: OperationObject][] {
  const fixed = FIXED_METHODS.flatMap((method): [string, OperationObject][] => {
    const operation = item[fieldOf(method)];
    return operation === undefined ? [] : [[method, operation]];
  });
  return [...fixed, ...Object.entries(item.additionalOperations ?? {})];
}

/** A copy of a path item whose operation for this method is replaced, or added. */
export function withOperation(item: PathItem, method: string, operation: OperationObject): PathItem {
  const fixed = FIXED_METHODS.find((known) => known === method);
  if (fixed !== undefined) return { ...item, [fieldOf(fixed)]: operation };
  return { ...item, additionalOperations: { ...item.additionalOperations, [method]: operation } };
}

/** The field of a method; TypeScript does not follow toLowerCase. */
function fieldOf(method: FixedMethod): Lowercase<FixedMethod> {
  return method.toLowerCase() as Lowercase<FixedMethod>;
}
