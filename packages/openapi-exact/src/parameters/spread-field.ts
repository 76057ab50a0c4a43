import type { OpenApiDocument, Parameter } from '../schema/openapi-document.ts';
import { isSpecialKey } from '../json/special-keys.ts';
import { tokenOfKey } from '../json/json-pointer.ts';
import type { Location } from './locations.ts';
import type { FormTexts } from './pairs.ts';
import { bracketKeys, TextTree, type Key } from './text-tree.ts';
import { ValueReader } from './value-reader.ts';

/**
 * A value spread over texts with names: exploded, an array repeats its name and the properties of
 * an object have names of their own; a deepObject has keys in brackets behind its name.
 */
export class SpreadField {
  readonly name: string;
  /** Whether it takes names that no parameter claims: it is an object with any properties. */
  readonly isFree: boolean;
  /** Whether it is an array or object, not a scalar, whose texts may be in one. */
  readonly isSpread: boolean;
  /** Whether its texts have no encoding, as those of the style `cookie`. */
  readonly isPlain: boolean;
  /** Its name as the token of a JSON pointer. */
  readonly #place: string;
  readonly #values: ValueReader;
  readonly #isDeep: boolean;
  readonly #isCookie: boolean;
  readonly #location: Location;

  constructor(document: OpenApiDocument, parameter: Parameter, location: Location) {
    this.name = parameter.name;
    this.#place = tokenOfKey(parameter.name);
    this.#isDeep = parameter.style === 'deepObject';
    this.#values = new ValueReader(document, parameter.schema, location.refuse, this.#isDeep);
    this.#isCookie = parameter.in === 'cookie';
    this.#location = location;
    this.isFree = !this.#isDeep && this.#values.isFree;
    this.isPlain = parameter.style === 'cookie';
    this.isSpread = !this.#values.isScalar && !this.isPlain;
  }

  /** Whether a name belongs to it. */
  claims(name: string): boolean {
    return this.#partKeys(name) !== undefined;
  }

  /**
   * @returns undefined when it is absent.
   * @throws RequestError for texts that cannot be the value.
   */
  readTexts({ pairs, isClaimed, names, count }: FormTexts): unknown {
    const { decode, refuse } = this.#location;
    const tree = new TextTree(refuse, this.#place, count);
    if (isSpecialKey(this.name)) count.isPlain = false;
    for (const [name, texts] of pairs) {
      if (!this.#isDeep && name !== this.name && names.has(name)) continue;
      const keys = this.#partKeys(name) ?? (this.isFree && !isClaimed(name) ? [name] : undefined);
      if (keys === undefined) continue;
      // A cookie holds no comma (RFC 6265, section 4.1.1), so one is between items.
      const isList = this.#isCookie && this.isSpread && keys.length === 0;
      const items = isList ? texts.flatMap((text) => count.split(text, ',')) : texts;
      tree.addTexts(keys, items.map(decode));
    }
    return tree.texts.length + tree.children.size === 0 ? undefined : this.#values.tree(tree, this.#place, count);
  }

  /** The keys of the part to which a name belongs; undefined for a name of something else. */
  #partKeys(name: string): readonly Key[] | undefined {
    const { isScalar, isArray, allowsEmpty } = this.#values;
    if (this.#isDeep) {
      // The name alone has no key in brackets: it may be a property of another object.
      if (name === this.name && !(isScalar || isArray || allowsEmpty)) return undefined;
      return name.startsWith(this.name) ? bracketKeys(name.slice(this.name.length)) : undefined;
    }
    if (name === this.name && (isScalar || isArray)) return [];
    return this.#values.namesProperty(name) ? [name] : undefined;
  }
}
