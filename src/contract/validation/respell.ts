import { isObject, list, type Schema } from '../document/openapi-document.ts';

/** Keywords whose values are data. */
export const CONSTANTS = ['enum', 'const'];

/** A tuple of at most so many items is known by its lengths. */
const LONGEST_TUPLE = 50;

/**
 * Takes out of a copy what the validator misreads.
 * @returns schemas that say the same in words that it reads.
 */
export function respell(copy: Record<string, unknown>): Schema[] {
  hideEvaluation(copy);
  return [...tuples(copy), ...constants(copy), ...contradictions(copy), ...patterns(copy)];
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

/** A tuple of bounded length as a choice of fixed lengths, the only ones that the validator has. */
function tuples(copy: Record<string, unknown>): Schema[] {
  const { prefixItems, items, minItems = 0, maxItems = Infinity } = copy;
  const prefix = list(prefixItems);
  const most = Math.min(Number(maxItems), items === false ? prefix.length : Infinity);
  if (prefix.length === 0 || most > LONGEST_TUPLE) return [];
  // Fixed lengths would describe items that unevaluatedItems has to judge.
  if (items === undefined && most > prefix.length) return [];
  for (const key of ['prefixItems', 'items']) Reflect.deleteProperty(copy, key);
  copy['maxItems'] = most;
  const lengths = Array.from({ length: most + 1 }, (_, length) => length).slice(Number(minItems));
  const fixed = lengths.map((length) => ({
    prefixItems: Array.from({ length }, (_, index) => prefix[index] ?? items),
    minItems: length,
    maxItems: length,
  }));
  return fixed.length > 1 ? [{ anyOf: fixed }] : fixed;
}

/**
 * Takes constants that the validator misreads out of a copy; returns them as schemas. It would
 * follow a reference in them, and does not know that an empty enum allows nothing.
 */
function constants(copy: Record<string, unknown>): Schema[] {
  const isMisread = (key: string): boolean =>
    hasReference(copy[key]) || (key === 'enum' && list(copy[key]).length === 0);
  return CONSTANTS.filter((key) => key in copy && isMisread(key)).map((key) => {
    const values = key === 'enum' ? list(copy[key]) : [copy[key]];
    Reflect.deleteProperty(copy, key);
    return values.length === 0 ? { not: {} } : { anyOf: values.map(exactly) };
  });
}

/** The schema of one value, which spells out the keys of its objects: `$ref` is one like others. */
function exactly(value: unknown): Schema {
  if (!hasReference(value)) return { enum: [value] };
  if (Array.isArray(value)) {
    const { length } = value;
    return { type: 'array', prefixItems: value.map(exactly), minItems: length, maxItems: length, items: false };
  }
  return {
    type: 'object',
    required: Object.keys(value as object),
    properties: Object.fromEntries(Object.entries(value as object).map(([key, one]) => [key, exactly(one)])),
    additionalProperties: false,
  };
}

/** True for data in which the validator would follow a reference. */
function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return '$ref' in value || Object.values(value).some(hasReference);
}

/**
 * Takes a `not` that allows nothing out of a copy; returns it as schemas. The validator's code
 * for what stands beside it may use variables that are not declared.
 */
function contradictions(copy: Record<string, unknown>): Schema[] {
  const { not } = copy;
  if (not !== true && !(isObject(not) && Object.keys(not).length === 0)) return [];
  Reflect.deleteProperty(copy, 'not');
  return [{ not }];
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
