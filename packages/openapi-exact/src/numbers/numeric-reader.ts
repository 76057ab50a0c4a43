import type { Schema } from '../document/openapi-document.ts';
import { isBigint, isInteger } from '../document/bigint.ts';
import { exactOf, heldNumber } from './decimal.ts';
import { NumberRule } from './number-rule.ts';

/** A canonical decimal integer. */
const CANONICAL = /^(?:0|-?[1-9]\d*)$/;

/**
 * Reads the text of a number as one schema wants it, for parameters. An integer has one canonical
 * decimal text (`0`, no leading zeros, no `+`, no exponent), any other number the grammar of JSON
 * (RFC 8259, section 6).
 */
export class NumericReader {
  readonly #rule: NumberRule;
  readonly #isBigint: boolean;
  readonly #grammar: RegExp;

  constructor(schema: Schema) {
    this.#rule = new NumberRule(schema);
    this.#isBigint = isBigint(schema);
    this.#grammar = this.#isBigint || isInteger(schema) ? CANONICAL : /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
  }

  /**
   * @returns a `bigint` where the schema says so, a number otherwise; undefined when the schema
   * does not allow the text, or its integer is too large for a double.
   */
  readScalar(text: string): bigint | number | undefined {
    const exact = this.#grammar.test(text) ? exactOf(text) : NaN;
    if (Number.isNaN(exact) || !this.#rule.allowsNumber(exact)) return undefined;
    return this.#isBigint ? BigInt(text) : heldNumber(text);
  }

  /** What the value must be; follows the name of the parameter or property in a message. */
  get requirement(): string {
    return this.#rule.requirement;
  }

  /** The same for a handler. */
  get handlerRequirement(): string {
    return this.#rule.handlerRequirement;
  }
}
