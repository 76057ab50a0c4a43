import type { Schema } from './openapi-document.ts';
import {
  compareDecimals,
  exactOf,
  isIntegral,
  isMultiple,
  keyOfDecimal,
  parseDecimal,
  type Decimal,
  type ExactNumber,
} from '../json/decimal.ts';
import { isBigint, isInteger, NUMBER_KEYWORDS } from './bigint.ts';
import type { Limits } from '../errors/limits.ts';
import { INT64_MAX, INT64_MIN } from '../int64.ts';

/** A bound of a schema: a `bigint` if it is an integer beyond 2^53. */
type Bound = number | bigint;

/** The smallest and the largest value of a format (the OpenAPI Format Registry). */
const RANGES: Readonly<Record<string, readonly [Bound, Bound]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int64: [INT64_MIN, INT64_MAX],
  uint64: [0, 2n ** 64n - 1n],
  float: [-3.4028235e38, 3.4028235e38],
};
/** The integers that a double holds and is not rounded to. */
const SAFE_RANGE = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/** True for a schema with an assertion on numbers beyond their type. */
export function hasNumberRule(schema: Schema): boolean {
  return (
    isInteger(schema) || Object.hasOwn(RANGES, schema.format ?? '') || NUMBER_KEYWORDS.some((key) => key in schema)
  );
}

/** The rule of one schema for a number. The other parts of an allOf have rules of their own. */
export class NumberRule {
  readonly #schema: Schema;
  readonly #isInteger: boolean;
  readonly #isBigint: boolean;
  readonly #range: readonly [Bound, Bound] | undefined;
  /** The numbers of `const` or `enum`. */
  readonly #constants: readonly Bound[] | undefined;
  readonly #allowed: ReadonlySet<number | string> | undefined;
  readonly #low: Limit | undefined;
  readonly #high: Limit | undefined;
  readonly #minimum: Limit | undefined;
  readonly #maximum: Limit | undefined;
  readonly #above: Limit | undefined;
  readonly #below: Limit | undefined;
  /** The bounds as doubles if they alone decide; NaN if other keywords do too. */
  readonly #leastDouble: number = NaN;
  readonly #greatestDouble: number = NaN;
  #limits: Limits | undefined;

