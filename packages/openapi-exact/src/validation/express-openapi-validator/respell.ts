import { isObject, list, type Schema } from '../../schema/openapi-document.ts';
import { MOST_TRIED } from './many-alternatives.ts';

/** The most items of a tuple: it is described by its lengths. */
const LONGEST_TUPLE = 100;

/**
 * Takes out of a copy what the validator misreads.
 * @returns schemas that say the same in words that it reads.
 */
export function respell(copy: Record<string, unknown>): Schema[] {
  hideEvaluation(copy);
  return [...tuples(copy), ...contradictions(copy), ...patterns(copy)];
}

/**
 * Has a condition evaluate properties and items in `then` only. The validator takes for evaluated
 * what `if` describes, also where it fails.
 */
function hideEvaluation(copy: Record<string, unknown>): void {
  const { if: condition, then = true } = copy;
  if (condition === undefined) return;
  Object.assign(copy, { if: { not: { not: condition } }, then: { allOf: [condition, then] } });
}

/** A tuple as a choice of fixed lengths, the only ones that the validator has. */
function tuples(copy: Record<string, unknown>): Schema[] {
  const { prefixItems, items = true, minItems = 0, maxItems = Infinity } = copy;
  const prefix = list(prefixItems);
  if (prefix.length === 0) return [];
  const most = Math.min(Number(maxItems), items === false ? prefix.length : LONGEST_TUPLE);
  for (const key of ['prefixItems', 'items', 'maxItems']) Reflect.deleteProperty(copy, key);
  const lengths = Array.from({ length: most + 1 }, (_, length) => length).slice(Number(minItems));
  const fixed = lengths.map((length) =>
    tuple(Array.from({ length }, (_, index) => (index < prefix.length ? prefix[index] : true))),
  );
  const rest = typeof items === 'boolean' || most <= prefix.length ? [] : [laterItems(prefix.length, items)];
  // The most comes first: a list that is longer would be told of the first length.
  return [{ maxItems: most }, ...ofLengths(fixed), ...rest];
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

/**
 * Takes what allows nothing out of a copy; returns it as a schema. The validator has no empty enum,
 * and its code for keywords beside an empty `not` may use variables that are not declared.
 */
function contradictions(copy: Record<string, unknown>): Schema[] {
  const { not, enum: allowed } = copy;
  const isEmptyNot = not === true || (isObject(not) && Object.keys(not).length === 0);
  const isEmptyEnum = Array.isArray(allowed) && allowed.length === 0;
  if (isEmptyNot) delete copy['not'];
  if (isEmptyEnum) delete copy['enum'];
  return isEmptyNot || isEmptyEnum ? [{ not: {} }] : [];
}

/**
 * Takes `patternProperties`, and what depends on it, out of a copy; returns a schema of its own.
 * Beside a choice that fails, the validator's code for it would fail.
 */
function patterns(copy: Record<string, unknown>): Schema[] {
  if (!('patternProperties' in copy)) return [];
  const keys = ['properties', 'patternProperties', 'additionalProperties'].filter((key) => key in copy);
  const own = Object.fromEntries(keys.map((key) => [key, copy[key]]));
  for (const key of keys) Reflect.deleteProperty(copy, key);
  return [own];
}
