import { isLosslessNumber } from 'lossless-json';
import { getOrInsert } from '../json/get-or-insert.ts';
import type { Discriminated } from '../schema/choices.ts';
import type { HiddenProperties } from '../schema/hidden-properties.ts';
import { fieldsOf, isSchema, list, own, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import { expressionOf, isExpression, schemasOfPatterns } from '../schema/pattern.ts';
import { partsOf } from '../schema/schema-graph.ts';
import { TEXT_FORMATS } from '../schema/text-formats.ts';

/** Whether a value fits a schema, undeclared properties left aside. */
export type Verdict = 'no' | 'maybe' | 'yes';

/** The rules that a response is judged by. */
export interface Judged {
  readonly document: OpenApiDocument;
  readonly hidden: HiddenProperties;
  /** The names of custom formats, which the validator alone decides. */
  readonly customFormats: ReadonlySet<string>;
  /** The choice that a property of the value decides. */
  discriminatedBy(schema: Schema): Discriminated | undefined;
}

/** Keywords that are not decided here, but once undeclared properties are gone. */
const UNDECIDED = [
  ...['uniqueItems', 'contains', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['propertyNames', 'minProperties', 'maxProperties'],
];

/**
 * Tells which alternatives of a choice a message may be meant for. Asks each schema once for each
 * object and array: the time is linear in the message.
 */
export class Admission {
  readonly #judged: Judged;
  readonly #known = new Map<object, Map<Schema, Verdict>>();

  constructor(judged: Judged) {
    this.#judged = judged;
  }

  /** @param value JSON, with numbers as `LosslessNumber`, `bigint` or number. */
  verdict(schema: unknown, value: unknown): Verdict {
    if (!isSchema(schema)) return schema === false ? 'no' : 'yes';
    if (typeof value !== 'object' || value === null) return this.#judge(schema, value);
    const known = getOrInsert(this.#known, value, () => new Map<Schema, Verdict>());
    const found = known.get(schema);
    if (found !== undefined) return found;
    // A schema may lead back to itself.
    known.set(schema, 'maybe');
    const verdict = this.#judge(schema, value);
    known.set(schema, verdict);
    return verdict;
  }

  /** The alternatives that admit a value; all if none does: the value is invalid. */
  admitting(alternatives: readonly unknown[], value: unknown): readonly unknown[] {
    const found = alternatives.filter((alternative) => this.verdict(alternative, value) !== 'no');
    return found.length > 0 ? found : alternatives;
  }

  #judge(schema: Schema, value: unknown): Verdict {
    return all(partsOf(this.#judged.document, schema), (part) => this.#judgeOne(part, value));
  }

  /** By the keywords of one schema, except `$ref` and `allOf`. */
  #judgeOne(schema: Schema, value: unknown): Verdict {
    const checks: ((schema: Schema, value: unknown) => Verdict)[] = [
      ...[typeVerdict, constantVerdict, numberVerdict],
      (...judged) => textVerdict(...judged, this.#judged.customFormats),
      (...judged) => this.#partsVerdict(...judged),
      (...judged) => this.#choiceVerdict(...judged),
      (...judged) => this.#conditionVerdict(...judged),
    ];
    return all(checks, (check) => check(schema, value));
  }

  #partsVerdict(schema: Schema, value: unknown): Verdict {
    if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return 'yes';
    const verdict = Array.isArray(value) ? this.#itemsVerdict(schema, value) : this.#propertiesVerdict(schema, value);
    return verdict === 'yes' && UNDECIDED.some((keyword) => keyword in schema) ? 'maybe' : verdict;
  }

  #itemsVerdict({ minItems, maxItems, prefixItems, items }: Schema, value: readonly unknown[]): Verdict {
    if (isBelow(value.length, minItems) || isBelow(maxItems, value.length)) return 'no';
    const prefix = list(prefixItems);
    if (prefix.length === 0 && items === undefined) return 'yes';
    return all(value, (item, index) => this.verdict(index < prefix.length ? prefix[index] : items, item));
  }

  #propertiesVerdict(schema: Schema, value: object): Verdict {
    const { required, properties, additionalProperties, patternProperties, dependentRequired, dependentSchemas } =
      schema;
    const hidden = this.#judged.hidden.hiddenIn(schema);
    const lacks = (name: unknown): boolean =>
      typeof name === 'string' && !hidden.has(name) && !Object.hasOwn(value, name);
    if (list(required).some(lacks)) return 'no';
    const present = Object.keys(value);
    const needed = Object.entries(fieldsOf(dependentRequired)).filter(([name]) => Object.hasOwn(value, name));
    if (needed.some(([, names]) => list(names).some(lacks))) return 'no';
    const describes = properties ?? patternProperties ?? (isSchema(additionalProperties) || undefined);
    const described = describes === undefined ? [] : present;
    const verdict = all(described, (name) => {
      if (hidden.has(name)) return 'yes';
      const named = own(properties, name);
      const schemas = [...(named === undefined ? [] : [named]), ...schemasOfPatterns(schema, name)];
      // An undeclared property is taken out; of a schema, it must fit.
      if (schemas.length === 0 && isSchema(additionalProperties)) schemas.push(additionalProperties);
      // Of `false`, it is taken out as well.
      return all(schemas.filter(isSchema), (each) => this.verdict(each, own(value, name)));
    });
    if (verdict === 'no') return 'no';
    const dependent = Object.entries(fieldsOf(dependentSchemas)).filter(([name]) => Object.hasOwn(value, name));
    return all([verdict, ...dependent.map(([, each]) => this.verdict(each, value))], (each) => each);
  }

  #choiceVerdict(schema: Schema, value: unknown): Verdict {
    const { oneOf, anyOf } = schema;
    if (oneOf === undefined && anyOf === undefined) return 'yes';
    const chosen = chosenBy(this.#judged.discriminatedBy(schema), value);
    if (chosen !== undefined) return any(chosen, (alternative) => this.verdict(alternative, value));
    return all(
      [oneOf, anyOf].filter((choice) => Array.isArray(choice)),
      (choice) => {
        const verdict = any(list(choice), (alternative) => this.verdict(alternative, value));
        // Undeclared properties left aside, several may fit where one does.
        return choice === oneOf && verdict === 'yes' ? 'maybe' : verdict;
      },
    );
  }

  #conditionVerdict({ not, if: condition, then, else: otherwise }: Schema, value: unknown): Verdict {
    const verdicts: Verdict[] = [];
    if (not !== undefined) {
      const inner = this.verdict(not, value);
      // An undeclared property may be what an object must not have.
      const isScalar = typeof value !== 'object' || value === null;
      verdicts.push(inner === 'no' ? 'yes' : inner === 'yes' && isScalar ? 'no' : 'maybe');
    }
    if (condition !== undefined) {
      const held = this.verdict(condition, value);
      if (held !== 'maybe') verdicts.push(this.verdict(held === 'yes' ? then : otherwise, value));
      else verdicts.push(any([then, otherwise], (branch) => this.verdict(branch, value)) === 'no' ? 'no' : 'maybe');
    }
    return all(verdicts, (verdict) => verdict);
  }
}

