import { nearest, type Bundle, type DocumentNode } from 'openapi-exact/contract';
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
export function misspeltKeys({ nodes }: Pick<Bundle, 'nodes'>): readonly MisspeltKey[] {
  return [...nodes].flatMap(([kind, ofKind]) => {
    const known = KNOWN_KEYS[kind];
    if (known === undefined) return [];
    return ofKind.flatMap((node) =>
      Object.keys(node)
        .filter((key) => !known.keys.includes(key) && !key.startsWith('x-'))
        .map((key) => ({ node, key, of: known.of, meant: nearest(key, known.keys) }))
        .filter((found): found is MisspeltKey => found.meant !== undefined && !(found.meant in node)),
    );
  });
}
