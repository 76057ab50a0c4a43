import { isObject, type Schema } from '../../../schema/openapi-document.ts';
import { withoutKeywords, withParts } from './step.ts';

/**
 * Moves what allows nothing into a schema of its own. The validator has no empty enum, and its code
 * for keywords beside an empty `not` may use variables that are not declared.
 */
export function contradictions(schema: Schema): Schema {
  const { not, enum: allowed } = schema;
  const keywords = [
    ...(not === true || (isObject(not) && Object.keys(not).length === 0) ? ['not'] : []),
    ...(Array.isArray(allowed) && allowed.length === 0 ? ['enum'] : []),
  ];
  return keywords.length === 0 ? schema : withParts(withoutKeywords(schema, keywords), [{ not: {} }]);
}
