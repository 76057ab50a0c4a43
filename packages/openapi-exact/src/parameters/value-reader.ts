import { LosslessNumber } from 'lossless-json';
import { MAX_NUMBER_LENGTH } from '../json/decimal.ts';
import type { RefuseJson } from '../json/parse-json.ts';
import { readJson } from '../json/read-json.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { isSpecialKey } from '../json/special-keys.ts';
import { getOrInsert } from '../json/get-or-insert.ts';
import { isSchema, list, type OpenApiDocument, type Schema } from '../schema/openapi-document.ts';
import type { Limits, OneOfLimits } from '../errors/limits.ts';
import { NumericReader, numericText, type NumericText } from '../schema/numeric-reader.ts';
import type { ValueCount } from '../json/value-count.ts';
import { setOwn } from '../json/set-own.ts';
import { alternatives, namedProperties, typesOf } from '../schema/alternatives.ts';
import { mergedSchemas, type MergedSchemas } from '../schema/merged-schemas.ts';
import type { Refuse } from './locations.ts';
import { OtherProperties } from './other-properties.ts';
import { isTexts, type TextNode } from './text-tree.ts';

/** Parses a text as one type. */
interface ScalarReader {
  /** The value; undefined for a text of another type. */
  readScalar(text: string, numeric: NumericText | undefined): unknown;
  /** What the text must be. */
  readonly limits: Limits;
}

const BOOLEAN_READER: ScalarReader = {
  readScalar: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  limits: 'boolean',
};
const TEXT_READER: ScalarReader = { readScalar: (text) => text, limits: 'text' };
const NULL_READER: ScalarReader = {
  readScalar: (text) => (text === 'null' ? null : undefined),
  limits: 'null',
};

/**
 * Turns the decoded texts of a parameter into JSON. Numbers are exact, or `LosslessNumber`s where
 * the schema leaves a choice. A text has no type of its own: of the types that its schema allows,
 * the first of number, boolean, string and null that fits is taken, before the schema is checked.
 */
export class ValueReader {
  /** The kinds of values that its schema allows; a schema without type allows a text. */
  readonly isScalar: boolean;
  readonly isArray: boolean;
  readonly isObject: boolean;
  /** Whether the empty text is a value beside the others, as with `allowEmptyValue`. */
  readonly allowsEmpty: boolean;
  /** Whether an object may have properties that the schema does not name. */
  readonly isFree: boolean;
  readonly #document: OpenApiDocument;
  readonly #refuse: Refuse;
  readonly #arrays: readonly Schema[];
  /** The schemas of the properties that objects name. */
  readonly #named: ReadonlyMap<string, readonly unknown[]>;
  readonly #otherProperties: OtherProperties;
  readonly #isAny: boolean;
  readonly #scalars: readonly ScalarReader[];
  readonly #isNumeric: boolean;
  /** The readers of items by position, and of properties by what describes them. */
  readonly #items = new Map<number, ValueReader>();
  readonly #properties = new Map<object, ValueReader>();
  #merged: MergedSchemas;
  readonly #hasBrackets: boolean;
  #known: OneOfLimits | undefined;

  /**
   * @param hasBrackets whether arrays and objects are written with keys in brackets only.
   * @param count of the values of the message that is read; none at the start.
   * @throws the error of `count` when a message needs too many merges of alternatives.
   */
  constructor(document: OpenApiDocument, schema: unknown, refuse: Refuse, hasBrackets = false, count?: ValueCount) {
    const readable = alternatives(document, schema, count);
    this.#merged = mergedSchemas(document);
    const all = readable.filter((alternative) => alternative['const'] !== '');
    const allTypes = all.map(typesOf);
    const having = (...types: string[]): Schema[] =>
      all.filter((_, index) => allTypes[index]?.some((type) => types.includes(type)));
    this.#document = document;
    this.#refuse = refuse;
    this.#hasBrackets = hasBrackets;
    this.#arrays = having('array');
    const objects = having('object');
    this.#named = namedProperties(objects);
    this.#otherProperties = new OtherProperties(objects);
    this.#isAny = all.length === 0 || allTypes.some(({ length }) => length === 0);
    const texts = having('string');
    const numbers = having('integer', 'number').map(numericReader);
    this.#isNumeric = numbers.length > 0;
    const scalars = [
      ...numbers,
      ...(having('boolean').length > 0 ? [BOOLEAN_READER] : []),
      ...(this.#isAny || texts.length > 0 ? [TEXT_READER] : []),
    ];
    this.isArray = this.#arrays.length > 0;
    this.isObject = objects.length > 0;
    this.isScalar = scalars.length > 0 || !(this.isArray || this.isObject);
    this.allowsEmpty = all.length < readable.length;
    this.isFree = objects.some(allowsUnnamed);
    this.#scalars = having('null').length > 0 ? [...scalars, NULL_READER] : scalars;
  }

  /** What a scalar must be. */
  get #limits(): OneOfLimits {
    this.#known ??= { oneOf: this.#scalars.map(({ limits }) => limits) };
    return this.#known;
  }