/** The alternatives that a discriminator's value or default names; undefined if neither exists. */
export function chosenBy(discriminated: Discriminated | undefined, value: unknown): readonly Schema[] | undefined {
  if (discriminated === undefined) return undefined;
  const { property, alternatives, fallback } = discriminated;
  const name = own(value, property);
  const named = alternatives.filter(({ values }) => name !== undefined && values.includes(name));
  if (named.length === 0 && fallback !== undefined) return [fallback];
  return name === undefined ? undefined : named.map(({ schema }) => schema);
}

function all<T>(values: readonly T[], judge: (value: T, index: number) => Verdict): Verdict {
  let worst: Verdict = 'yes';
  for (const [index, value] of values.entries()) {
    const verdict = judge(value, index);
    if (verdict === 'no') return 'no';
    if (verdict === 'maybe') worst = 'maybe';
  }
  return worst;
}

function any<T>(values: readonly T[], judge: (value: T) => Verdict): Verdict {
  let best: Verdict = 'no';
  for (const value of values) {
    const verdict = judge(value);
    if (verdict === 'yes') return 'yes';
    if (verdict === 'maybe') best = 'maybe';
  }
  return best;
}

function typeVerdict({ type }: Schema, value: unknown): Verdict {
  if (type === undefined) return 'yes';
  const types = [type].flat();
  // Only the digits of a lossless number tell whether it is an integer.
  if (isLosslessNumber(value)) return types.includes('number') || types.includes('integer') ? 'maybe' : 'no';
  const isInteger = typeof value === 'bigint' || Number.isInteger(value);
  const fits = types.includes(typeOf(value)) || (isInteger && types.includes('integer'));
  return fits ? 'yes' : 'no';
}

/** The name of the type of a value in JSON Schema. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function constantVerdict(schema: Schema, value: unknown): Verdict {
  const { enum: allowed } = schema;
  const constants = 'const' in schema ? [schema['const']] : Array.isArray(allowed) ? (allowed as unknown[]) : undefined;
  if (constants === undefined) return 'yes';
  // An object may have undeclared properties.
  if (typeof value === 'object' && value !== null) return 'maybe';
  return constants.some((constant) => isSame(constant, value)) ? 'yes' : 'no';
}

function isSame(constant: unknown, value: unknown): boolean {
  if (isNumber(constant) && isNumber(value)) return !(constant < value) && !(constant > value);
  return constant === value;
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function numberVerdict(schema: Schema, value: unknown): Verdict {
  if (!isNumber(value)) return 'yes';
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (isBelow(value, minimum) || isBelow(maximum, value)) return 'no';
  if (isNumber(exclusiveMinimum) && !(exclusiveMinimum < value)) return 'no';
  if (isNumber(exclusiveMaximum) && !(value < exclusiveMaximum)) return 'no';
  if (multipleOf === undefined) return 'yes';
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(multipleOf)) return 'maybe';
  return Number(value) % Number(multipleOf) === 0 ? 'yes' : 'no';
}

/** Whether one number is below another; false where a schema has no such bound. */
function isBelow(value: unknown, bound: unknown): boolean {
  return isNumber(value) && isNumber(bound) && value < bound;
}

function textVerdict(
  { minLength, maxLength, pattern, format }: Schema,
  value: unknown,
  customFormats: ReadonlySet<string>,
): Verdict {
  if (typeof value !== 'string') return 'yes';
  // A character takes one or two UTF-16 units.
  if (isBelow(value.length, minLength) || isBelow(maxLength, value.length / 2)) return 'no';
  if (minLength !== undefined || maxLength !== undefined) {
    const { length } = Array.from(value);
    if (isBelow(length, minLength) || isBelow(maxLength, length)) return 'no';
  }
  if (typeof pattern === 'string' && isExpression(pattern) && !expressionOf(pattern).test(value)) return 'no';
  if (format === undefined) return 'yes';
  if (customFormats.has(format)) return 'maybe';
  const isOfFormat = Object.hasOwn(TEXT_FORMATS, format) ? TEXT_FORMATS[format] : undefined;
  return isOfFormat === undefined ? 'maybe' : isOfFormat(value) ? 'yes' : 'no';
}
