import { list, type Schema } from './openapi-document.ts';

/** The keywords that are assertions on a number. */
export const NUMBER_KEYWORDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;

/** The formats of integers beyond 2^53 (the OpenAPI Format Registry). */
const FORMATS: readonly unknown[] = ['int64', 'uint64'];
const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'const'] as const;
const NUMBERS: readonly unknown[] = ['integer', 'number'];

/**
 * True for a schema whose integers are `bigint`s: its format, or a bound or constant of an integer,
 * allows one beyond 2^53. A format says nothing of texts. Without `type`, constants say it if their
 * numbers are integers. The server, the client and the generated types ask this one function.
 */
export function isBigint(schema: Schema): boolean {
  const { type, format, enum: allowed, const: only } = schema;
  const types = [type].flat();
  if (FORMATS.includes(format)) return type === undefined || types.some((name) => NUMBERS.includes(name));
  if (type === undefined) return areBigints(only === undefined ? list(allowed) : [only]);
  if (!isInteger(schema) || format === 'int32') return false;
  const bounds = [...BOUNDS.map((key) => schema[key]), ...list(allowed)];
  return bounds.some(isBeyondDoubles);
}

/** True for a schema whose values may be integers, but no fractions. */
export function isInteger({ type }: Schema): boolean {
  const types = [type].flat();
  return types.includes('integer') && !types.includes('number');
}

/** True for a schema that allows numbers by its type, or by its constants where it has none. */
export function hasNumberType({ type, const: only, enum: allowed }: Schema): boolean {
  if (type !== undefined) return [type].flat().some((name) => name === 'integer' || name === 'number');
  const constants = only === undefined ? allowed : [only];
  return !Array.isArray(constants) || constants.some(isNumber);
}

/** True for constants whose numbers are integers, at least one beyond 2^53. */
function areBigints(constants: readonly unknown[]): boolean {
  return (
    constants.some(isBeyondDoubles) &&
    constants.every((constant) => typeof constant !== 'number' || Number.isInteger(constant))
  );
}

/** True for an integer that a double may have been rounded to. */
function isBeyondDoubles(value: unknown): boolean {
  return typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}
