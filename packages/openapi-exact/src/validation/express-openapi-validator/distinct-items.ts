import type { Schema } from '../../schema/openapi-document.ts';
import { REPEATED } from './repeated-items.ts';
import { NOTHING } from './stand-ins.ts';

/** The validator compares each two items of a list: it may have so many. */
const MOST_COMPARED = 200;

/** A bound that no list reaches. */
const REFUSED: Schema = { minItems: NOTHING };

/**
 * Has the validator find equal items in linear time, as it does for items whose own schema says
 * that they are scalars. Repeated objects are marked already; a list of others is bounded.
 * @param types of the items; none for any type.
 * @returns what is asserted instead of `uniqueItems`.
 */
export function distinctItems(copy: Record<string, unknown>, types: readonly string[]): Schema[] {
  const { items, maxItems = Infinity, type = 'array' } = copy;
  // Some contracts say it of each value.
  if (![type].flat().includes('array')) delete copy['uniqueItems'];
  if (copy['uniqueItems'] !== true || 'prefixItems' in copy) return [];
  if (types.length > 0 && !types.includes('array') && !types.includes('object')) {
    copy['items'] = { type: types, allOf: [items] };
    return [];
  }
  if (Number(maxItems) <= MOST_COMPARED) return [];
  delete copy['uniqueItems'];
  // What is negated describes no items for `unevaluatedItems`.
  return [
    { if: { not: { items: { properties: { [REPEATED]: false } } } }, then: REFUSED },
    { if: { not: { items: { type: 'object' } } }, then: { uniqueItems: true, maxItems: MOST_COMPARED } },
  ];
}
