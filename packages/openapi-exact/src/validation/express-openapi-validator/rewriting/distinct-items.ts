import { partsOf } from '../../../schema/schema-graph.ts';
import type { Schema } from '../../../schema/openapi-document.ts';
import { REPEATED } from '../repeated-items.ts';
import { NOTHING } from '../stand-ins.ts';
import { convertedTypes } from './numeric-types.ts';
import { withoutKeywords, withParts, type Source } from './step.ts';

/** The validator compares each two items of a list: it may have so many. */
const MOST_COMPARED = 200;

/** A bound that no list reaches. */
const REFUSED: Schema = { minItems: NOTHING };

/**
 * Has the validator find equal items in linear time, as it does for items whose own schema says
 * that they are scalars. Repeated objects are marked already; a list of others is bounded.
 */
export function distinctItems(schema: Schema, source: Source): Schema {
  if (!('uniqueItems' in schema)) return schema;
  const { items, maxItems = Infinity, type = 'array' } = schema;
  // Some contracts say it of each value.
  if (![type].flat().includes('array')) return withoutKeywords(schema, ['uniqueItems']);
  if (schema['uniqueItems'] !== true || 'prefixItems' in schema) return schema;
  const types = typesOfItems(source);
  if (types.length > 0 && !types.includes('array') && !types.includes('object')) {
    return { ...schema, items: { type: types, allOf: [items] } };
  }
  if (Number(maxItems) <= MOST_COMPARED) return schema;
  return withParts(withoutKeywords(schema, ['uniqueItems']), [
    // What is negated describes no items for `unevaluatedItems`.
    { if: { not: { items: { properties: { [REPEATED]: false } } } }, then: REFUSED },
    { if: { not: { items: { type: 'object' } } }, then: { uniqueItems: true, maxItems: MOST_COMPARED } },
  ]);
}

/** The types of the items; none for any type. */
function typesOfItems({ node, rewriter }: Source): readonly string[] {
  const parts = partsOf(rewriter.document, node['items']);
  return convertedTypes(parts.find((part) => part.type !== undefined)?.type ?? []);
}
