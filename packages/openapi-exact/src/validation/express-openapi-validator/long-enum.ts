import { list, type Schema } from '../../schema/openapi-document.ts';
import type { Formats } from './formats.ts';

/** The validator compares a value with each of an enum: it may have so many. */
const MOST_COMPARED = 100;

/** Types whose values a format finds among others at once. */
const FOUND_TYPES = ['string', 'number'] as const;

/**
 * Takes a long enum of texts and numbers out of a copy, so that its length costs nothing.
 * @param values those of the contract.
 * @returns schemas that say the same.
 */
export function longEnum(copy: Record<string, unknown>, values: unknown, formats: Formats): Schema[] {
  const copied = list(copy['enum']);
  const types = new Set(copied.map((value) => (value === null ? 'null' : typeof value)));
  if (copied.length <= MOST_COMPARED || ![...types].every((type) => ['string', 'number', 'null'].includes(type))) {
    return [];
  }
  delete copy['enum'];
  const found = FOUND_TYPES.filter((type) => types.has(type)).map((type) => ({
    format: formats.ofConstants(
      type,
      copied.filter((value) => typeof value === type),
      list(values),
    ),
  }));
  return [{ type: [...types] }, ...found];
}
