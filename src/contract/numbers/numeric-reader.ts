import type { Schema } from '../document/openapi-document.ts';
import { INT64_MAX, INT64_MIN, parseInt64 } from './int64.ts';

/**
 * The smallest and the largest value of an integer, by format; without a known format, those that a
 * double holds.
 */
const RANGES: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [INT64_MIN, INT64_MAX],
};
const SAFE_RANGE = [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)] as const;

/** True for a schema whose values are numbers or null. */
export function isNumeric(schema: Schema): boolean {
  return isInteger(schema) || [schema.type].flat().includes('number');
}

/** True for a schema whose values are exact integers of 64 bits or null. */
export function isInt64(schema: Schema): boolean {
  return isInteger(schema) && schema.format === 'int64';
}

function isInteger(schema: Schema): boolean {
  return [schema.type].flat().includes('integer');
}

/**
 * Reads the text of a number as one schema wants it. Paths, queries, headers and JSON bodies share
 * this reader. An integer has one canonical decimal text (`0`, no leading zeros, no `+`, no
 * exponent), any other number the grammar of JSON (RFC 8259, section 6).
 */
export class NumericReader {
  readonly #schema: Schema;
  readonly #isInteger: boolean;
  readonly #range: readonly [bigint, bigint];

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#isInteger = isInteger(schema);
    this.#range = RANGES[schema.format ?? ''] ?? SAFE_RANGE;
  }

  /**
   * @returns a `bigint` for int64, a number otherwise; undefined when the schema does not allow the
   * text.
   */
  read(text: string): bigint | number | undefined {
    const value = this.#isInteger ? this.#readInteger(text) : readNumber(text);
    return value === undefined || !isAllowed(value, this.#schema) ? undefined : value;
  }

  /** What the value must be; follows the name of the parameter or property in a message. */
  get requirement(): string {
    const { enum: allowed, const: only, multipleOf, exclusiveMinimum, exclusiveMaximum } = this.#schema;
    if (typeof only === 'number') return `must be ${only}`;
    if (Array.isArray(allowed)) return `must be one of ${allowed.join(', ')}`;
    const parts = [
      this.#isInteger ? 'must be a decimal integer' : 'must be a decimal number',
      this.#describeRange(),
      typeof exclusiveMinimum === 'number' ? `above ${exclusiveMinimum}` : '',
      typeof exclusiveMaximum === 'number' ? `below ${exclusiveMaximum}` : '',
      typeof multipleOf === 'number' ? `and a multiple of ${multipleOf}` : '',
    ];
    return `${parts.filter((part) => part !== '').join(' ')}, such as ${this.#example()}`;
  }

  #readInteger(text: string): bigint | number | undefined {
    const exact = parseInt64(text);
    if (exact === undefined || this.#schema.format === 'int64') return exact;
    const [low, high] = this.#range;
    return exact < low || exact > high ? undefined : Number(exact);
  }

  #describeRange(): string {
    const { minimum, maximum } = this.#schema;
    if (this.#isInteger) {
      const [low, high] = this.#range;
      // A bound at the end of int64 was rounded when the contract was read; it means that end.
      const from = minimum !== undefined && minimum > low ? minimum : low;
      return `between ${from} and ${maximum !== undefined && maximum < high ? maximum : high}`;
    }
    if (minimum !== undefined && maximum !== undefined) return `between ${minimum} and ${maximum}`;
    if (minimum !== undefined) return `of at least ${minimum}`;
    return maximum === undefined ? '' : `of at most ${maximum}`;
  }

  #example(): string {
    const { minimum, maximum } = this.#schema;
    for (const candidate of [12, 1, 0, minimum, maximum]) {
      if (candidate !== undefined && isAllowed(candidate, this.#schema)) return String(candidate);
    }
    return this.#isInteger ? '12' : '1.5';
  }
}

/**
 * True when a value keeps the bounds of a schema. JavaScript compares bigints and numbers exactly.
 */
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

function readNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
