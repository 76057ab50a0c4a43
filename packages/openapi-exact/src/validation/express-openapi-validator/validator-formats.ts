import { isLosslessNumber } from 'lossless-json';
import { exactOf, textOfNumber, type ExactNumber } from '../../json/decimal.ts';
import { expressionOf } from '../../schema/pattern.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { requirementOf, type Fault, type Limits } from '../../errors/limits.ts';
import type { MessageDirection } from '../../bodies/message-parts.ts';
import type { OpenApiDocument, Schema } from '../../schema/openapi-document.ts';
import { NUMBER_KEYWORDS } from '../../schema/bigint.ts';
import { placesOf, type ContractPlaces } from '../../schema/contract-places.ts';
import { customFormatsOf, type ValueFormats } from '../../schema/value-formats.ts';
import { hasNumberRule, NumberRule } from '../../schema/number-rule.ts';
import { propertyName, withoutMarks } from './property-keys.ts';
import { limitsIn } from './read-message.ts';
import type { CurrentCheck } from './exact-message.ts';
import { NOT_CONTAINED, NOTHING } from './stand-ins.ts';
import type { CustomFormats } from '../../schema/custom-formats.ts';
import { TEXT_FORMATS } from '../../schema/text-formats.ts';

/** A format as express-openapi-validator takes it. */
type Format =
  | { readonly type: 'number'; readonly validate: (value: number) => boolean }
  | { readonly type: 'string'; readonly validate: (text: string) => boolean };

/** The validator lists values without telling null and the empty text apart. */
const ENUM = /^must be equal to one of the allowed values: (.*)$/s;

/** The rules that formats assert. */
export interface FormatRules {
  readonly customFormats: CustomFormats;
  /** Whether patterns are asserted. */
  readonly hasPatterns: boolean;
}

/** What a property is that messages of a direction must not have. */
const HIDDEN = { request: 'readOnly', response: 'writeOnly' } as const;

/** What a format asserts: a keyword of the contract, which the value may decide, and its limits. */
interface Assertion {
  readonly keyword: string | ((value: unknown) => string);
  readonly limits: Limits;
}

/**
 * The formats of the schemas of one validator. Each assertion on a number becomes a format, which
 * checks the exact number; formats that are not known assert nothing.
 */
export class ValidatorFormats {
  /** By name, for the validator. */
  readonly all: Record<string, Format> = {};
  readonly #assertions = new Map<string, Assertion>();
  /** What enums require, by their values as the validator lists them. */
  readonly #enums = new Map<string, Assertion>();
  readonly #check: CurrentCheck;
  readonly #names = new Map<string, string>();
  readonly #customRules: CustomFormats['rules'];
  readonly #places: ContractPlaces;
  readonly #hasPatterns: boolean;

  constructor(check: CurrentCheck, document: OpenApiDocument, { customFormats, hasPatterns }: FormatRules) {
    this.#check = check;
    this.#customRules = customFormats.rules;
    this.#places = placesOf({ document }, customFormats.codecs);
    this.#hasPatterns = hasPatterns;
  }

  /** Adds a format that asserts nothing of the contract. */
  addFormat(name: string, format: Format): void {
    this.all[name] = format;
  }

