import type { Schema } from '../../schema/openapi-document.ts';

/** The most items of a list whose fitting ones are counted by a schema that refers to others. */
const MOST_COUNTED = 2_000;

/**
 * Has the validator find the items that fit `contains` at little cost. It keeps an error for each
 * item that does not fit, and each reference copies all that it has so far.
 * @param bound a length that no list reaches, for a message.
 * @returns what is asserted beside, or instead.
 */
export function containedItems(copy: Record<string, unknown>, bound: number): Schema[] {
  const { contains, minContains = 1, maxContains, maxItems = Infinity } = copy;
  if (contains === undefined) return [];
  if (minContains === 1 && maxContains === undefined) {
    for (const key of ['contains', 'minContains']) Reflect.deleteProperty(copy, key);
    return [{ if: { type: 'array', items: { not: contains } }, then: { minItems: bound } }];
  }
  // One error for each item, however many its schema makes.
  copy['contains'] = { if: contains, else: false };
  const isBounded = !refers(contains) || Number(maxItems) <= MOST_COUNTED;
  return isBounded ? [] : [{ maxItems: MOST_COUNTED }];
}

/** Whether the copy of a schema has a reference. */
function refers(copy: unknown): boolean {
  if (typeof copy !== 'object' || copy === null) return false;
  return '$ref' in copy || Object.values(copy).some(refers);
}
