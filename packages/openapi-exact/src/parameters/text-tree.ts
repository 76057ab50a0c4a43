import { tokenOfKey } from '../json/json-pointer.ts';
import type { ValueCount } from '../json/value-count.ts';
import type { Refuse } from './locations.ts';

/** Names nested deeper than this are refused. */
const MAX_NAME_DEPTH = 32;

/** The key of one part of a value; null for `[]`, the next item of an array. */
export type Key = string | null;

/** The decoded texts of a value, and of its parts. */
interface TextBranch {
  /** The texts of the value itself: one, or those of an array's items. */
  readonly texts: readonly string[];
  /** The parts of an object or array, by key. */
  readonly children: ReadonlyMap<string, TextNode>;
  /** Whether its keys were numbered here, for the key `[]`. */
  readonly isAppended: boolean;
}

/** The texts alone of a value that has no parts with keys, as most values in a form. */
export type TextNode = readonly string[] | TextBranch;

/** The decoded texts of a parameter, by the properties and items to which they belong. */
export class TextTree implements TextBranch {
  readonly #refuse: Refuse;
  readonly #place: string;
  readonly #count: ValueCount;
  readonly texts: string[];
  readonly #children = new Map<string, string[] | TextTree>();
  isAppended = false;
  #items: number | undefined;

  /**
   * @param place of the value, in tokens. @param count of the values of the message.
   * @param texts of the value itself, which become the tree's own.
   */
  constructor(refuse: Refuse, place: string, count: ValueCount, texts: string[] = []) {
    this.#refuse = refuse;
    this.#place = place;
    this.#count = count;
    this.texts = texts;
  }

  get children(): ReadonlyMap<string, TextNode> {
    return this.#children;
  }

  /**
   * Adds the texts that were given for one name. Under the key `[]`, the nth text belongs to the
   * nth item: `a[][b]=1&a[][b]=2` has two.
   * @param texts which become the tree's own. @param at the index of the first key that leads on.
   * @throws RequestError for too many keys or values, or an ambiguous item.
   */
  addTexts(keys: readonly Key[], texts: string[], at = 0): void {
    const key = keys[at];
    if (key === undefined) {
      appendTexts(this.texts, texts);
      return;
    }
    if (keys.length - at > MAX_NAME_DEPTH) {
      throw this.#refuse({ place: this.#place, keyword: 'type', limits: { deepest: MAX_NAME_DEPTH } });
    }
    if (key !== null) {
      this.#addToPart(key, keys, texts, at + 1);
      return;
    }
    this.#items ??= texts.length;
    if (keys.includes(null, at + 1) || this.#items !== texts.length)
      throw this.#refuse({ place: this.#place, keyword: 'type', limits: 'numbered' });
    this.isAppended = true;
    for (const [index, text] of texts.entries()) {
      this.#addToPart(String(index), keys, [text], at + 1);
    }
  }

  /** Adds texts to the part with a key. */
  #addToPart(key: string, keys: readonly Key[], texts: string[], at: number): void {
    const known = this.#children.get(key);
    if (at < keys.length) {
      const tree = known instanceof TextTree ? known : this.#newPart(key, known);
      tree.addTexts(keys, texts, at);
    } else if (known === undefined) this.#children.set(key, texts);
    else appendTexts(known instanceof TextTree ? known.texts : known, texts);
  }

  #newPart(key: string, texts?: string[]): TextTree {
    this.#count.addBranch();
    const tree = new TextTree(this.#refuse, `${this.#place}/${tokenOfKey(key)}`, this.#count, texts);
    this.#children.set(key, tree);
    return tree;
  }
}

/** True for a value that has no parts with keys. */
export function isTexts(node: TextNode): node is readonly string[] {
  return Array.isArray(node);
}

/** A form may have more texts than a call may have arguments. */
function appendTexts(known: string[], texts: readonly string[]): void {
  for (const text of texts) known.push(text);
}

/**
 * The keys in brackets, as in `[a][0][]`; undefined for anything else. Of more than a name may have
 * it returns the first ones, which {@link TextTree.addTexts} refuses.
 */
export function bracketKeys(text: string): readonly Key[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  const keys = text.slice(1, -1).split('][', MAX_NAME_DEPTH + 2);
  return keys.some((key) => key.includes('[') || key.includes(']'))
    ? undefined
    : keys.map((key) => (key === '' ? null : key));
}
