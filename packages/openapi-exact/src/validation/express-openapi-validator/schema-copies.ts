import { HiddenProperties, type Direction } from '../../schema/hidden-properties.ts';
import { fieldsOf, isSchema, list, targetOf, type Schema } from '../../schema/openapi-document.ts';
import { getOrInsert } from '../../json/get-or-insert.ts';
import { ALL_KEYWORDS, partsOf, SAME_VALUE } from '../../schema/schema-graph.ts';
import { FIELDS, type Field } from '../../schema/structure.ts';
import { propertyKey, keyPattern } from './property-keys.ts';
import { JsonCopy } from './exact-message.ts';
import { NOT_CONTAINED, NOTHING } from './stand-ins.ts';
import { discriminatedBy, hasValue, toldApartBy } from '../../schema/choices.ts';
import type { Components } from './components.ts';
import { containedItems } from './contained-items.ts';
import { distinctItems } from './distinct-items.ts';
import { isExpression, isUnicode, unicodeSpelling } from '../../schema/pattern.ts';
import { typesOf } from '../../schema/alternatives.ts';
import { longEnum } from './long-enum.ts';
import { MOST_TRIED, outline, triedAlternatives } from './many-alternatives.ts';
import { rivalAlternatives } from '../../schema/rival-alternatives.ts';
import { respell } from './respell.ts';

/** Keywords whose values are data. */
const CONSTANTS = ['enum', 'const'];
const LENGTHS = ['minLength', 'maxLength'];
/** Assertions whose values the validator takes as they are. */
const VALUES = [
  ...['uniqueItems', 'minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties'],
  ...LENGTHS,
];
/** Keywords with schemas for properties, which may be hidden. */
const HIDEABLE_KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];
/** Keywords with schemas that assert nothing where they stand. */
const NOT_ASSERTED = ['$defs', 'definitions', 'contentSchema'];

/** Keywords whose schemas the validator gets several times: see respell.ts. */
const REPEATED = ['if', 'prefixItems'];

/** Allows no value. */
const FORBIDDEN: Schema = { enum: [NOTHING] };

const NO_HIDDEN_NAMES: ReadonlySet<string> = new Set();

/**
 * Copies schemas of the contract for the validator, in one direction. Numbers are checked by
 * formats, which know exact values; a property of the other direction is never required and never
 * allowed; a discriminator becomes conditions; a referenced schema becomes a component.
 */
export class SchemaCopies {
  readonly #components: Components;
  readonly #direction: Direction | undefined;
  readonly #hidden: HiddenProperties;
  /** Whether the schemas are for names of properties. */
  readonly #isForNames: boolean;
  #forNames: SchemaCopies | undefined;
  /** The schemas with parts that were copied, by the names that are hidden in them. */
  readonly #copied = new Map<Schema, Map<string, Schema | undefined>>();

  constructor(components: Components, direction: Direction | undefined, isForNames = false) {
    this.#components = components;
    this.#direction = direction;
    this.#hidden = new HiddenProperties(components.document, direction);
    this.#isForNames = isForNames;
  }

