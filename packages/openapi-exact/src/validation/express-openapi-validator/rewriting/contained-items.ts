import type { Schema } from '../../../schema/openapi-document.ts';
import { NOT_CONTAINED } from '../stand-ins.ts';
import { withoutKeywords, withParts } from './step.ts';

/** The most items of a list whose fitting ones are counted by a schema that refers to others. */
const MOST_COUNTED = 2_000;

/**
 * Has the validator find the items that fit `contains` at little cost. It keeps an error for each
 * item that does not fit, and each reference copies all that it has so far.
 */
export function containedItems(schema: Schema): Schema {
  const { contains, minContains = 1, maxContains, maxItems = Infinity } = schema;
  if (contains === undefined) return schema;
  if (minContains === 1 && maxContains === undefined) {
    const found = { if: { type: 'array', items: { not: contains } }, then: { minItems: NOT_CONTAINED } };
    return withParts(withoutKeywords(schema, ['contains', 'minContains']), [found]);
  }
  // One error for each item, however many its schema makes.
  const counted = { ...schema, contains: { if: contains, else: false } };
  const isBounded = !refers(contains) || Number(maxItems) <= MOST_COUNTED;
  return withParts(counted, isBounded ? [] : [{ maxItems: MOST_COUNTED }]);
}

/** Whether a rewritten schema has a reference. */
function refers(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  return '$ref' in schema || Object.values(schema).some(refers);
}
