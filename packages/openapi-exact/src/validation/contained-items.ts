import type { Schema } from '../document/openapi-document.ts';

/**
 * Takes `contains` out of a copy, where one item is enough. The validator keeps an error for each
 * item that does not fit, and copies all of them for each further one.
 * @param bound a length that no list reaches, for a message.
 * @returns what is asserted instead.
 */
export function containedItems(copy: Record<string, unknown>, bound: number): Schema[] {
  const { contains, minContains = 1, maxContains } = copy;
  if (contains === undefined || minContains !== 1 || maxContains !== undefined) return [];
  for (const key of ['contains', 'minContains']) Reflect.deleteProperty(copy, key);
  return [{ if: { type: 'array', items: { not: contains } }, then: { minItems: bound } }];
}
