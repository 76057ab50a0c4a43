import { list, type Schema } from '../../../schema/openapi-document.ts';
import { withoutKeywords, withParts, type Source } from './step.ts';

/** The validator compares a value with each of an enum: it may have so many. */
const MOST_COMPARED = 100;

/** Types whose values a format finds among others at once. */
const FOUND_TYPES = ['string', 'number'] as const;

/** Has a format look values up in a long enum of texts and numbers, in constant time. */
export function longEnums(schema: Schema, { node, rewriter }: Source): Schema {
  const copied = list(schema['enum']);
  const types = new Set(copied.map((value) => (value === null ? 'null' : typeof value)));
  if (copied.length <= MOST_COMPARED || ![...types].every((type) => ['string', 'number', 'null'].includes(type))) {
    return schema;
  }
  const found = FOUND_TYPES.filter((type) => types.has(type)).map((type) => {
    const ofType = copied.filter((value) => typeof value === type);
    return { format: rewriter.formats.ofConstants(type, ofType, list(node['enum'])) };
  });
  return withParts(withoutKeywords(schema, ['enum']), [{ type: [...types] }, ...found]);
}
