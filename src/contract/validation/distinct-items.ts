import { isObject, type Schema } from '../document/openapi-document.ts';
import { REPEATED } from '../numbers/repeated-items.ts';
import { NOTHING } from '../numbers/stand-ins.ts';

/** The validator compares each two items of a list: it may have so many. */
const MOST_COMPARED = 1000;

/** A bound that no list reaches. */
const REFUSED: Schema = { minItems: NOTHING };

/**
 * Takes `uniqueItems` out of the copy of a schema where the validator would need quadratic time;
 * returns it as schemas. Repeated objects are marked already; a list with other items may have as
 * many as are compared in a moment.
 */
export function distinctItems(copy: Record<string, unknown>): Schema[] {
  const { uniqueItems, items, maxItems = Infinity } = copy;
  const isLinear = 'prefixItems' in copy || isScalar(items);
  if (uniqueItems !== true || isLinear || Number(maxItems) <= MOST_COMPARED) return [];
  delete copy['uniqueItems'];
  return [
    { if: hidden({ items: { properties: { [REPEATED]: false } } }), else: REFUSED },
    { if: hidden({ items: { type: 'object' } }), else: { uniqueItems: true, maxItems: MOST_COMPARED } },
  ];
}

/** A condition that does not describe items for `unevaluatedItems`. */
function hidden(condition: Schema): Schema {
  return { not: { not: condition } };
}

/** True for the schema of items that cannot be arrays or objects. */
function isScalar(items: unknown): boolean {
  if (!isObject(items) || items['type'] === undefined) return false;
  return ![items['type']].flat().some((type) => type === 'array' || type === 'object');
}
