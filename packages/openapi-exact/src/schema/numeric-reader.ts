import type { Schema } from './openapi-document.ts';
import { LosslessNumber } from 'lossless-json';
import { isBigint, isInteger } from './bigint.ts';
import { exactOf, heldNumber, type ExactNumber } from '../json/decimal.ts';
import type { Limits } from '../errors/limits.ts';
import { NumberRule } from './number-rule.ts';

/** A canonical decimal integer. */
const CANONICAL = /^(?:0|-?[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The formats of numbers that the library knows; others may be custom formats. */
export const KNOWN_FORMATS: readonly unknown[] = ['int32', 'int64', 'uint64', 'float', 'double'];

/** A text that is a number, for all schemas that may read it. */
export interface NumericText {
  readonly text: string;
  readonly exact: ExactNumber;
  readonly isCanonical: boolean;
}

/** @returns undefined unless the text is a number of JSON in the range of doubles. */
export function numericText(text: string): NumericText | undefined {
  const exact = NUMBER.test(text) ? exactOf(text) : NaN;
  return Number.isNaN(exact) ? undefined : { text, exact, isCanonical: CANONICAL.test(text) };
}

/**
 * Reads the text of a number as one schema wants it, for parameters. An integer has one canonical
 * decimal text (`0`, no leading zeros, no `+`, no exponent), any other number the grammar of JSON
 * (RFC 8259, section 6).
 */
export class NumericReader {
  readonly #rule: NumberRule;
  /** The rule where numbers may be beyond doubles: those of unknown formats are checked later. */
  readonly #readRule: NumberRule;
  readonly #isBigint: boolean;
  readonly #isUnknown: boolean;
  readonly #isInteger: boolean;

  constructor(schema: Schema) {
    this.#rule = new NumberRule(schema);
    this.#isBigint = isBigint(schema);
    this.#isInteger = this.#isBigint || isInteger(schema);
    this.#isUnknown = schema.format !== undefined && !KNOWN_FORMATS.includes(schema.format);
    this.#readRule = this.#isUnknown && isInteger(schema) ? new NumberRule(schema, true) : this.#rule;
  }

  /**
   * @returns a number; a `bigint` where the schema allows integers beyond doubles; a
   * `LosslessNumber` for a number of an unknown format that no double holds; undefined for a text
   * that the schema does not allow, or an integer too large for a double.
   */
  readScalar(_text: string, numeric: NumericText | undefined): bigint | number | LosslessNumber | undefined {
    if (numeric === undefined || (this.#isInteger && !numeric.isCanonical)) return undefined;
    if (!this.#readRule.allowsNumber(numeric.exact)) return undefined;
    if (typeof numeric.exact === 'number' && !this.#isBigint) return numeric.exact;
    if (this.#isBigint) return Number.isSafeInteger(numeric.exact) ? Number(numeric.exact) : BigInt(numeric.text);
    return heldNumber(numeric.text) ?? (this.#isUnknown ? new LosslessNumber(numeric.text) : undefined);
  }

  /** The keyword that a text does not meet which is not read. */
  unmetKeyword(numeric: NumericText | undefined): string {
    if (numeric === undefined || (this.#isInteger && !numeric.isCanonical)) return 'type';
    return this.#rule.unmetKeyword(numeric.exact);
  }

  /** What the value must be. */
  get limits(): Limits {
    return this.#rule.limits;
  }
}
