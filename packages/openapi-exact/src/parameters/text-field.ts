import type { OpenApiDocument, Parameter } from '../schema/openapi-document.ts';
import type { ValueCount } from '../json/value-count.ts';
import { isSpecialKey } from '../json/special-keys.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import { setOwn } from '../json/set-own.ts';
import { LOCATIONS, serialisationOf, type Location } from './locations.ts';
import type { FormTexts } from './pairs.ts';
import { TextStyle } from './text-style.ts';
import { TextTree } from './text-tree.ts';
import { ValueReader } from './value-reader.ts';
import { isJsonText } from './value-schema.ts';

/** Reads a parameter whose value is in one text. */
export class TextField {
  readonly name: string;
  readonly isFree = false;
  readonly isSpread = false;
  readonly isPlain: boolean;
  /** Its name as the token of a JSON pointer. */
  readonly #place: string;
  readonly #location: Location;
  readonly #values: ValueReader;
  /** Undefined for a parameter that is described by `content`. */
  readonly #style: TextStyle | undefined;
  readonly #isJson: boolean;
  readonly #isHeader: boolean;
  readonly #isSpecial: boolean;

  /** @param location the rules of its location, or of another form. */
  constructor(document: OpenApiDocument, parameter: Parameter, location = LOCATIONS[parameter.in]) {
    const { name, content, schema } = parameter;
    const [mediaType, media] = Object.entries(content ?? {})[0] ?? [];
    this.name = name;
    this.#place = tokenOfKey(name);
    this.#isSpecial = isSpecialKey(name);
    this.#location = location;
    this.#values = new ValueReader(document, schema ?? media?.schema, location.refuse);
    this.#isJson = mediaType !== undefined && isJsonText(mediaType, this.#values);
    this.#isHeader = parameter.in === 'header';
    this.isPlain = parameter.style === 'cookie' && content === undefined;
    this.#style =
      content === undefined ? new TextStyle(serialisationOf(parameter, location), name, this.#isHeader) : undefined;
  }

  claims(name: string): boolean {
    return name === this.name;
  }

  /** @returns undefined when it is absent. */
  readTexts({ pairs, count }: FormTexts): unknown {
    const texts = pairs.get(this.name);
    return texts && this.textValue(texts, count);
  }

  /**
   * @param texts those that were given, still encoded. @param count of the values of the message.
   * @throws RequestError for texts that cannot be the value.
   */
  textValue(texts: readonly string[], count: ValueCount): unknown {
    const [text = ''] = texts;
    const { isArray, isObject } = this.#values;
    if (this.#isSpecial) count.isPlain = false;
    if (texts.length === 1) return text === '' && this.#values.allowsEmpty ? text : this.#valueOfText(text, count);
    // The lines of a list are one list (RFC 9110, section 5.3).
    if (this.#isHeader && (isArray || isObject)) return this.#valueOfText(texts.join(', '), count);
    throw this.#location.refuse({ place: this.#place, keyword: 'type', limits: 'once' });
  }

  #valueOfText(text: string, count: ValueCount): unknown {
    if (this.#style === undefined) {
      const content = this.#location.decode(text);
      if (this.#isJson) return this.#values.json(content, this.#place, count);
      return this.#values.isScalar ? this.#values.text(content, this.#place, count) : content;
    }
    const { isObject, isArray } = this.#values;
    const scalar = isObject || isArray ? undefined : this.#style.scalar(text);
    if (scalar !== undefined) return this.#values.text(this.#location.decode(scalar), this.#place, count);
    const parts = this.#keyedTexts(text, this.#style, count);
    const { decode, refuse } = this.#location;
    const tree = new TextTree(refuse, this.#place, count);
    for (const [keys, texts] of parts) {
      tree.addTexts(keys.map(decode), texts.map(decode));
    }
    return this.#values.tree(tree, this.#place, count);
  }

  /** The parts of an object, an array or a scalar, whichever the schema allows; still encoded. */
  #keyedTexts(
    text: string,
    style: TextStyle,
    count: ValueCount,
  ): readonly (readonly [keys: readonly string[], texts: readonly string[]])[] {
    const { isObject, isArray, isScalar } = this.#values;
    const entries = isObject ? style.entries(text, count) : undefined;
    const isNamed = entries?.every(
      ([key]) => this.#values.isFree || this.#values.namesProperty(this.#location.decode(key)),
    );
    if (entries !== undefined && (isNamed === true || !(isArray || isScalar))) {
      return entries.map(([key, entryText]) => [[key], [entryText]]);
    }
    const items = isArray ? style.items(text, count) : undefined;
    // One item may as well be a scalar.
    if (items !== undefined && (items.length !== 1 || !isScalar)) return [[[], items]];
    const scalar = isScalar ? style.scalar(text) : undefined;
    if (scalar === undefined) {
      throw this.#location.refuse({ place: this.#place, keyword: 'style', limits: 'style' });
    }
    return [[[], [scalar]]];
  }
}

/**
 * The values of the fields for which there are texts.
 * @param count of the values of the message.
 */
export function valuesOfFields(
  fields: readonly TextField[],
  textsOf: (name: string) => readonly string[] | undefined,
  count: ValueCount,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of fields) {
    const texts = textsOf(field.name);
    const value = texts && field.textValue(texts, count);
    if (value !== undefined) setOwn(values, field.name, value);
  }
  return values;
}
