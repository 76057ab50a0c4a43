import { getOrInsert } from '../get-or-insert.ts';
import type { Refuse } from './locations.ts';

/** Names nested deeper than this are refused. */
const MAX_NAME_DEPTH = 32;

/** The key of one part of a value; null for `[]`, the next item of an array. */
export type Key = string | null;

/** The decoded texts of a parameter, by the properties and items to which they belong. */
export class TextTree {
  /** The texts of the value itself: one, or those of an array's items. */
  readonly texts: string[] = [];
  #children: Map<string, TextTree> | undefined;
  /** Whether its keys were numbered here, for the key `[]`. */
  isAppended = false;
  #count: number | undefined;

  /** The parts of an object or array, by key. */
  get children(): ReadonlyMap<string, TextTree> {
    return this.#children ?? NO_CHILDREN;
  }

  /**
   * Adds the texts that were given for one name. Under the key `[]`, the nth text belongs to the
   * nth item: `a[][b]=1&a[][b]=2` has two.
   * @param at the index of the first key that leads further.
   * @throws RequestError when the keys are too many, or leave open to which item a text belongs.
   */
  addTexts(keys: readonly Key[], texts: readonly string[], refuse: Refuse, place: string, at = 0): void {
    const key = keys[at];
    if (key === undefined) {
      // A form may have more of them than a call may have arguments.
      for (const text of texts) this.texts.push(text);
      return;
    }
    if (keys.length - at > MAX_NAME_DEPTH) throw refuse(place, `must not be nested deeper than ${MAX_NAME_DEPTH}`);
    if (key !== null) {
      this.#child(key).addTexts(keys, texts, refuse, `${place}/${key}`, at + 1);
      return;
    }
    this.#count ??= texts.length;
    if (keys.includes(null, at + 1) || this.#count !== texts.length)
      throw refuse(place, 'must number its items, as in [0]');
    this.isAppended = true;
    for (const [index, text] of texts.entries())
      this.#child(String(index)).addTexts(keys, [text], refuse, place, at + 1);
  }

  #child(key: string): TextTree {
    // Most trees are leaves, and maps are large.
    return getOrInsert((this.#children ??= new Map<string, TextTree>()), key, () => new TextTree());
  }
}

const NO_CHILDREN: ReadonlyMap<string, TextTree> = new Map();

/** The keys in brackets, as in `[a][0][]`; undefined for anything else. */
export function bracketKeys(text: string): readonly Key[] | undefined {
  if (text === '') return [];
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined;
  const keys = text.slice(1, -1).split('][');
  return keys.some((key) => key.includes('[') || key.includes(']'))
    ? undefined
    : keys.map((key) => (key === '' ? null : key));
}
