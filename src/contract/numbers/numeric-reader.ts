import type { Schema } from '../document/openapi-document.ts';
import { INT64_MAX, INT64_MIN, parseInt64 } from './int64.ts';

/** The largest int32, 2^31 − 1. */
const INT32_MAX = 2 ** 31 - 1;

/** True for a schema whose values are numbers, null aside. */
export function isNumeric(schema: Schema): boolean {
  const types = [schema.type].flat();
  return types.includes('integer') || types.includes('number');
}

/** True for a schema whose values are exact integers of 64 bits, null aside. */
export function isInt64(schema: Schema): boolean {
  return [schema.type].flat().includes('integer') && schema.format === 'int64';
}

/** Reads the texts of a numeric schema. */
export interface NumericReader {
  /** The value: a `bigint` for the format int64, a number otherwise; undefined when the text is none that the schema allows. */
  readonly read: (text: string) => bigint | number | undefined;
  /** What the value must be, to stand behind the name of what was read. */
  readonly requirement: string;
}

/** A reader for a numeric schema: of integers in their canonical decimal form only, of other numbers as JSON writes them. */
export function numericReader(schema: Schema): NumericReader {
  const integer = [schema.type].flat().includes('integer');
  return {
    requirement: `must be ${describe(schema, integer)}`,
    read: (text) => {
      const value = integer ? readInteger(text, schema.format) : readNumber(text);
      return value === undefined || !isAllowed(value, schema) ? undefined : value;
    },
  };
}

/** True when a value keeps the bounds of a schema. JavaScript compares bigints and numbers exactly. */
function isAllowed(value: bigint | number, schema: Schema): boolean {
  const { minimum, maximum, multipleOf } = schema;
  const { exclusiveMinimum, exclusiveMaximum, enum: allowed, const: only } = schema;
  return (
    !(minimum !== undefined && value < minimum) &&
    !(maximum !== undefined && value > maximum) &&
    !(typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) &&
    !(typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) &&
    !(typeof multipleOf === 'number' && !isMultiple(value, multipleOf)) &&
    !(Array.isArray(allowed) && !allowed.some((one: unknown) => isSame(value, one))) &&
    !(only !== undefined && !isSame(value, only))
  );
}

function isMultiple(value: bigint | number, of: number): boolean {
  if (typeof value === 'bigint' && Number.isSafeInteger(of)) return value % BigInt(of) === 0n;
  return Number.isInteger(Number(value) / of);
}

function isSame(value: bigint | number, other: unknown): boolean {
  // A bigint is never === to a number.
  return typeof other === 'number' && value == other;
}

function readInteger(text: string, format: string | undefined): bigint | number | undefined {
  const exact = parseInt64(text);
  if (format === 'int64' || exact === undefined) return exact;
  const value = Number(exact);
  const limit = format === 'int32' ? INT32_MAX : Number.MAX_SAFE_INTEGER;
  return value > limit || value < (format === 'int32' ? -limit - 1 : -limit) ? undefined : value;
}

/** RFC 8259, section 6, and no more than a double holds. */
function readNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function describe(schema: Schema, integer: boolean): string {
  const { enum: allowed, const: only, multipleOf } = schema;
  if (typeof only === 'number') return String(only);
  if (Array.isArray(allowed)) return `one of ${allowed.join(', ')}`;
  const kind = integer ? 'a decimal integer' : 'a decimal number';
  const step = typeof multipleOf === 'number' ? ` and a multiple of ${multipleOf}` : '';
  const [low, high] = ends(schema, integer);
  const { exclusiveMinimum, exclusiveMaximum } = schema;
  const above = typeof exclusiveMinimum === 'number' ? ` above ${exclusiveMinimum}` : '';
  const below = typeof exclusiveMaximum === 'number' ? ` below ${exclusiveMaximum}` : '';
  const range =
    low !== undefined && high !== undefined
      ? ` between ${low} and ${high}`
      : low !== undefined
        ? ` of at least ${low}`
        : high !== undefined
          ? ` of at most ${high}`
          : '';
  return `${kind}${range}${above}${below}${step}, such as ${example(schema, integer)}`;
}

/** The smallest and the largest value; an integer always has both. */
function ends(schema: Schema, integer: boolean): [bigint | number | undefined, bigint | number | undefined] {
  const { minimum, maximum, format } = schema;
  if (!integer) return [minimum, maximum];
  const [low, high] =
    format === 'int64'
      ? [INT64_MIN, INT64_MAX]
      : format === 'int32'
        ? [-INT32_MAX - 1, INT32_MAX]
        : [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  return [
    minimum !== undefined && minimum > low ? minimum : low,
    // A bound beyond 2^53 was rounded when the contract was read: at the end of int64 it means that end.
    maximum !== undefined && maximum < high ? maximum : high,
  ];
}

function example(schema: Schema, integer: boolean): string {
  for (const candidate of [12, 1, 0, schema.minimum, schema.maximum]) {
    if (candidate !== undefined && isAllowed(candidate, schema)) return String(candidate);
  }
  return integer ? '12' : '1.5';
}
