import type { Schema } from '../../../schema/openapi-document.ts';
import { withoutKeywords, withParts } from './step.ts';

const DEPENDENT = ['properties', 'patternProperties', 'additionalProperties'];

/**
 * Moves `patternProperties`, and what depends on it, into a schema of its own. Beside a choice that
 * fails, the validator's code for it would fail.
 */
export function namePatterns(schema: Schema): Schema {
  if (!('patternProperties' in schema)) return schema;
  const own = Object.entries(schema).filter(([keyword]) => DEPENDENT.includes(keyword));
  return withParts(withoutKeywords(schema, DEPENDENT), [Object.fromEntries(own)]);
}
