import { HiddenProperties, type Direction } from '../document/hidden-properties.ts';
import { isObject, isSchema, list, targetOf, type OpenApiDocument, type Schema } from '../document/openapi-document.ts';
import type { Refusal } from '../document/refusal.ts';
import { NOTHING, type StandIns } from '../numbers/stand-ins.ts';
import { discriminatedBy, hasValue } from './choices.ts';
import type { Formats } from './formats.ts';
import { isUnicode, unicodeSpelling } from './pattern.ts';

/** How each keyword is copied; annotations and unknown keywords are left out. */
const KEYWORDS: Readonly<
  Record<string, 'value' | 'constants' | 'here' | 'hereList' | 'hereMap' | 'below' | 'belowList' | 'property'>
> = {
  uniqueItems: 'value',
  minItems: 'value',
  maxItems: 'value',
  minContains: 'value',
  maxContains: 'value',
  minLength: 'value',
  maxLength: 'value',
  minProperties: 'value',
  maxProperties: 'value',
  enum: 'constants',
  const: 'constants',
  // Schemas for the same value.
  if: 'here',
  then: 'here',
  else: 'here',
  not: 'here',
  allOf: 'hereList',
  anyOf: 'hereList',
  oneOf: 'hereList',
  dependentSchemas: 'hereMap',
  // Schemas for parts of the value.
  items: 'below',
  contains: 'below',
  additionalProperties: 'property',
  propertyNames: 'below',
  unevaluatedItems: 'below',
  unevaluatedProperties: 'property',
  prefixItems: 'belowList',
};

/** Keywords whose values are data. */
const CONSTANTS = ['enum', 'const'];

/** Allows no value. */
const FORBIDDEN: Schema = { enum: [NOTHING] };

const NONE: ReadonlySet<string> = new Set();

/** The parts that the copies for both directions share. */
export interface CopyTargets {
  readonly document: OpenApiDocument;
  readonly numbers: StandIns;
  readonly formats: Formats;
  /** The copies of referenced schemas, by their names for the validator. */
  readonly components: Record<string, Schema>;
  readonly refusals: Refusal[];
}

/**
 * Copies schemas of the contract for the validator, in one direction. Numbers are checked by
 * formats, which know exact values; a property of the other direction is never required and never
 * allowed; a discriminator becomes conditions; a referenced schema becomes a component.
 */
export class SchemaCopies {
  readonly #targets: CopyTargets;
  readonly #hidden: HiddenProperties;
  readonly #names = new Map<string, string>();

  constructor(targets: CopyTargets, direction: Direction | undefined) {
    this.#targets = targets;
    this.#hidden = new HiddenProperties(targets.document, direction);
  }

