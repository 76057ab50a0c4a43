import type { Schema } from '../document/openapi-document.ts';
import { exactOf, heldNumber } from './decimal.ts';
import { parseInt64 } from '../int64.ts';
import { isInteger, NumberRule } from './number-rule.ts';

/**
 * True for a schema whose numbers are exact integers of 64 bits. The format is one of any number
 * (the OpenAPI Format Registry), and says nothing of texts.
 */
export function isInt64({ type, format }: Schema): boolean {
  return format === 'int64' && (type === undefined || [type].flat().some((one) => NUMBERS.includes(one)));
}

const NUMBERS: readonly unknown[] = ['integer', 'number'];

/**
 * Reads the text of a number as one schema wants it, for parameters. An integer has one canonical
 * decimal text (`0`, no leading zeros, no `+`, no exponent), any other number the grammar of JSON
 * (RFC 8259, section 6).
 */
export class NumericReader {
  readonly #rule: NumberRule;
  readonly #isInt64: boolean;
  readonly #grammar: RegExp;

  constructor(schema: Schema) {
    this.#rule = new NumberRule(schema);
    this.#isInt64 = isInt64(schema);
    this.#grammar = isInteger(schema) ? /^(?:0|-?[1-9]\d*)$/ : /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
  }

  /**
   * @returns a `bigint` for int64, a number otherwise; undefined when the schema does not allow the
   * text, or its integer is too large for a double.
   */
  read(text: string): bigint | number | undefined {
    const value = this.#isInt64 ? parseInt64(text) : this.#grammar.test(text) ? heldNumber(text) : undefined;
    return value !== undefined && this.#rule.allows(exactOf(text)) ? value : undefined;
  }

  /** What the value must be; follows the name of the parameter or property in a message. */
  get requirement(): string {
    return this.#rule.requirement;
  }
}