  /** Whether the schema of an object names this property. */
  namesProperty(key: string): boolean {
    return this.#named.has(key);
  }

  /**
   * @param place of the value, in tokens, for `refuse`. @param count of the values of the message.
   * @throws RequestError for texts that cannot be a value of the schema.
   */
  tree(node: TextNode, place: string, count: ValueCount): unknown {
    if (isTexts(node)) return this.texts(node, place, count);
    const { texts, children, isAppended } = node;
    if (children.size === 0) return this.texts(texts, place, count);
    count.addToCount();
    if (texts.length > 0) throw this.#refuse({ place, keyword: 'type', limits: 'keysOrValue' });
    const items = this.isArray || (this.#isAny && isAppended) ? numberedItems(children) : undefined;
    if (items !== undefined) {
      return items.map((item, index) => this.#itemReader(index, count).tree(item, `${place}/${index}`, count));
    }
    if (!this.isObject && !this.#isAny) {
      const limits = this.isArray ? 'numberedFromZero' : this.#limits;
      throw this.#refuse({ place, keyword: 'type', limits });
    }
    // A copy of an object with such a property would have another prototype.
    if (children.has('__proto__')) {
      throw this.#refuse({ place, keyword: 'additionalProperties', limits: 'prototypeProperty' });
    }
    const object: Record<string, unknown> = {};
    for (const [key, child] of children) {
      count.addName(key, place.length);
      if (isSpecialKey(key)) count.isPlain = false;
      setOwn(object, key, this.#propertyReader(key, count).tree(child, `${place}/${tokenOfKey(key)}`, count));
    }
    return object;
  }

  /** The texts that were given for one value: those of an array's items, or one. */
  texts(texts: readonly string[], place: string, count: ValueCount): unknown {
    const [first = ''] = texts;
    const isEmpty = first === '' && this.allowsEmpty;
    const isScalar = isEmpty || !this.isArray || (this.isScalar && !this.#isItem(first, count));
    if (texts.length === 1 && isScalar) return this.text(first, place, count);
    if (!this.isArray && !this.#isAny) throw this.#refuse({ place, keyword: 'type', limits: 'once' });
    count.addToCount();
    return texts.map((text, index) => this.#itemReader(index, count).text(text, `${place}/${index}`, count));
  }

  /** Whether a text can be the only item of an array, and not a scalar. */
  #isItem(text: string, count: ValueCount): boolean {
    return !this.#fitsScalar(text) && this.#itemReader(0, count).#fitsScalar(text);
  }

  #fitsScalar(text: string): boolean {
    const numeric = this.#numericText(text);
    return this.#scalars.some((reader) => reader.readScalar(text, numeric) !== undefined);
  }

  /** A text as a number, where the schema takes numbers; undefined for any other text. */
  #numericText(text: string): NumericText | undefined {
    return this.#isNumeric && text.length <= MAX_NUMBER_LENGTH ? numericText(text) : undefined;
  }

  /** One text: a scalar. Styles nest no further, so an array or object in it is JSON. */
  text(text: string, place: string, count: ValueCount): unknown {
    if (text === '' && this.allowsEmpty) return text;
    if (!this.isScalar && this.#hasBrackets) throw this.#refuse({ place, keyword: 'type', limits: 'brackets' });
    if (!this.isScalar) return this.json(text, place, count);
    count.addToCount();
    const isChoice = this.#scalars.length > 1;
    const numeric = this.#numericText(text);
    for (const reader of this.#scalars) {
      const value = reader.readScalar(text, numeric);
      if (value === undefined) continue;
      if (!(reader instanceof NumericReader) || (typeof value === 'number' && String(value) === text)) return value;
      count.isPlain = false;
      return isChoice ? new LosslessNumber(text) : value;
    }
    if (text === '') throw this.#refuse({ place, keyword: 'type', limits: 'value' });
    const hasLeadingZeros = /^[+-]?0\d+$/.test(text);
    const limits = hasLeadingZeros ? { ...this.#limits, hasLeadingZeros } : this.#limits;
    throw this.#refuse({ place, keyword: this.#unmetKeyword(numeric), limits }, text);
  }

  /** The keyword that a text does not meet: a number that is read as one schema meets its type. */
  #unmetKeyword(numeric: NumericText | undefined): string {
    const numbers = this.#scalars.filter((reader) => reader instanceof NumericReader);
    return (numbers.length === 1 ? numbers[0]?.unmetKeyword(numeric) : undefined) ?? 'type';
  }

  /** A text that is JSON. */
  json(text: string, place: string, count: ValueCount): unknown {
    const refuse: RefuseJson = (reason, limits) =>
      this.#refuse({ place, keyword: reason === 'malformedBody' ? 'contentMediaType' : 'type', limits });
    return readJson(Buffer.from(text), text, refuse, count);
  }

  #itemReader(index: number, count: ValueCount): ValueReader {
    this.#forgetStale();
    const longest = Math.max(0, ...this.#arrays.map(({ prefixItems }) => list(prefixItems).length));
    // All items behind the longest prefix share one reader.
    const position = Math.min(index, longest);
    return getOrInsert(this.#items, position, () =>
      this.#partReader(
        this.#arrays.flatMap(({ prefixItems, items, contains }) => {
          const prefix = list(prefixItems);
          const item = position < prefix.length ? prefix[position] : items;
          return isSchema(contains) ? [item, contains] : [item];
        }),
        count,
      ),
    );
  }

  #propertyReader(key: string, count: ValueCount): ValueReader {
    this.#forgetStale();
    const named = this.#named.get(key);
    if (named !== undefined) return getOrInsert(this.#properties, named, () => this.#partReader(named, count));
    const other = this.#otherProperties.schemasOf(key, count);
    return getOrInsert(this.#properties, other, () => this.#partReader(other.schemas, count));
  }

  /** The reader of parts that one of some schemas describes: the same for the same schemas. */
  #partReader(schemas: readonly unknown[], count: ValueCount): ValueReader {
    const schema = this.#merged.composed('anyOf', schemas);
    const known = getOrInsert(
      this.#hasBrackets ? BRACKET_READERS : READERS,
      schema,
      () => new Map<Refuse, ValueReader>(),
    );
    return getOrInsert(
      known,
      this.#refuse,
      () => new ValueReader(this.#document, schema, this.#refuse, this.#hasBrackets, count),
    );
  }

  /** Forgets the readers of parts with the merged schemas that they are of. */
  #forgetStale(): void {
    const merged = mergedSchemas(this.#document);
    if (merged === this.#merged) return;
    this.#merged = merged;
    this.#items.clear();
    this.#properties.clear();
  }
}

/** The readers of parts of values, by what describes them; those of keys in brackets are others. */
const READERS = new WeakMap<Schema, Map<Refuse, ValueReader>>();
const BRACKET_READERS = new WeakMap<Schema, Map<Refuse, ValueReader>>();

/** The items that keys number from 0 without gaps; undefined for other keys. */
function numberedItems(children: ReadonlyMap<string, TextNode>): readonly TextNode[] | undefined {
  const items: TextNode[] = [];
  for (let item = children.get('0'); item !== undefined; item = children.get(String(items.length))) items.push(item);
  return items.length === children.size ? items : undefined;
}

/** By alternative: each has one. */
const NUMERIC_READERS = new WeakMap<Schema, NumericReader>();

function numericReader(numeric: Schema): NumericReader {
  const type = typesOf(numeric).includes('number') ? 'number' : 'integer';
  return getOrInsert(NUMERIC_READERS, numeric, () => new NumericReader({ ...numeric, type }));
}

function allowsUnnamed({ properties, patternProperties, additionalProperties }: Schema): boolean {
  if (additionalProperties === undefined) return properties === undefined || patternProperties !== undefined;
  return additionalProperties !== false || patternProperties !== undefined;
}