  /**
   * @param inherited names of hidden properties that another part of the same value's schema
   * declares.
   */
  copy(node: unknown, inherited = NONE): unknown {
    if (!isSchema(node)) return node;
    const hidden = new Set([...inherited, ...this.#hidden.of(node)]);
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      const copied =
        isEmptyEnum(key, value) || isLeftOut(key, value) ? undefined : this.#copyKeyword(key, value, hidden);
      if (copied !== undefined) copy[key] = copied;
    }
    const parts = [...list(copy['allOf']), ...this.#assertions(node, copy), ...tuples(copy)];
    // The validator does not know that an empty enum allows nothing.
    if (isEmptyEnum('enum', node['enum'])) parts.push({ not: {} });
    parts.push(...constantsWithReferences(copy));
    if (node.$ref !== undefined) {
      const reference = { $ref: this.#componentOf(node.$ref, hidden) };
      // The validator ignores keywords beside a reference.
      if (parts.length === 0 && Object.keys(copy).length === 0) return reference;
      parts.unshift(reference);
    }
    parts.push(...this.#discriminated(node, copy, hidden));
    if (parts.length > 0) copy['allOf'] = parts;
    return copy;
  }

  /** Takes the choice of a discriminated schema out of its copy; returns it as conditions. */
  #discriminated(node: Schema, copy: Record<string, unknown>, hidden: ReadonlySet<string>): Schema[] {
    const discriminated = discriminatedBy(this.#targets.document, node);
    if (discriminated === undefined) return [];
    const { oneOf, anyOf } = copy;
    delete copy['oneOf'];
    delete copy['anyOf'];
    const { property: name, alternatives } = discriminated;
    const property = this.#targets.numbers.keys.declare(name);
    const conditions = alternatives.map(({ schema, values }) => ({
      if: hasValue(property, values),
      then: this.copy(schema, hidden),
    }));
    const known = alternatives.flatMap(({ values }) => values);
    return [
      {
        if: { type: 'object', required: [property] },
        then: { ...hasValue(property, known), allOf: conditions },
        else: { ...(oneOf === undefined ? {} : { oneOf }), ...(anyOf === undefined ? {} : { anyOf }) },
      },
    ];
  }

  #copyKeyword(key: string, value: unknown, hidden: ReadonlySet<string>): unknown {
    if (asksForAll(key, value)) this.#targets.numbers.keys.declareAll();
    switch (Object.hasOwn(KEYWORDS, key) ? KEYWORDS[key] : key) {
      case 'value':
        // A length beyond 2^53 need not be exact.
        return typeof value === 'bigint' ? Number(value) : value;
      case 'constants':
        return this.#targets.numbers.constant(value);
      case 'here':
        return this.copy(value, hidden);
      case 'hereList':
        return list(value).map((one) => this.copy(one, hidden));
      case 'hereMap':
        return this.#withKeys(mapped(value, (one) => this.copy(one, hidden)));
      case 'below':
        return this.copy(value);
      case 'belowList':
        return list(value).map((one) => this.copy(one));
      case 'patternProperties':
        return isObject(value) ? this.#patternProperties(value) : undefined;
      case 'property':
        return this.#property(value);
      case 'properties':
        return this.#withKeys(mapped(value, (one) => this.#property(one)));
      case 'required':
        return this.#keysOf(without(hidden, value));
      case 'dependentRequired':
        return this.#withKeys(mapped(value, (names) => this.#keysOf(without(hidden, names))));
      case 'type':
        return typesOf(value);
      default:
        return undefined;
    }
  }

  #keysOf(names: readonly unknown[]): string[] {
    return names.filter((name) => typeof name === 'string').map((name) => this.#targets.numbers.keys.declare(name));
  }

  #withKeys(all: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
    const { keys } = this.#targets.numbers;
    return all && Object.fromEntries(Object.entries(all).map(([name, one]) => [keys.declare(name), one]));
  }

  /** Sets the assertions on numbers and texts; returns those that need a schema of their own. */
  #assertions(node: Schema, copy: Record<string, unknown>): Schema[] {
    const { formats } = this.#targets;
    const found = [formats.ofNumbers(node), formats.ofTexts(node), this.#pattern(node, copy)];
    const [first, ...others] = found.filter((name) => name !== undefined);
    if (first !== undefined) copy['format'] = first;
    return others.map((format) => ({ format }));
  }

  /** Copies a pattern; one that does not compile with the flag `u` becomes a format. */
  #pattern(node: Schema, copy: Record<string, unknown>): string | undefined {
    const { pattern } = node;
    if (typeof pattern !== 'string') return undefined;
    if (isUnicode(pattern)) {
      copy['pattern'] = pattern;
      return undefined;
    }
    try {
      return this.#targets.formats.ofPattern(pattern);
    } catch {
      const reason = `the pattern ${pattern} is no regular expression of ECMA-262: write it as one.`;
      this.#targets.refusals.push({ node, key: 'pattern', reason });
      return undefined;
    }
  }

  /** Copies schemas by pattern; the validator knows patterns with the flag `u` only. */
  #patternProperties(schemas: object): Record<string, unknown> {
    const copies = Object.entries(schemas).map(([pattern, schema]: [string, unknown]): [string, unknown] => {
      const own = unicodeSpelling(pattern);
      if (!isUnicode(own)) {
        const reason = `the pattern ${pattern} of properties is no regular expression with the flag u: write it as one.`;
        this.#targets.refusals.push({ node: schemas, key: pattern, reason });
      }
      return [own, this.#property(schema)];
    });
    return Object.fromEntries(copies);
  }

  /**
   * The reference to the copy of a schema. Where another part hides properties that this one
   * requires, the copy is one of its own.
   */
  #componentOf($ref: string, hidden: ReadonlySet<string>): string {
    const { document, components } = this.#targets;
    const target: Schema = targetOf(document, $ref);
    const dropped = this.#hidden.requiredOf(target, hidden);
    const key = JSON.stringify([$ref, dropped]);
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `schema${Object.keys(components).length}`;
      this.#names.set(key, name);
      // Takes the name before schemas inside the copy get theirs.
      const component: Schema = {};
      components[name] = component;
      Object.assign(component, separate(this.copy(target, new Set(dropped))));
    }
    return `#/components/schemas/${name}`;
  }

  /** A property, which must not have a value for which it is hidden. */
  #property(property: unknown): unknown {
    if (this.#hidden.isHidden(property)) return FORBIDDEN;
    const choices = this.#hidden.choicesOf(property).map((one) => ({ if: this.copy(one), then: FORBIDDEN }));
    return choices.length === 0 ? this.copy(property) : { allOf: [this.copy(property), ...choices] };
  }
}

