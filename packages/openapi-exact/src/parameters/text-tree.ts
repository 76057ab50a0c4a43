import { getOrInsert } from '../get-or-insert.ts';
import type { Refuse } from './locations.ts';

/** Names nested deeper than this are refused. */
const MAX_KEYS = 32;

/** The key of one part of a value; null for `[]`, the next item of an array. */
export type Key = string | null;

/** The decoded texts of a parameter, by the properties and items to which they belong. */
export class TextTree {
  /** The texts of the value itself: one, or those of an array's items. */
  readonly texts: string[] = [];
  /** The parts of an object or array, by key. */
  readonly children = new Map<string, TextTree>();
  /** Whether its keys were numbered here, for the key `[]`. */
  isAppended = false;
  #count: number | undefined;

  /**
   * Adds the texts that were given for one name. Under the key `[]`, the nth text belongs to the
   * nth item: `a[][b]=1&a[][b]=2` has two.
   * @throws RequestError when the keys are too many, or leave open to which item a text belongs.
   */
  add([key, ...rest]: readonly Key[], texts: readonly string[], refuse: Refuse, place: string): void {
    if (key === undefined) {
      // A form may have more of them than a call may have arguments.
      for (const text of texts) this.texts.push(text);
      return;
    }
    if (rest.length >= MAX_KEYS) throw refuse(place, `must not be nested deeper than ${MAX_KEYS}`);
    if (key !== null) {
      this.#child(key).add(rest, texts, refuse, `${place}/${key}`);
      return;
    }
    this.#count ??= texts.length;
    if (rest.includes(null) || this.#count !== texts.length) throw refuse(place, 'must number its items, as in [0]');
    this.isAppended = true;
    for (const [index, text] of texts.entries()) this.#child(String(index)).add(rest, [text], refuse, place);
  }

  #child(key: string): TextTree {
    return getOrInsert(this.children, key, () => new TextTree());
  }
}

/** The keys in brackets, as in `[a][0][]`; undefined for anything else. */
export function bracketKeys(text: string): readonly Key[] | undefined {
  if (!/^(?:\[[^[\]]*\])*$/.test(text)) return undefined;
  if (text === '') return [];
  return text
    .slice(1, -1)
    .split('][')
    .map((key) => (key === '' ? null : key));
}