  /**
   * The copy of a schema. One with parts is written once, and referred to after that: each place
   * that needs two copies would otherwise double what is nested in it.
   * @param inherited names of hidden properties that another part of the same value's schema
   * declares.
   */
  validationSchema(node: unknown, inherited = NO_HIDDEN_NAMES): unknown {
    if (!isSchema(node)) return node;
    const hidden = new Set([...inherited, ...this.#hidden.hiddenIn(node)]);
    if (!ALL_KEYWORDS.some((keyword) => keyword in node)) return this.#copyOf(node, hidden);
    const known = getOrInsert(this.#copied, node, () => new Map<string, Schema | undefined>());
    const key = JSON.stringify([...hidden].sort());
    if (!known.has(key)) {
      known.set(key, undefined);
      return this.#copyOf(node, hidden);
    }
    const reference = known.get(key) ?? this.#components.sharedReference(() => this.#copyOf(node, hidden));
    known.set(key, reference);
    return { ...reference };
  }

  #copyOf(node: Schema, hidden: ReadonlySet<string>): unknown {
    const copy: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      // YAML allows a keyword without a value.
      const copied = value === null && key !== 'const' ? undefined : this.#copyKeyword(key, value, hidden);
      if (copied !== undefined) copy[key] = copied;
    }
    if ('const' in copy && copy['enum'] === undefined) {
      // The validator names the values of an enum only.
      copy['enum'] = [copy['const']];
      Reflect.deleteProperty(copy, 'const');
      this.#components.formats.addEnum(list(copy['enum']), [node['const']], 'const');
    }
    const distinct = distinctItems(copy, this.#typesOfItems(node));
    const contained = containedItems(copy, NOT_CONTAINED);
    const listed = longEnum(copy, node['enum'], this.#components.formats);
    const asserted = [...listed, ...this.#assertions(node, copy), ...distinct, ...contained];
    const parts = [...list(copy['allOf']), ...asserted, ...respell(copy)];
    if (node.$ref !== undefined) {
      const reference = { $ref: this.#copyReference(node.$ref, hidden) };
      // The validator ignores keywords beside a reference.
      if (parts.length === 0 && Object.keys(copy).length === 0) return reference;
      parts.unshift(reference);
    }
    parts.push(...this.#discriminated(node, copy, hidden));
    if (parts.length > 0) copy['allOf'] = parts;
    return copy;
  }

  #typesOfItems({ items }: Schema): readonly string[] {
    const type = partsOf(this.#components.document, items).find((part) => part.type !== undefined)?.type ?? [];
    return convertedTypes(type);
  }

  /** Takes a choice that a property decides out of the copy; returns it as conditions. */
  #discriminated(node: Schema, copy: Record<string, unknown>, hidden: ReadonlySet<string>): Schema[] {
    const { document } = this.#components;
    const named = discriminatedBy(document, node);
    const discriminated = named ?? toldApartBy(document, node);
    if (discriminated === undefined) return [];
    const rivals =
      named === undefined ? [] : rivalAlternatives(document, node, named, (schema) => this.#hiddenIn(schema, hidden));
    const { oneOf, anyOf } = copy;
    delete copy['oneOf'];
    delete copy['anyOf'];
    const { property: name, alternatives } = discriminated;
    const property = propertyKey(name);
    const conditions = alternatives.map(({ schema, values }) => ({
      values,
      condition: { if: hasValue(property, values), then: this.validationSchema(schema, hidden) },
    }));
    const known = alternatives.flatMap(({ values }) => values);
    this.#components.formats.addEnum(known, known);
    return [
      {
        if: { type: 'object', required: [property] },
        then: {
          ...hasValue(property, known),
          allOf: [
            ...chosenBy(property, conditions),
            // As a choice where one always holds: a client reads that exactly one must.
            ...rivals.map(({ schema, required, excluded }) => ({
              if: {
                type: 'object',
                required: required.map((name) => propertyKey(name)),
                properties: { [property]: { enum: excluded } },
              },
              then: { oneOf: [{}, this.validationSchema(schema, hidden)] },
            })),
          ],
        },
        else: { ...(oneOf === undefined ? {} : { oneOf }), ...(anyOf === undefined ? {} : { anyOf }) },
      },
    ];
  }

  /** The properties that messages of this direction do not have. */
  #hiddenIn(schema: Schema, inherited: ReadonlySet<string>): ReadonlySet<string> {
    const parts = partsOf(this.#components.document, schema);
    return new Set([...inherited, ...parts.flatMap((part) => [...this.#hidden.hiddenIn(part)])]);
  }

  #copyKeyword(key: string, value: unknown, hidden: ReadonlySet<string>): unknown {
    const field = Object.hasOwn(FIELDS.schema, key) ? FIELDS.schema[key] : undefined;
    if (field !== undefined) return this.#copySchemas(key, field, value, hidden);
    // A format measures names.
    if (this.#isForNames && LENGTHS.includes(key)) return undefined;
    // A length beyond 2^53 need not be exact.
    if (VALUES.includes(key)) return typeof value === 'bigint' ? Number(value) : value;
    if (CONSTANTS.includes(key)) {
      const constant = this.#isForNames ? this.#keyConstant(value) : value;
      const { value: copied } = new JsonCopy(constant, this.#components.constants);
      if (key === 'enum') this.#components.formats.addEnum(list(copied), list(value));
      return copied;
    }
    if (key === 'required') return this.#required(value, hidden);
    if (key === 'dependentRequired') return this.#mapped(value, (names) => this.#required(names, hidden));
    return key === 'type' ? convertedTypes(value) : undefined;
  }

  /** Copies the schemas of a keyword. */
  #copySchemas(key: string, { shape }: Field, value: unknown, hidden: ReadonlySet<string>): unknown {
    if (NOT_ASSERTED.includes(key)) return undefined;
    const inherited = SAME_VALUE.includes(key) ? hidden : NO_HIDDEN_NAMES;
    const copies =
      key === 'propertyNames' ? (this.#forNames ??= new SchemaCopies(this.#components, undefined, true)) : this;
    const copy = (child: unknown): unknown =>
      HIDEABLE_KEYWORDS.includes(key) ? this.#hidingProperty(child) : copies.validationSchema(child, inherited);
    if (REPEATED.includes(key))
      return Array.isArray(value) ? value.map((child) => this.#shared(copy(child))) : this.#shared(copy(value));
    if (shape === 'one') return copy(value);
    if (key === 'oneOf' || key === 'anyOf') return copies.#copyAlternatives(key, list(value), inherited);
    if (shape === 'list') return list(value).map(copy);
    return this.#mapped(key === 'properties' ? this.#scalarsFirst(value) : value, copy, key === 'patternProperties');
  }

  /** A reference to a copy that will be written several times, if it has parts. */
  #shared(copy: unknown): unknown {
    const hasParts = isSchema(copy) && ALL_KEYWORDS.some((keyword) => keyword in copy);
    return hasParts ? this.#components.sharedReference(() => copy) : copy;
  }

  /** Copies the alternatives of a choice, so that a value takes little time for each. */
  #copyAlternatives(key: 'oneOf' | 'anyOf', all: readonly unknown[], hidden: ReadonlySet<string>): unknown[] {
    if (all.length <= MOST_TRIED) return all.map((alternative) => this.validationSchema(alternative, hidden));
    const { numeric, others } = triedAlternatives(this.#components.document, key, all);
    const copies = others.map((alternative) => {
      const copy = this.validationSchema(alternative, hidden);
      const isFollowed = isSchema(alternative) && alternative.$ref !== undefined;
      return isFollowed ? { allOf: [...this.#outlines(alternative, hidden), copy] } : copy;
    });
    if (numeric.length === 0) return copies;
    return [{ type: ['number'], format: this.#components.formats.ofChoice(key, numeric) }, ...copies];
  }

  /** What the schemas that always hold with a reference say at once. */
  #outlines(reference: Schema, hidden: ReadonlySet<string>): unknown[] {
    const inherited = new Set([...hidden, ...this.#hidden.hiddenIn(reference)]);
    return partsOf(this.#components.document, reference)
      .map(outline)
      .filter((part) => Object.keys(part).length > 0)
      .map((part) => this.validationSchema(part, inherited));
  }

  /**
   * Properties with the scalars first: an alternative that a scalar excludes does not look into
   * what lies below the others, which may be the alternatives again.
   */
  #scalarsFirst(properties: unknown): object {
    const entries = Object.entries(fieldsOf(properties));
    const isScalar = ([, property]: [string, unknown]): boolean => {
      const types = partsOf(this.#components.document, property).flatMap(typesOf);
      return types.length > 0 && !types.includes('array') && !types.includes('object');
    };
    return Object.fromEntries([...entries.filter(isScalar), ...entries.filter((entry) => !isScalar(entry))]);
  }

  /** A constant for names, or several. */
  #keyConstant(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((constant: unknown) => this.#keyConstant(constant));
    return typeof value === 'string' ? propertyKey(value) : value;
  }

  /** The keys of the properties that a list names, without hidden ones. */
  #required(names: unknown, hidden: ReadonlySet<string>): string[] {
    return list(names)
      .filter((name) => typeof name === 'string')
      .filter((name) => !hidden.has(name))
      .map((name) => propertyKey(name));
  }

  /** A map with each value copied, by the validator's keys for names of properties or patterns. */
  #mapped(map: unknown, copy: (schema: unknown) => unknown, hasPatterns = false): Record<string, unknown> {
    const schemas = fieldsOf(map);
    const entries = Object.entries(schemas).map(([name, schema]) => [
      hasPatterns ? patternKey(name) : propertyKey(name),
      copy(schema),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  /** Sets the assertions on numbers and texts; returns those that need a schema of their own. */
  #assertions(node: Schema, copy: Record<string, unknown>): Schema[] {
    const { formats } = this.#components;
    const length = this.#isForNames ? formats.ofLengths(node) : undefined;
    const ofNumbers = [formats.ofNumbers(node), formats.ofOwnNumbers(node)];
    const found = [...ofNumbers, formats.ofTexts(node), this.#pattern(node), length];
    const [first, ...furtherFormats] = found.filter((name) => name !== undefined);
    if (first !== undefined) copy['format'] = first;
    return furtherFormats.map((format) => ({ format }));
  }

  /** The format for a pattern. The check of the document refuses a malformed expression. */
  #pattern({ pattern }: Schema): string | undefined {
    if (typeof pattern !== 'string' || !isExpression(pattern)) return undefined;
    return this.#components.formats.ofPattern(pattern, this.#isForNames);
  }

  /**
   * The reference to the copy of a schema. Where another part hides properties that this one
   * requires, the copy is one of its own.
   */
  #copyReference($ref: string, hidden: ReadonlySet<string>): string {
    const target: Schema = targetOf(this.#components.document, $ref);
    const dropped = this.#hidden.requiredOf(target, hidden);
    const kind = { direction: this.#direction, isForNames: this.#isForNames, dropped };
    return this.#components.referenceTo($ref, kind, () => this.validationSchema(target, new Set(dropped)));
  }

  /** A property, which must not have a value for which it is hidden. */
  #hidingProperty(property: unknown): unknown {
    if (this.#hidden.isHidden(property)) return FORBIDDEN;
    const choices = this.#hidden
      .hidingChoices(property)
      .map((choice) => ({ if: this.validationSchema(choice), then: FORBIDDEN }));
    return choices.length === 0
      ? this.validationSchema(property)
      : { allOf: [this.validationSchema(property), ...choices] };
  }
}

/** The condition of an alternative, with the values that choose it. */
interface AlternativeCondition {
  readonly values: readonly unknown[];
  readonly condition: Schema;
}

/** Conditions where one holds: one question leaves out half of many. */
function chosenBy(property: string, conditions: readonly AlternativeCondition[]): readonly Schema[] {
  if (conditions.length <= MOST_TRIED) return conditions.map(({ condition }) => condition);
  const middle = Math.ceil(conditions.length / 2);
  const [first, second] = [conditions.slice(0, middle), conditions.slice(middle)];
  const values = first.flatMap((alternative) => alternative.values);
  return [
    {
      if: hasValue(property, values),
      then: { allOf: chosenBy(property, first) },
      else: { allOf: chosenBy(property, second) },
    },
  ];
}

/** `integer` is an assertion of the format on numbers, which knows their exact values. */
function convertedTypes(type: unknown): string[] {
  return [...new Set([type].flat().map((name) => (name === 'integer' ? 'number' : String(name))))];
}

/** A pattern of names. The check of the document refuses what is malformed with the flag `u`. */
function patternKey(pattern: string): string {
  const spelled = unicodeSpelling(pattern);
  return isUnicode(spelled) ? keyPattern(spelled) : '';
}