  /** @param isOfBigints whether the integers are `bigint`s, by keywords that are left out here. */
  constructor(schema: Schema, isOfBigints = isBigint(schema)) {
    this.#schema = schema;
    const { format = '' } = schema;
    this.#isBigint = isOfBigints;
    this.#isInteger = isOfBigints || isInteger(schema) || format === 'int32';
    const range = Object.hasOwn(RANGES, format) ? RANGES[format] : undefined;
    // Beyond, a number that is read may be another one than was sent.
    this.#range = range ?? (this.#isInteger && !isOfBigints ? SAFE_RANGE : undefined);
    const { enum: allowed, const: only } = schema;
    const constants = only === undefined ? allowed : [only];
    this.#constants = Array.isArray(constants) ? constants.filter(isBound) : undefined;
    this.#allowed = this.#constants && new Set(this.#constants.map((constant) => keyOf(exactOf(String(constant)))));
    const limit = (bound: unknown): Limit | undefined => (isBound(bound) ? new Limit(bound, isOfBigints) : undefined);
    [this.#low, this.#high] = [limit(this.#range?.[0]), limit(this.#range?.[1])];
    [this.#minimum, this.#maximum] = [limit(schema.minimum), limit(schema.maximum)];
    [this.#above, this.#below] = [limit(schema['exclusiveMinimum']), limit(schema['exclusiveMaximum'])];
    const hasMore = this.#constants !== undefined || isBound(schema['multipleOf']);
    if (hasMore || this.#above !== undefined || this.#below !== undefined) return;
    this.#leastDouble = Math.max(this.#low?.ofDoubles ?? -Infinity, this.#minimum?.ofDoubles ?? -Infinity);
    this.#greatestDouble = Math.min(this.#high?.ofDoubles ?? Infinity, this.#maximum?.ofDoubles ?? Infinity);
  }

  /** True when the schema allows the number. */
  allowsNumber(value: ExactNumber): boolean {
    // Most numbers of messages are decided by this comparison.
    if (typeof value === 'number' && value >= this.#leastDouble && value <= this.#greatestDouble) {
      return !this.#isInteger || this.#isIntegral(value);
    }
    const { multipleOf } = this.#schema;
    return (
      (this.#allowed === undefined || this.#allowed.has(keyOf(value))) &&
      (!this.#isInteger || this.#isIntegral(value)) &&
      !(this.#low !== undefined && this.#low.compareWith(value) < 0) &&
      !(this.#high !== undefined && this.#high.compareWith(value) > 0) &&
      !(this.#minimum !== undefined && this.#minimum.compareWith(value) < 0) &&
      !(this.#maximum !== undefined && this.#maximum.compareWith(value) > 0) &&
      !(this.#above !== undefined && this.#above.compareWith(value) <= 0) &&
      !(this.#below !== undefined && this.#below.compareWith(value) >= 0) &&
      (!isBound(multipleOf) || isMultipleOf(value, multipleOf))
    );
  }

  /** The first keyword that a number does not meet which the schema does not allow. */
  unmetKeyword(value: ExactNumber): string {
    const { const: only, format } = this.#schema;
    if (this.#allowed?.has(keyOf(value)) === false) return only === undefined ? 'enum' : 'const';
    if (this.#isInteger && !this.#isIntegral(value) && this.#schema.type !== undefined) return 'type';
    if (this.#minimum !== undefined && this.#minimum.compareWith(value) < 0) return 'minimum';
    if (this.#maximum !== undefined && this.#maximum.compareWith(value) > 0) return 'maximum';
    if (this.#above !== undefined && this.#above.compareWith(value) <= 0) return 'exclusiveMinimum';
    if (this.#below !== undefined && this.#below.compareWith(value) >= 0) return 'exclusiveMaximum';
    const isInRange = !((this.#low?.compareWith(value) ?? 0) < 0 || (this.#high?.compareWith(value) ?? 0) > 0);
    if (isInRange && this.#schema['multipleOf'] !== undefined) return 'multipleOf';
    return format === undefined ? 'type' : 'format';
  }

  /** A double beyond 2^53 may have been rounded to the integer. */
  #isIntegral(value: ExactNumber): boolean {
    if (typeof value !== 'number') return isIntegral(value);
    return this.#isBigint ? Number.isSafeInteger(value) : Number.isInteger(value);
  }

  /** What the number must be. */
  get limits(): Limits {
    this.#limits ??= this.#describedLimits();
    return this.#limits;
  }

  #describedLimits(): Limits {
    if (this.#constants !== undefined) return { values: this.#constants };
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = this.#schema;
    const [low, high] = this.#range ?? [undefined, undefined];
    const least = isBound(minimum) && (low === undefined || minimum > low) ? minimum : low;
    const most = isBound(maximum) && (high === undefined || maximum < high) ? maximum : high;
    const isAbove = isBound(exclusiveMinimum) && !(least !== undefined && least > exclusiveMinimum);
    const isBelow = isBound(exclusiveMaximum) && !(most !== undefined && most < exclusiveMaximum);
    const candidates: readonly unknown[] = [12, 1, 0, 1.5, 0.5, minimum, maximum];
    return {
      number: this.#isBigint ? 'bigint' : this.#isInteger ? 'integer' : 'number',
      least,
      most,
      above: isAbove ? exclusiveMinimum : undefined,
      below: isBelow ? exclusiveMaximum : undefined,
      multipleOf: isBound(multipleOf) ? multipleOf : undefined,
      example: candidates.filter(isBound).find((candidate) => this.allowsNumber(exactOf(String(candidate)))),
    };
  }
}

/** A bound in the forms that are compared fast with doubles and with decimals. */
class Limit {
  readonly #bound: Bound;
  readonly #forDoubles: Bound;
  #decimal: Decimal | undefined;

  /** @param isOfBigints whether the doubles are safe integers, which a rounded bound orders too. */
  constructor(bound: Bound, isOfBigints: boolean) {
    this.#bound = bound;
    this.#forDoubles = isOfBigints ? Number(bound) : bound;
  }

  /** The bound for a comparison of doubles; NaN for an integer beyond 2^53, which none holds. */
  get ofDoubles(): number {
    return typeof this.#forDoubles === 'number' ? this.#forDoubles : NaN;
  }

  /** Negative, zero or positive, as the value is below, equal to or above the bound. */
  compareWith(value: ExactNumber): number {
    if (typeof value === 'number') return value < this.#forDoubles ? -1 : value > this.#forDoubles ? 1 : 0;
    this.#decimal ??= decimalOf(this.#bound);
    return compareDecimals(value, this.#decimal);
  }
}

/** A key that only equal numbers share. */
function keyOf(value: ExactNumber): number | string {
  return typeof value === 'number' ? value : keyOfDecimal(value);
}

function isMultipleOf(value: ExactNumber, unit: Bound): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(unit)) return Number(value) % Number(unit) === 0;
  return isMultiple(decimalOf(value), decimalOf(unit));
}

function decimalOf(value: ExactNumber | bigint): Decimal {
  return typeof value === 'object' ? value : parseDecimal(String(value));
}

function isBound(value: unknown): value is Bound {
  return typeof value === 'number' || typeof value === 'bigint';
}
