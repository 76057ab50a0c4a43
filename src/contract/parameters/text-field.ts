import type { OpenApiDocument, Parameter } from '../document/openapi-document.ts';
import { parseJsonText } from './json-text.ts';
import { LOCATIONS, serialisationOf, type Refuse } from './locations.ts';
import { TextStyle } from './styles.ts';
import { TextTree } from './text-tree.ts';
import { ValueReader } from './value-reader.ts';

/** Reads a parameter whose value is in one text. */
export class TextField {
  readonly name: string;
  readonly #decode: (text: string) => string;
  readonly #refuse: Refuse;
  readonly #values: ValueReader;
  /** Undefined for a parameter that is described by `content`. */
  readonly #style: TextStyle | undefined;
  readonly #isJson: boolean;
  readonly #isHeader: boolean;
  readonly #mayBeEmpty: boolean;

  /**
   * @param refuse the error for a value that cannot be read.
   * @throws Refused for a style that the location of the parameter does not have.
   */
  constructor(document: OpenApiDocument, parameter: Parameter, refuse = LOCATIONS[parameter.in].refuse) {
    const { name, in: location, content, schema, allowEmptyValue } = parameter;
    const [mediaType] = Object.keys(content ?? {});
    this.name = name;
    this.#decode = LOCATIONS[location].decode;
    this.#refuse = refuse;
    this.#values = new ValueReader(document, schema, refuse);
    this.#isJson = mediaType !== undefined && /^[^;]+[/+]json *(?:;|$)/i.test(mediaType);
    this.#isHeader = location === 'header';
    this.#style = content === undefined ? new TextStyle(serialisationOf(parameter), name, this.#isHeader) : undefined;
    this.#mayBeEmpty = allowEmptyValue === true && !this.#values.allowsEmpty;
  }

  /**
   * @param texts those that were given, still encoded.
   * @returns undefined for an empty text in place of none (`allowEmptyValue`).
   * @throws RequestError for texts that cannot be the value.
   */
  read(texts: readonly string[]): unknown {
    const [text = ''] = texts;
    const { isArray, isObject } = this.#values;
    if (texts.length === 1) return text === '' && this.#mayBeEmpty ? undefined : this.#read(text);
    // The lines of a list are one list (RFC 9110, section 5.3).
    if (this.#isHeader && (isArray || isObject)) return this.#read(texts.join(', '));
    throw this.#refuse(this.name, 'must be given once');
  }

  #read(text: string): unknown {
    if (this.#style === undefined) return this.#content(this.#decode(text));
    const { isObject, isArray } = this.#values;
    const scalar = isObject || isArray ? undefined : this.#style.scalar(text);
    if (scalar !== undefined) return this.#values.text(this.#decode(scalar), this.name);
    const tree = new TextTree();
    for (const [keys, texts] of this.#parts(text, this.#style)) {
      tree.add(keys.map(this.#decode), texts.map(this.#decode), this.#refuse, this.name);
    }
    return this.#values.tree(tree, this.name);
  }

  /** The parts of an object, an array or a scalar, whichever the schema allows; still encoded. */
  #parts(text: string, style: TextStyle): readonly (readonly [keys: readonly string[], texts: readonly string[]])[] {
    const { isObject, isArray, isScalar } = this.#values;
    const entries = isObject ? style.entries(text) : undefined;
    const isNamed = entries?.every(([key]) => this.#values.isFree || this.#values.namesProperty(this.#decode(key)));
    if (entries !== undefined && (isNamed === true || !(isArray || isScalar))) {
      return entries.map(([key, one]) => [[key], [one]]);
    }
    const items = isArray ? style.items(text) : undefined;
    // One item may as well be a scalar.
    if (items !== undefined && (items.length !== 1 || !isScalar)) return [[[], items]];
    const scalar = isScalar ? style.scalar(text) : undefined;
    if (scalar === undefined) throw this.#refuse(this.name, 'must be written in the style of the contract');
    return [[[], [scalar]]];
  }

  #content(text: string): unknown {
    return this.#isJson ? parseJsonText(text, () => this.#refuse(this.name, 'must be well-formed JSON')) : text;
  }
}
