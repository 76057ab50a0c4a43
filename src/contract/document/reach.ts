import { getOrInsert } from '../get-or-insert.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { childrenOf } from './reachable-schemas.ts';

/** Tells which schemas contain one of a kind. Finds all that a schema reaches in one pass. */
export class Reach {
  readonly #document: OpenApiDocument;
  readonly #isOne: (schema: Schema) => boolean;
  readonly #keywords: readonly string[] | undefined;
  readonly #known = new Map<Schema, boolean>();

  /** @param keywords those whose schemas count; all by default. */
  constructor(document: OpenApiDocument, isOne: (schema: Schema) => boolean, keywords?: readonly string[]) {
    this.#document = document;
    this.#isOne = isOne;
    this.#keywords = keywords;
  }

  /** Whether a schema is or contains one of the kind, itself or behind references. */
  of(start: Schema): boolean {
    return getOrInsert(this.#known, start, () => {
      const found = new Set([start]);
      const parents = new Map<Schema, Schema[]>();
      // A set takes new members while it is iterated.
      for (const parent of found) {
        for (const child of this.#known.has(parent) ? [] : childrenOf(this.#document, parent, this.#keywords)) {
          found.add(child);
          getOrInsert(parents, child, () => []).push(parent);
        }
      }
      const reaching = new Set([...found].filter((one) => this.#known.get(one) ?? this.#isOne(one)));
      for (const one of reaching) for (const parent of parents.get(one) ?? []) reaching.add(parent);
      for (const one of found) this.#known.set(one, reaching.has(one));
      return reaching.has(start);
    });
  }
}
