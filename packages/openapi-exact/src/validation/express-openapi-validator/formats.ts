import { isLosslessNumber } from 'lossless-json';
import type { UnmetKeyword } from '../../errors/invalid-response-error.ts';
import { exactOf, type ExactNumber } from '../../json/decimal.ts';
import { expressionOf } from '../../schema/pattern.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { inWords, oneOfValues, oneRequirement } from '../../errors/messages.ts';
import type { Schema } from '../../schema/openapi-document.ts';
import { isBesideBigint } from '../../schema/beside-bigints.ts';
import { isBigint, NUMBER_KEYWORDS } from '../../schema/bigint.ts';
import { hasNumberRule, NumberRule } from '../../schema/number-rule.ts';
import { propertyName } from './property-keys.ts';
import type { Evaluations } from './evaluations.ts';
import type { CurrentCheck } from './exact-message.ts';
import { NOT_CONTAINED, NOTHING } from './stand-ins.ts';
import { TEXT_FORMATS } from '../text-formats.ts';

/** A format as express-openapi-validator takes it. */
type Format =
  | { readonly type: 'number'; readonly validate: (value: number) => boolean }
  | { readonly type: 'string'; readonly validate: (text: string) => boolean };

/** The validator lists values without telling null and the empty text apart. */
const ENUM = /^must be equal to one of the allowed values: (.*)$/s;

/** What a property is that messages of a direction must not have. */
const HIDDEN = { request: 'read-only', response: 'write-only' } as const;
const HIDDEN_KEYWORDS = { request: 'readOnly', response: 'writeOnly' } as const;

/** The name of the format that counts the evaluations of an object, by its number. */
export const EVALUATION = 'evaluation';

/** The names of the formats that remember the verdicts of one schema by the numbers of objects. */
interface RememberedFormats {
  /** Holds for an object that was not evaluated yet. */
  readonly isFirst: string;
  /** Remembers that the schema holds, and holds itself. */
  readonly hold: string;
  /** Holds where the schema was found to hold. */
  readonly held: string;
}

/**
 * The formats of the schemas of one validator. Each assertion on a number becomes a format, which
 * checks the exact number; formats that are not known assert nothing.
 */
export class Formats {
  /** By name, for the validator. */
  readonly all: Record<string, Format> = {
    [EVALUATION]: {
      type: 'number',
      validate: (object) => this.#check.message?.evaluations.countObject(object) ?? true,
    },
  };
  /** What each format asks of a client, and of a handler. */
  readonly #requirements = new Map<string, Readonly<Record<'request' | 'response', string>>>();
  /** The keyword of the contract that each format asserts. */
  readonly #keywords = new Map<string, UnmetKeyword>();
  readonly #enums = new Map<string, string>();
  /** The keyword of each enum: `const` where all of the same value are one. */
  readonly #enumKeywords = new Map<string, 'enum' | 'const'>();
  readonly #check: CurrentCheck;
  readonly #names = new Map<string, string>();
  readonly #hasPatterns: boolean;
  #remembered = 0;

  /** @param hasPatterns whether patterns are asserted. */
  constructor(check: CurrentCheck, hasPatterns: boolean) {
    this.#check = check;
    this.#hasPatterns = hasPatterns;
  }

  /** The formats for one more schema whose verdicts are remembered. */
  rememberedFormats(): RememberedFormats {
    const schema = this.#remembered++;
    const named = (what: string, validate: (evaluations: Evaluations, object: number) => boolean): string => {
      const name = `${EVALUATION} ${schema} ${what}`;
      // Only copies of messages have numbers of objects.
      const ask = (object: number): boolean => {
        const evaluations = this.#check.message?.evaluations;
        return evaluations === undefined || validate(evaluations, object);
      };
      this.all[name] = { type: 'number', validate: ask };
      return name;
    };
    return {
      isFirst: named('first', (evaluations, object) => evaluations.isFirst(schema, object)),
      hold: named('hold', (evaluations, object) => evaluations.hold(schema, object)),
      held: named('held', (evaluations, object) => evaluations.isHeld(schema, object)),
    };
  }

