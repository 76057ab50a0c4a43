import type { Schema } from '../../../schema/openapi-document.ts';

/**
 * Has a condition evaluate properties and items in `then` only. The validator takes for evaluated
 * what `if` describes, also where it fails.
 */
export function conditions(schema: Schema): Schema {
  const { if: condition, then = true } = schema;
  if (condition === undefined) return schema;
  return { ...schema, if: { not: { not: condition } }, then: { allOf: [condition, then] } };
}
