import { list, type Schema } from '../../../schema/openapi-document.ts';
import type { Source } from './step.ts';

/** Refers to the rewritten target, within `allOf`: the validator ignores keywords beside `$ref`. */
export function references(schema: Schema, { node, hidden, rewriter }: Source): Schema {
  if (node.$ref === undefined) return schema;
  const reference = { $ref: rewriter.referenceTo(node.$ref, hidden) };
  if (Object.keys(schema).length === 0) return reference;
  return { ...schema, allOf: [reference, ...list(schema['allOf'])] };
}
