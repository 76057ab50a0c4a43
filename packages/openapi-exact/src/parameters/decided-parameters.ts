import { isAnnotation } from '../schema/annotations.ts';
import { targetOf, type OpenApiDocument, type Parameter, type Schema } from '../schema/openapi-document.ts';
import { NUMBER_KEYWORDS } from '../schema/bigint.ts';
import { KNOWN_FORMATS } from '../schema/numeric-reader.ts';

/** By type: the keywords whose assertions the reader of a text makes itself. */
const READ_KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  integer: ['format', ...NUMBER_KEYWORDS],
  number: ['format', ...NUMBER_KEYWORDS],
  boolean: [],
  string: [],
};

/**
 * Whether parameters need no check once they are read: each is read by the rule of its schema, and
 * is either optional or always present.
 */
export function areDecidedAtReading(document: OpenApiDocument, parameters: readonly Parameter[]): boolean {
  return parameters.every((parameter) => isDecidedAtReading(document, parameter));
}

function isDecidedAtReading(document: OpenApiDocument, parameter: Parameter): boolean {
  const { in: location, required = false, schema } = parameter;
  const isNeverMissed = location === 'path' || !required;
  return isNeverMissed && schema !== undefined && isReadWhole(document, schema);
}

function isReadWhole(document: OpenApiDocument, schema: Schema, seen: readonly string[] = []): boolean {
  const { $ref, type, ...keywords } = schema;
  const assertions = Object.keys(keywords).filter((keyword) => !isAnnotation(keyword));
  // A value that is missing gets its default, which belongs to the exact values.
  if ('default' in schema) return false;
  if ($ref !== undefined) {
    const isAlone = type === undefined && assertions.length === 0 && !seen.includes($ref);
    return isAlone && isReadWhole(document, targetOf(document, $ref), [...seen, $ref]);
  }
  const { format } = keywords;
  if (format !== undefined && !KNOWN_FORMATS.includes(format)) return false;
  const read = typeof type === 'string' && Object.hasOwn(READ_KEYWORDS, type) ? READ_KEYWORDS[type] : undefined;
  return read !== undefined && assertions.every((keyword) => read.includes(keyword));
}