  /** The name of the format for the rule of a schema for numbers; undefined without a rule. */
  ofNumbers(schema: Schema): string | undefined {
    if (!hasNumberRule(schema)) return undefined;
    return this.#nameFor(numberKey(schema), () => {
      const rule = numberRule(schema);
      const validate = (value: number): boolean => rule.allowsNumber(this.#check.numbers.exact(value));
      const keyword = (value: unknown): string => rule.unmetKeyword(exactValue(value));
      return [{ type: 'number', validate }, keyword, rule.requirement, rule.handlerRequirement];
    });
  }

  /** The name of the format for a choice between schemas that only say something of numbers. */
  ofChoice(keyword: 'oneOf' | 'anyOf', numeric: readonly Schema[]): string {
    return this.#nameFor(JSON.stringify([keyword, ...numeric.map(numberKey)]), () => {
      const rules = numeric.map(numberRule);
      const validate = (value: number): boolean => {
        const exact = this.#check.numbers.exact(value);
        const fitting = rules.filter((rule) => rule.allowsNumber(exact));
        return keyword === 'oneOf' ? fitting.length === 1 : fitting.length > 0;
      };
      const only = keyword === 'oneOf' ? ', and no other' : '';
      const client = oneRequirement(rules.map(({ requirement }) => requirement));
      const handler = oneRequirement(rules.map(({ handlerRequirement }) => handlerRequirement));
      return [{ type: 'number', validate }, keyword, client + only, handler + only];
    });
  }

  /** The name of the format for a schema's format of texts; undefined if it asserts nothing. */
  ofTexts({ format = '' }: Schema): string | undefined {
    const validate = Object.hasOwn(TEXT_FORMATS, format) ? TEXT_FORMATS[format] : undefined;
    return (
      validate && this.#nameFor(format, () => [{ type: 'string', validate }, 'format', `must match format "${format}"`])
    );
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
      'pattern',
      `must match pattern "${pattern}"`,
    ]);
  }

  /**
   * The name of the format for the values of an enum that are of one type.
   * @param copied those values as the validator has them. @param values all of the enum.
   */
  ofConstants(type: 'string' | 'number', copied: readonly unknown[], values: readonly unknown[]): string {
    const allowed = new Set(copied);
    const requirement = oneOfValues(values);
    const validate = (value: unknown): boolean => allowed.has(value);
    return this.#nameFor(JSON.stringify([requirement, copied]), () => [{ type, validate }, 'enum', requirement]);
  }

  /** The name of the format for the lengths of keys; undefined without one. */
  ofLengths({ minLength = 0, maxLength = Infinity }: Schema): string | undefined {
    if (minLength === 0 && maxLength === Infinity) return undefined;
    const validate = (key: string): boolean => {
      const { length } = Array.from(propertyName(key));
      return length >= Number(minLength) && length <= Number(maxLength);
    };
    const what = `must have a length between ${String(minLength)} and ${String(maxLength)} characters`;
    return this.#nameFor(what, () => [{ type: 'string', validate }, 'propertyNames', what]);
  }

  /**
   * A message of the validator in the terms of the contract.
   * @param direction of the message that was checked.
   */
  describeMismatch(message: string, direction: 'request' | 'response'): string {
    if (message.includes(`${NOTHING} items`)) return 'must not have equal items';
    if (message.includes(`${NOT_CONTAINED} items`)) return 'must contain an item that the contract asks for';
    if (message.includes(String(NOTHING))) return `is ${HIDDEN[direction]}`;
    const [, name = ''] = /^must match format "(.*)"$/.exec(message) ?? [];
    // Without values it is the enum of an empty text.
    const [, values] = ENUM.exec(message) ?? [];
    const ofEnum = values === undefined ? undefined : this.#enums.get(values);
    return this.#requirements.get(name)?.[direction] ?? ofEnum ?? inWords(message);
  }

  /**
   * The keyword of the contract that a message of the validator is about.
   * @param keyword the validator's own.
   */
  keywordOf(message: string, keyword: string, direction: 'request' | 'response'): UnmetKeyword {
    if (message.includes(`${NOTHING} items`)) return 'uniqueItems';
    if (message.includes(`${NOT_CONTAINED} items`)) return 'contains';
    if (message.includes(String(NOTHING))) return HIDDEN_KEYWORDS[direction];
    const [, name = ''] = /^must match format "(.*)"$/.exec(message) ?? [];
    const [, values] = ENUM.exec(message) ?? [];
    const ofEnum = values === undefined ? undefined : this.#enumKeywords.get(values);
    return this.#keywords.get(name) ?? ofEnum ?? keyword;
  }

  /**
   * Keeps what an enum requires.
   * @param copied its values as the validator has them. @param keyword that the contract has.
   */
  addEnum(copied: readonly unknown[], values: readonly unknown[], keyword: 'enum' | 'const' = 'enum'): void {
    const key = copied.join(', ');
    this.#enumKeywords.set(key, (this.#enumKeywords.get(key) ?? keyword) === keyword ? keyword : 'enum');
    const words = oneOfValues(values);
    // Objects and null are all the same there.
    this.#enums.set(key, (this.#enums.get(key) ?? words) === words ? words : 'must be a value that the contract lists');
  }

  /** The name of a format, which is made at its first use. */
  #nameFor(
    key: string,
    make: () => readonly [format: Format, keyword: UnmetKeyword, requirement: string, ofHandler?: string],
  ): string {
    return getOrInsert(this.#names, key, () => {
      const name = `rule ${this.#names.size}`;
      const [format, keyword, request, response = request] = make();
      this.all[name] = format;
      this.#requirements.set(name, { request, response });
      this.#keywords.set(name, keyword);
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

/** A text that only schemas have which say the same of numbers. */
function numberKey(schema: Schema): string {
  const { type, format } = schema;
  const keywords = NUMBER_KEYWORDS.map((keyword) => String(schema[keyword]));
  return JSON.stringify([type, format, isBigint(schema) || isBesideBigint(schema), ...keywords]);
}

/** The rule of a schema without its constants, with which the validator itself compares. */
function numberRule(schema: Schema): NumberRule {
  const { enum: _, const: __, ...assertions } = schema;
  return new NumberRule(assertions, isBigint(schema) || isBesideBigint(schema));
}
