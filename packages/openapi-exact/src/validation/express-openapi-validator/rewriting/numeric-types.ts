import type { Schema } from '../../../schema/openapi-document.ts';

/** Asserts `number` for `integer`: a format knows the exact value of a number. */
export function numericTypes(schema: Schema): Schema {
  return schema.type === undefined ? schema : { ...schema, type: convertedTypes(schema.type) };
}

/** Types of the contract as those of the validator. */
export function convertedTypes(type: unknown): string[] {
  return [...new Set([type].flat().map((name) => (name === 'integer' ? 'number' : String(name))))];
}