/**
 * A schema that the validator compiles once, when it is used: `then` hides it from the search for
 * what is converted already, which compiles what it finds, and a schema with `$recursiveAnchor` is
 * not repeated inside those that refer to it.
 */
export function separate(schema: unknown): Schema {
  return { $recursiveAnchor: false, if: true, then: schema };
}

function isEmptyEnum(key: string, value: unknown): boolean {
  return key === 'enum' && Array.isArray(value) && value.length === 0;
}

/** The names in a list, without hidden ones. */
function without(hidden: ReadonlySet<string>, names: unknown): unknown[] {
  return list(names).filter((name) => typeof name === 'string' && !hidden.has(name));
}

/** True for a keyword without a value, as YAML allows. */
function isLeftOut(key: string, value: unknown): boolean {
  return value === null && key !== 'const';
}

/** True for data in which the validator would follow a reference. */
function hasReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return '$ref' in value || Object.values(value).some(hasReference);
}

/** Takes constants in which the validator would follow a reference out; returns them as schemas. */
function constantsWithReferences(copy: Record<string, unknown>): Schema[] {
  return CONSTANTS.filter((key) => hasReference(copy[key])).map((key) => {
    const values = key === 'enum' ? list(copy[key]) : [copy[key]];
    Reflect.deleteProperty(copy, key);
    return { anyOf: values.map(exactly) };
  });
}

/** The schema of one value, which spells out the keys of its objects: `$ref` is one like others. */
function exactly(value: unknown): Schema {
  if (!hasReference(value)) return { enum: [value] };
  if (Array.isArray(value)) {
    const { length } = value;
    return { type: 'array', prefixItems: value.map(exactly), minItems: length, maxItems: length, items: false };
  }
  return {
    type: 'object',
    required: Object.keys(value as object),
    properties: mapped(value, exactly),
    additionalProperties: false,
  };
}

/** A tuple of at most so many items is known by its lengths. */
const LONGEST_TUPLE = 50;

/** A tuple of bounded length as a choice of fixed lengths, the only ones that the validator has. */
function tuples(copy: Record<string, unknown>): Schema[] {
  const { prefixItems, items, minItems = 0, maxItems = Infinity } = copy;
  const prefix = list(prefixItems);
  const most = Math.min(Number(maxItems), items === false ? prefix.length : Infinity);
  if (prefix.length === 0 || most > LONGEST_TUPLE) return [];
  // Fixed lengths would describe items that unevaluatedItems has to judge.
  if (items === undefined && most > prefix.length) return [];
  for (const key of ['prefixItems', 'items']) Reflect.deleteProperty(copy, key);
  copy['maxItems'] = most;
  const lengths = Array.from({ length: most + 1 }, (_, length) => length).slice(Number(minItems));
  const fixed = lengths.map((length) => ({
    prefixItems: Array.from({ length }, (_, index) => prefix[index] ?? items),
    minItems: length,
    maxItems: length,
  }));
  return fixed.length > 1 ? [{ anyOf: fixed }] : fixed;
}

/** `integer` is an assertion of the format on numbers, which knows their exact values. */
function typesOf(type: unknown): unknown {
  if (typeof type === 'string') return type === 'integer' ? 'number' : type;
  return [...new Set(list(type).map((one) => (one === 'integer' ? 'number' : one)))];
}

/** True for keywords that compare objects, or ask for each property by name. */
function asksForAll(key: string, value: unknown): boolean {
  if (CONSTANTS.includes(key)) return [value].flat().some((one) => typeof one === 'object' && one !== null);
  return key === 'uniqueItems' || key === 'unevaluatedProperties';
}

/** A map of schemas with each copied. */
function mapped(value: unknown, copy: (one: unknown) => unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, copy(one)]));
}
