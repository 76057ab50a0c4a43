import {
  didYouMean,
  expressionOf,
  fieldsOf,
  isExpression,
  isOfType,
  list,
  type Diagnostic,
} from 'openapi-exact/contract';

/** Pairs of keywords, the first not above the second, with what they bound. */
const BOUNDS = [
  ['minimum', 'maximum', 'number'],
  ['minLength', 'maxLength', 'string'],
  ['minItems', 'maxItems', 'array'],
  ['minProperties', 'maxProperties', 'object'],
  ['minContains', 'maxContains', 'array'],
] as const;

/** Pairs of keywords, the first below the second: at least one of the two is exclusive. */
const OPEN_BOUNDS = [
  ['exclusiveMinimum', 'maximum', 'number'],
  ['minimum', 'exclusiveMaximum', 'number'],
  ['exclusiveMinimum', 'exclusiveMaximum', 'number'],
] as const;

/**
 * Warnings of schemas that allow no value by their own keywords alone, and of required names that
 * are misspelt.
 */
export function impossibleSchemas(schemas: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  return schemas.flatMap((schema) => [
    ...crossedBounds(schema),
    ...foreignValues(schema),
    ...lostRequiredNames(schema),
  ]);
}

function crossedBounds(node: Record<string, unknown>): Diagnostic[] {
  const crossed = BOUNDS.filter(([lower, upper]) => isAbove(node[lower], node[upper]));
  const touching = OPEN_BOUNDS.filter(
    ([lower, upper]) => isAbove(node[lower], node[upper]) || (isNumber(node[lower]) && node[lower] === node[upper]),
  );
  return [...crossed, ...touching].map(([lower, upper, what]) => ({
    node,
    key: lower,
    reason: `no ${what} is valid: ${lower} is ${String(node[lower])}, and ${upper} is ${String(node[upper])}. Correct one of them.`,
  }));
}

function isAbove(lower: unknown, upper: unknown): boolean {
  return isNumber(lower) && isNumber(upper) && lower > upper;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** An enum that has only values of other types than the schema. */
function foreignValues(node: Record<string, unknown>): Diagnostic[] {
  const { type, enum: values } = node;
  if (!Array.isArray(values) || values.length === 0 || values.some((value) => isOfType(value, node))) return [];
  const reason = `no value is valid: each value of enum is of another type than ${[type].flat().join(' or ')}. Correct the type, or the values.`;
  return [{ node, key: 'enum', reason }];
}

/** Required names that no property may have, or that are probably misspelt. */
function lostRequiredNames(node: Record<string, unknown>): Diagnostic[] {
  const { required, properties, patternProperties, additionalProperties } = node;
  const names = Object.keys(fieldsOf(properties));
  const patterns = Object.keys(fieldsOf(patternProperties));
  // What cannot be read is refused elsewhere.
  if (!patterns.every(isExpression)) return [];
  const all = list(required).filter((name) => typeof name === 'string');
  const lost = all.filter(
    (name) => !names.includes(name) && !patterns.some((pattern) => expressionOf(pattern).test(name)),
  );
  const optional = names.filter((property) => !all.includes(property));
  if (additionalProperties === false && lost.length > 0) {
    const [are, them] = lost.length === 1 ? ['is', 'it'] : ['are', 'them'];
    const question = lost.map((name) => didYouMean(name, optional)).join('');
    // Of allOf and the like, which authors expect to count.
    const isComposed = ['allOf', 'anyOf', 'oneOf', '$ref'].some((key) => key in node);
    const advice = isComposed
      ? `It knows only the properties beside it: write unevaluatedProperties of OpenAPI 3.1, which knows all.`
      : `Add ${them} to properties.`;
    const reason = `no object is valid: ${lost.join(', ')} ${are} required, and additionalProperties forbids ${them}. ${advice}${question}`;
    return [{ node, key: 'required', reason }];
  }
  return lost.flatMap((name): Diagnostic[] => {
    const question = didYouMean(name, optional);
    // Another part of an allOf may describe it.
    if (question === '') return [];
    return [{ node, key: 'required', reason: `${name} is required, and no property has this name.${question}` }];
  });
}
