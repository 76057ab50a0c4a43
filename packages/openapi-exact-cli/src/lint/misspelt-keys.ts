import { isVersion32, nearest, type Bundle, type DocumentNode } from 'openapi-exact/contract';
import { KNOWN_KEYS } from './known-keys.ts';

/** A key that OpenAPI does not define, and the key that was probably meant. */
export interface MisspeltKey {
  readonly node: DocumentNode;
  readonly key: string;
  /** The kind of the object, with its article. */
  readonly of: string;
  readonly meant: string;
}

/** The misspelt keys of the served objects. Other unknown keys are extensions. */
export function misspeltKeys({ nodes, versionOf }: Pick<Bundle, 'nodes' | 'versionOf'>): readonly MisspeltKey[] {
  return [...nodes].flatMap(([kind, ofKind]) => {
    const known = KNOWN_KEYS[kind];
    if (known === undefined) return [];
    return ofKind.flatMap((node) => {
      const keys = isVersion32(versionOf(node)) ? [...known.keys, ...known.since32] : known.keys;
      return Object.keys(node)
        .filter((key) => !keys.includes(key) && !key.startsWith('x-'))
        .map((key) => ({ node, key, of: known.of, meant: nearest(key, keys) }))
        .filter((found): found is MisspeltKey => found.meant !== undefined && !(found.meant in node));
    });
  });
}
