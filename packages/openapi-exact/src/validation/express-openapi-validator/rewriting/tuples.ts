import { list, type Schema } from '../../../schema/openapi-document.ts';
import { MOST_TRIED } from './many-alternatives.ts';
import { withoutKeywords, withParts } from './step.ts';

/** The most items of a tuple: it is described by its lengths. */
const LONGEST_TUPLE = 100;

/** Describes a tuple as a choice of fixed lengths, the only ones that the validator has. */
export function tuples(schema: Schema): Schema {
  const { prefixItems, items = true, minItems = 0, maxItems = Infinity } = schema;
  const prefix = list(prefixItems);
  if (prefix.length === 0) return schema;
  const most = Math.min(Number(maxItems), items === false ? prefix.length : LONGEST_TUPLE);
  const lengths = Array.from({ length: most + 1 }, (_, length) => length).slice(Number(minItems));
  const fixed = lengths.map((length) =>
    tuple(Array.from({ length }, (_, index) => (index < prefix.length ? prefix[index] : true))),
  );
  const rest = typeof items === 'boolean' || most <= prefix.length ? [] : [laterItems(prefix.length, items)];
  // The most comes first: a list that is longer would be told of the first length.
  const parts = [{ maxItems: most }, ...ofLengths(fixed), ...rest];
  return withParts(withoutKeywords(schema, ['prefixItems', 'items', 'maxItems']), parts);
}

/** Tuples by their lengths, where one holds: one question leaves out half of many. */
function ofLengths(fixed: readonly Schema[]): readonly Schema[] {
  if (fixed.length <= 1) return fixed;
  if (fixed.length <= MOST_TRIED) return [{ anyOf: fixed }];
  const middle = Math.ceil(fixed.length / 2);
  const [first, second] = [fixed.slice(0, middle), fixed.slice(middle)];
  return [
    {
      if: { maxItems: first.at(-1)?.['maxItems'] },
      then: { allOf: ofLengths(first) },
      else: { allOf: ofLengths(second) },
    },
  ];
}

function tuple(prefixItems: readonly unknown[]): Schema {
  return { prefixItems, minItems: prefixItems.length, maxItems: prefixItems.length };
}

/**
 * Judges the items behind the first ones once, not in each length: the code for that would be
 * quadratic. The validator takes for evaluated what `if` describes, also where it fails; if it did
 * not, it would judge all items and refuse valid lists.
 */
function laterItems(first: number, items: unknown): Schema {
  return { if: tuple(Array<true>(first).fill(true)), then: { minItems: first }, unevaluatedItems: items };
}
