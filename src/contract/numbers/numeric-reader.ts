import type { Schema } from '../document/openapi-document.ts';
import { parseDecimal } from './decimal.ts';
import { parseInt64 } from './int64.ts';
import { isInteger, NumberRule } from './number-rule.ts';
import { exactOf, heldNumber } from './stand-ins.ts';

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
  readonly #schema: Schema;
  readonly #rule: NumberRule;
  readonly #isInt64: boolean;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#rule = new NumberRule(schema);
    this.#isInt64 = isInt64(schema);
  }

  /**
   * @returns a `bigint` for int64, a number otherwise; undefined when the schema does not allow the
   * text, or its integer is too large for a double.
   */
  read(text: string): bigint | number | undefined {
    if (this.#isInt64) {
      const exact = parseInt64(text);
      return exact === undefined || !this.#allows(text) ? undefined : exact;
    }
    const grammar = isInteger(this.#schema) ? /^(?:0|-?[1-9]\d*)$/ : /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
    if (!grammar.test(text)) return undefined;
    const value = heldNumber(text);
    return value === undefined || !this.#allows(text) ? undefined : value;
  }

  /** What the value must be; follows the name of the parameter or property in a message. */
  get requirement(): string {
    return this.#rule.requirement;
  }

  #allows(text: string): boolean {
    if (!this.#rule.allows(exactOf(text))) return false;
    const { enum: allowed, const: only } = this.#schema;
    if (allowed === undefined && only === undefined) return true;
    const key = keyOf(text);
    return (
      !(Array.isArray(allowed) && !allowed.some((one: unknown) => keyOf(one) === key)) &&
      !(only !== undefined && keyOf(only) !== key)
    );
  }
}

/** A text that is the same for equal numbers; undefined for any other value. */
function keyOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const { digits, exponent } = parseDecimal(String(value));
  return `${digits}e${exponent}`;
}