  /** The name of the format for the rule of a schema for numbers; undefined without a rule. */
  ofNumbers(schema: Schema): string | undefined {
    if (!hasNumberRule(schema)) return undefined;
    return this.#nameFor(this.#numberKey(schema), () => {
      const rule = this.#numberRule(schema);
      const validate = (value: number): boolean => rule.allowsNumber(this.#check.numbers.exact(value));
      const keyword = (value: unknown): string => rule.unmetKeyword(exactValue(value));
      return [
        { type: 'number', validate },
        { keyword, limits: rule.limits },
      ];
    });
  }

  /** The name of the format for a choice between schemas that only say something of numbers. */
  ofChoice(keyword: 'oneOf' | 'anyOf', numeric: readonly Schema[]): string {
    return this.#nameFor(JSON.stringify([keyword, ...numeric.map((schema) => this.#numberKey(schema))]), () => {
      const rules = numeric.map((schema) => this.#numberRule(schema));
      const validate = (value: number): boolean => {
        const exact = this.#check.numbers.exact(value);
        const fitting = rules.filter((rule) => rule.allowsNumber(exact));
        return keyword === 'oneOf' ? fitting.length === 1 : fitting.length > 0;
      };
      const limits = { oneOf: rules.map((rule) => rule.limits), isExclusive: keyword === 'oneOf' };
      return [
        { type: 'number', validate },
        { keyword, limits },
      ];
    });
  }

  /** The name of the format for a schema's format of texts; undefined if it asserts nothing. */
  ofTexts(schema: Schema): string | undefined {
    const { format = '' } = schema;
    const known = Object.hasOwn(TEXT_FORMATS, format) ? TEXT_FORMATS[format] : undefined;
    const validate = this.#customRule(schema, 'texts') ?? known;
    if (validate === undefined) return undefined;
    return this.#nameFor(format, () => [
      { type: 'string', validate },
      { keyword: 'format', limits: { format } },
    ]);
  }

  /** The name of the format for the author's rule for numbers of a schema's format. */
  ofOwnNumbers(schema: Schema): string | undefined {
    const { format = '' } = schema;
    const validate = this.#customRule(schema, 'numbers');
    if (validate === undefined) return undefined;
    return this.#nameFor(`${format} of numbers`, () => {
      const ofNumber = (value: number): boolean => validate(textOfNumber(this.#check.numbers.exact(value)));
      return [
        { type: 'number', validate: ofNumber },
        { keyword: 'format', limits: { format } },
      ];
    });
  }

  #customRule(schema: Schema, kind: keyof ValueFormats): ((text: string) => boolean) | undefined {
    return this.#customRules.get(customFormatsOf(schema, this.#customRules)[kind] ?? '');
  }

  /**
   * The name of the format for a pattern.
   * @param isForNames whether the texts are keys of properties.
   * @throws SyntaxError when it is not a regular expression.
   */
  ofPattern(pattern: string, isForNames = false): string {
    const expression = expressionOf(pattern);
    const validate = (text: string): boolean =>
      !this.#hasPatterns || expression.test(isForNames ? propertyName(text) : text);
    return this.#nameFor(`${isForNames}/${pattern}/`, () => [
      { type: 'string', validate },
      { keyword: 'pattern', limits: { pattern } },
    ]);
  }

  /**
   * The name of the format for the values of an enum that are of one type.
   * @param copied those values as the validator has them. @param values all of the enum.
   */
  ofConstants(type: 'string' | 'number', copied: readonly unknown[], values: readonly unknown[]): string {
    const allowed = new Set(copied);
    const limits = { values };
    const validate = (value: unknown): boolean => allowed.has(value);
    const key = JSON.stringify([requirementOf(limits), copied]);
    return this.#nameFor(key, () => [
      { type, validate },
      { keyword: 'enum', limits },
    ]);
  }

  /** The name of the format for the lengths of keys; undefined without one. */
  ofLengths({ minLength = 0, maxLength = Infinity }: Schema): string | undefined {
    if (minLength === 0 && maxLength === Infinity) return undefined;
    const validate = (key: string): boolean => {
      const { length } = Array.from(propertyName(key));
      return length >= Number(minLength) && length <= Number(maxLength);
    };
    const limits = { shortest: minLength, longest: maxLength };
    const key = requirementOf(limits);
    return this.#nameFor(key, () => [
      { type: 'string', validate },
      { keyword: 'propertyNames', limits },
    ]);
  }

  /**
   * What a message of the validator tells of, in the terms of the contract.
   * @param keyword the validator's own. @param value at the place of the fault.
   */
  readMessage(
    message: string,
    keyword: string,
    direction: MessageDirection,
    value: () => unknown,
  ): Pick<Fault, 'keyword' | 'limits'> {
    if (message.includes(`${NOTHING} items`)) return { keyword: 'uniqueItems', limits: 'distinct' };
    if (message.includes(`${NOT_CONTAINED} items`)) return { keyword: 'contains', limits: 'contained' };
    if (message.includes(String(NOTHING))) return { keyword: HIDDEN[direction], limits: HIDDEN[direction] };
    const [, format = ''] = /^must match format "(.*)"$/.exec(message) ?? [];
    // Without values it is the enum of an empty text.
    const [, values] = ENUM.exec(message) ?? [];
    const asserted = this.#assertions.get(format) ?? (values === undefined ? undefined : this.#enums.get(values));
    if (asserted === undefined) return { keyword, limits: limitsIn(withoutMarks(message)) };
    const { keyword: own, limits } = asserted;
    return { keyword: typeof own === 'function' ? own(value()) : own, limits };
  }

  /**
   * Keeps what an enum requires.
   * @param copied its values as the validator has them. @param keyword that the contract has.
   */
  addEnum(copied: readonly unknown[], values: readonly unknown[], keyword: 'enum' | 'const' = 'enum'): void {
    const key = copied.join(', ');
    const limits = { values };
    const known = this.#enums.get(key) ?? { keyword, limits };
    this.#enums.set(key, {
      keyword: known.keyword === keyword ? keyword : 'enum',
      // Objects and null are all the same there.
      limits: requirementOf(known.limits) === requirementOf(limits) ? limits : 'listed',
    });
  }

  /** A text that only schemas have which say the same of numbers. */
  #numberKey(schema: Schema): string {
    const { type, format } = schema;
    const keywords = NUMBER_KEYWORDS.map((keyword) => String(schema[keyword]));
    return JSON.stringify([type, format, this.#places.hasLargeIntegers(schema), ...keywords]);
  }

  /** The rule of a schema without its constants, with which the validator itself compares. */
  #numberRule(schema: Schema): NumberRule {
    const { enum: _, const: __, ...assertions } = schema;
    return new NumberRule(assertions, this.#places.hasLargeIntegers(schema));
  }

  /** The name of a format, which is made at its first use. */
  #nameFor(key: string, make: () => readonly [format: Format, assertion: Assertion]): string {
    return getOrInsert(this.#names, key, () => {
      const name = `rule ${this.#names.size}`;
      const [format, assertion] = make();
      this.all[name] = format;
      this.#assertions.set(name, assertion);
      return name;
    });
  }
}

/** The exact value of a number in a message; NaN for any other value. */
function exactValue(value: unknown): ExactNumber {
  if (isLosslessNumber(value)) return exactOf(value.value);
  if (typeof value === 'bigint') return exactOf(String(value));
  return typeof value === 'number' ? value : NaN;
}
