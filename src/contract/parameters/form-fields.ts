import type { OpenApiDocument, Parameter } from '../document/openapi-document.ts';
import { together } from '../document/refusal.ts';
import { LOCATIONS, serialisationOf, type Refuse } from './locations.ts';
import { decodeForm } from './percent-encoding.ts';
import { splitEntry, type Entry } from './styles.ts';
import { TextField } from './text-field.ts';
import { bracketKeys, TextTree, type Key } from './text-tree.ts';
import { ValueReader } from './value-reader.ts';

/** The texts of each name; names are decoded, texts are not. */
export type FormPairs = ReadonlyMap<string, readonly string[]>;

/** A parameter of a form. */
interface FormField {
  readonly name: string;
  /** Whether a name belongs to it. */
  claims(name: string): boolean;
  /** Whether it takes names that no field claims. */
  readonly isFree: boolean;
  /** Whether it is an array or object with a text for each part. */
  readonly isList: boolean;
  read(pairs: FormPairs, isClaimed: (name: string) => boolean): unknown;
}

/** Reads the parameters of a query, a Cookie header or another form: texts with names. */
export class FormFields {
  readonly isEmpty: boolean;
  readonly #fields: readonly FormField[];

  /**
   * @param refuse the error for a value that cannot be read.
   * @throws Refused with every parameter that cannot be served.
   */
  constructor(document: OpenApiDocument, parameters: readonly Parameter[], refuse?: Refuse) {
    this.isEmpty = parameters.length === 0;
    this.#fields = together<FormField[]>(
      ...parameters.map((parameter) => (): FormField => {
        const { style, explode } = parameter.content ? { style: '', explode: false } : serialisationOf(parameter);
        if (explode || style === 'deepObject') return new SpreadField(document, parameter, refuse);
        return new SingleField(new TextField(document, parameter, refuse));
      }),
    );
  }

  /** Whether a parameter takes this name. */
  takes(name: string): boolean {
    return this.#fields.some((field) => field.isFree || field.claims(name));
  }

  /** Whether a name belongs to an array or object with a text for each part. */
  isList(name: string): boolean {
    return this.#fields.some((field) => field.isList && field.claims(name));
  }

  /**
   * The values of the parameters that have one.
   * @throws RequestError for texts that cannot be a value.
   */
  read(pairs: FormPairs, isOther: (name: string) => boolean = () => false): Record<string, unknown> {
    const isClaimed = (name: string): boolean => isOther(name) || this.#fields.some((field) => field.claims(name));
    const values = this.#fields.map((field) => [field.name, field.read(pairs, isClaimed)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
}

/** A value in one text. */
class SingleField implements FormField {
  readonly name: string;
  readonly isFree = false;
  readonly isList = false;
  readonly #text: TextField;

  constructor(text: TextField) {
    this.name = text.name;
    this.#text = text;
  }

  claims(name: string): boolean {
    return name === this.name;
  }

  read(pairs: FormPairs): unknown {
    const texts = pairs.get(this.name);
    return texts && this.#text.read(texts);
  }
}

/**
 * A value spread over texts with names: exploded, an array repeats its name and the properties of an
 * object have names of their own; a deepObject has keys in brackets behind its name.
 */
class SpreadField implements FormField {
  readonly name: string;
  readonly isFree: boolean;
  readonly isList: boolean;
  readonly #values: ValueReader;
  readonly #isDeep: boolean;
  readonly #isCookie: boolean;
  readonly #mayBeEmpty: boolean;
  readonly #decode: (text: string) => string;
  readonly #refuse: Refuse;

  constructor(document: OpenApiDocument, parameter: Parameter, refuse = LOCATIONS[parameter.in].refuse) {
    this.name = parameter.name;
    this.#values = new ValueReader(document, parameter.schema, refuse);
    this.#isDeep = parameter.style === 'deepObject';
    this.#isCookie = parameter.in === 'cookie';
    this.#mayBeEmpty = parameter.allowEmptyValue === true && !this.#values.allowsEmpty;
    this.#decode = LOCATIONS[parameter.in].decode;
    this.#refuse = refuse;
    this.isFree = !this.#isDeep && this.#values.isFree;
    this.isList = !this.#values.isScalar;
  }

  claims(name: string): boolean {
    return this.#keysOf(name) !== undefined;
  }

  read(pairs: FormPairs, isClaimed: (name: string) => boolean): unknown {
    const tree = new TextTree();
    for (const [name, texts] of pairs) {
      const keys = this.#keysOf(name) ?? (this.isFree && !isClaimed(name) ? [name] : undefined);
      if (keys === undefined || (this.#mayBeEmpty && texts.every((text) => text === ''))) continue;
      // A cookie holds no comma (RFC 6265, section 4.1.1), so one is between items.
      const items = this.#isCookie && this.isList && keys.length === 0 ? texts.flatMap((text) => text.split(',')) : texts;
      tree.add(keys, items.map(this.#decode), this.#refuse, this.name);
    }
    return tree.texts.length + tree.children.size === 0 ? undefined : this.#values.tree(tree, this.name);
  }

  /** The keys of the part to which a name belongs; undefined for a name of something else. */
  #keysOf(name: string): readonly Key[] | undefined {
    if (this.#isDeep) return name.startsWith(this.name) ? bracketKeys(name.slice(this.name.length)) : undefined;
    const { isScalar, isArray } = this.#values;
    if (name === this.name && (isScalar || isArray)) return [];
    return this.#values.namesProperty(name) ? [name] : undefined;
  }
}

/**
 * The pairs of a query or a form: `a=1&b=2`.
 * @throws RequestError malformedUrl unless its percent-encoding is well-formed.
 */
export function queryPairs(query: string): FormPairs {
  // Once for all texts: no later step splits the bytes of a character.
  decodeForm(query);
  const parts = query.split('&').filter((part) => part !== '');
  return grouped(parts.map(splitEntry).map(([name, text]) => [decodeForm(name), text]));
}

/**
 * The pairs of a Cookie header (RFC 6265, section 4.2.1).
 * @param isSpread whether the cookie of a name may hold more pairs, as in OpenAPI's `a=1&a=2`.
 */
export function cookiePairs(cookie: string, isSpread: (name: string) => boolean): FormPairs {
  const parts = cookie.split(';').map((part) => part.trim().replace(/^([^=]*)="(.*)"$/, '$1=$2'));
  return grouped(parts.flatMap((part) => (isSpread(splitEntry(part)[0]) ? part.split('&') : [part])).map(splitEntry));
}

function grouped(entries: readonly Entry[]): FormPairs {
  const pairs = new Map<string, string[]>();
  for (const [name, text] of entries) {
    const texts = pairs.get(name);
    if (texts === undefined) pairs.set(name, [text]);
    else texts.push(text);
  }
  return pairs;
}
