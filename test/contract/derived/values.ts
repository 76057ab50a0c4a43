import fc from 'fast-check';
import { isMultiple, parseDecimal } from '../../../src/contract/numbers/decimal.ts';
import {
  isSchema,
  resolve,
  type OpenApiDocument,
  type Schema,
} from '../../../src/contract/document/openapi-document.ts';

/** A value of JSON in which an int64 is a bigint. */
export type Value = null | boolean | number | bigint | string | Value[] | { [key: string]: Value };

const INT64 = { low: -(2n ** 63n), high: 2n ** 63n - 1n };
const INT32 = { low: -(2n ** 31n), high: 2n ** 31n - 1n };
const SAFE = { low: BigInt(Number.MIN_SAFE_INTEGER), high: BigInt(Number.MAX_SAFE_INTEGER) };

/** A schema with its references followed and its allOf merged. */
export function flatten(document: OpenApiDocument, schema: Schema): Schema {
  const { $ref, allOf, ...own } = schema;
  const target = $ref === undefined ? {} : flatten(document, resolve<Schema>(document, { $ref }));
  const parts = Array.isArray(allOf) ? allOf.filter(isSchema).map((part) => flatten(document, part)) : [];
  return [target, ...parts, own].reduce<Schema>(
    (merged, part) => ({
      ...merged,
      ...part,
      ...('properties' in part && { properties: { ...(merged['properties'] ?? {}), ...(part['properties'] ?? {}) } }),
      ...('required' in part && { required: [...list(merged['required']), ...list(part['required'])] }),
    }),
    {},
  );
}

/** The types of a flattened schema. */
export function typesOf({ type }: Schema): readonly string[] {
  return [type].flat().filter((one) => one !== undefined);
}

/** The smallest and the largest value of an integer schema. */
export function rangeOf(schema: Schema): { low: bigint; high: bigint } {
  const { low, high } = schema.format === 'int64' ? INT64 : schema.format === 'int32' ? INT32 : SAFE;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const lows = [low, integer(minimum), integer(exclusiveMinimum, 1n)].filter((one) => one !== undefined);
  const highs = [high, integer(maximum), integer(exclusiveMaximum, -1n)].filter((one) => one !== undefined);
  return { low: lows.reduce((a, b) => (a > b ? a : b)), high: highs.reduce((a, b) => (a < b ? a : b)) };
}

/** Values of a scalar schema at and around every boundary it has; all of them valid. */
export function boundaryValues(schema: Schema): Value[] {
  const { enum: allowed, const: only } = schema;
  if (only !== undefined) return [only as Value];
  if (Array.isArray(allowed)) return allowed as Value[];
  const examples = [schema['example'], ...list(schema['examples']), schema['default']].filter(
    (one) => one !== undefined,
  );
  return [...boundariesByType(schema), ...(examples as Value[]).map((one) => exact(schema, one))];
}

function boundariesByType(schema: Schema): Value[] {
  const [type] = typesOf(schema).filter((one) => one !== 'null');
  if (type === 'integer') {
    const { low, high } = rangeOf(schema);
    const around = [0n, 2n ** 31n, 2n ** 53n, -(2n ** 53n)].flatMap((point) => [point - 1n, point, point + 1n]);
    const values = [low, low + 1n, ...around, high - 1n, high].filter((value) => value >= low && value <= high);
    const step = schema['multipleOf'];
    return [...new Set(values)]
      .filter((value) => typeof step !== 'number' || value % BigInt(step) === 0n)
      .map((value) => (schema.format === 'int64' ? value : Number(value)));
  }
  if (type === 'number') {
    const { minimum = -Infinity, maximum = Infinity, multipleOf: step } = schema;
    // In binary fractions, 0.29 and 1.15 times 100 are not integers.
    return [minimum, maximum, 0, 1, -1, 0.5, 0.29, 1.15, 1e10].filter(
      (value): value is number =>
        typeof value === 'number' &&
        Number.isFinite(value) &&
        value >= minimum &&
        value <= maximum &&
        isStep(value, step),
    );
  }
  if (type === 'boolean') return [true, false];
  if (type === 'string') return [...textsOf(schema), ...stringEnds(schema)];
  return [];
}

function isStep(value: number, step: unknown): boolean {
  return typeof step !== 'number' || isMultiple(parseDecimal(String(value)), parseDecimal(String(step)));
}

const TEXTS = new Map<string, readonly string[]>();

/** Texts of a schema; to find some for a pattern takes long. */
function textsOf(schema: Schema): readonly string[] {
  const { format, pattern, minLength, maxLength } = schema;
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  const texts = TEXTS.get(key) ?? fc.sample(stringArbitrary(schema), { numRuns: 5, seed: 1 });
  TEXTS.set(key, texts);
  return texts;
}

/** Texts of the shortest and the longest length, where nothing but the length matters. */
function stringEnds(schema: Schema): string[] {
  const { minLength, maxLength, pattern } = schema;
  if (pattern !== undefined || schema.format !== undefined) return [];
  const lengths = [typeof minLength === 'number' ? Math.max(minLength, 1) : 1, maxLength];
  return lengths.filter((length) => typeof length === 'number').map((length) => 'x'.repeat(length));
}

/** Made where a schema has the format: those of `uri` take a second to prepare. */
const FORMATS: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: () => moment().map((date) => date.toISOString().slice(0, 10)),
  'date-time': () => moment().map((date) => date.toISOString()),
  uuid: () => fc.uuid(),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
};

function moment(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
}

function stringArbitrary(schema: Schema): fc.Arbitrary<string> {
  const { pattern, minLength, maxLength } = schema;
  const known = schema.format === undefined ? undefined : FORMATS[schema.format];
  if (known !== undefined) return known();
  const min = typeof minLength === 'number' ? minLength : 1;
  const max = typeof maxLength === 'number' ? maxLength : 20;
  const text =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern, 'u'))
      : fc.string({ minLength: min, maxLength: max });
  return text.filter((one) => one.length >= min && one.length <= max);
}

/** A bigint where the schema is of int64: examples of the contract are read as numbers. */
function exact(schema: Schema, value: Value): Value {
  return schema.format === 'int64' && typeof value === 'number' ? BigInt(value) : value;
}

function integer(bound: unknown, shift = 0n): bigint | undefined {
  return typeof bound === 'number' && Number.isSafeInteger(bound) ? BigInt(bound) + shift : undefined;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
