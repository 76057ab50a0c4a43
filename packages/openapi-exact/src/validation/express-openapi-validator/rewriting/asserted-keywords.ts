import type { Schema } from '../../../schema/openapi-document.ts';
import { ALL_KEYWORDS } from '../../../schema/schema-graph.ts';

/** Keywords with schemas that assert nothing where they stand. */
const NOT_ASSERTED = ['$defs', 'definitions', 'contentSchema'];

const COUNTS = ['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'];

/** The keywords that the validator asserts itself. */
const ASSERTED = new Set([
  ...ALL_KEYWORDS.filter((keyword) => !NOT_ASSERTED.includes(keyword)),
  ...COUNTS,
  ...['type', 'enum', 'const', 'required', 'dependentRequired', 'uniqueItems', 'minLength', 'maxLength'],
]);

/** Leaves out annotations and what formats assert. A count beyond 2^53 need not be exact. */
export function assertedKeywords(schema: Schema): Schema {
  const asserted = Object.entries(schema).filter(
    // YAML allows a keyword without a value.
    ([keyword, value]) => ASSERTED.has(keyword) && (value !== null || keyword === 'const') && value !== undefined,
  );
  return Object.fromEntries(
    asserted.map(([keyword, value]) => [
      keyword,
      typeof value === 'bigint' && keyword !== 'const' ? Number(value) : value,
    ]),
  );
}
