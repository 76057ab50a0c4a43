import { getOrInsert } from '../json/get-or-insert.ts';
import type { ValueCount } from '../json/value-count.ts';
import { isAnnotation } from './annotations.ts';
import { isSchema, targetOf, type OpenApiDocument, type Schema } from './openapi-document.ts';

/** The most merges that are kept: a contract of recursive choices may have endlessly many. */
const MOST_KEPT = 20_000;

/** Allows every value. */
export const ANY: Schema = Object.freeze({});

const MERGED = new WeakMap<OpenApiDocument, MergedSchemas>();

/** What is known of the merged schemas of a document: another one when it would be too much. */
export function mergedSchemas(document: OpenApiDocument): MergedSchemas {
  const known = MERGED.get(document);
  if (known !== undefined && !known.isFull) return known;
  const merged = new MergedSchemas(document);
  MERGED.set(document, merged);
  return merged;
}

/**
 * The schemas of one value, merged: the same schemas give the same object, at each level of a
 * recursive value.
 */
export class MergedSchemas {
  /** By schema: the same alternatives each time. */
  readonly alternatives = new Map<Schema, readonly Schema[]>();
  readonly #document: OpenApiDocument;
  readonly #numbers = new Map<Schema, number>();
  readonly #composed = new Map<string, Schema>();
  /** The schemas in those that were composed. */
  readonly #parts = new Map<Schema, ReadonlySet<Schema>>();
  readonly #merged = new Map<string, readonly Schema[]>();
  /** The schemas that a merged one consists of. */
  readonly #sources = new Map<Schema, ReadonlySet<Schema>>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  get isFull(): boolean {
    return this.#merged.size >= MOST_KEPT;
  }

  /** A schema for values that fit all of some schemas, or one of them: one schema stays itself. */
  composed(keyword: 'allOf' | 'anyOf', schemas: readonly unknown[]): Schema {
    const parts = new Set<Schema>();
    for (const schema of schemas) {
      const part = this.#referred(schema);
      const inner = this.#parts.get(part);
      for (const each of inner !== undefined && keyword in part ? inner : [part]) parts.add(each);
    }
    const [first = ANY] = parts;
    if (parts.size <= 1) return first;
    return getOrInsert(this.#composed, `${keyword} ${this.#keyOf(parts)}`, () => {
      const composed = { [keyword]: [...parts] };
      this.#parts.set(composed, parts);
      return composed;
    });
  }

  /**
   * Merges two alternatives, each possibly merged before: every pair once.
   * @param count of the values of the message for which they are merged; none at the start.
   * @throws the error of `count` when a message needs too many merges.
   */
  merge(
    left: Schema,
    right: Schema,
    count: ValueCount | undefined,
    intersection: () => readonly Schema[],
  ): readonly Schema[] {
    const [ofLeft, ofRight] = [this.#sourcesOf(left), this.#sourcesOf(right)];
    const sources = new Set([...ofLeft, ...ofRight]);
    if (sources.size === ofLeft.size) return [left];
    if (sources.size === ofRight.size) return [right];
    return getOrInsert(this.#merged, this.#keyOf(sources), () => {
      count?.addMerge();
      const merged = intersection();
      for (const schema of merged) this.#sources.set(schema, sources);
      return merged;
    });
  }

  /** What a schema becomes beside another one, once. */
  beside(schema: Schema, base: Schema, make: () => Schema): Schema {
    return getOrInsert(this.#composed, `beside ${this.#numberOf(schema)},${this.#numberOf(base)}`, make);
  }

  #sourcesOf(schema: Schema): ReadonlySet<Schema> {
    return this.#sources.get(schema) ?? new Set([schema]);
  }

  /** What a schema refers to, if it says nothing else. */
  #referred(schema: unknown): Schema {
    let referred = isSchema(schema) ? schema : ANY;
    const seen = new Set<Schema>();
    while (referred.$ref !== undefined && !seen.has(referred) && isReferenceAlone(referred)) {
      seen.add(referred);
      referred = targetOf(this.#document, referred.$ref);
    }
    return referred;
  }

  #keyOf(schemas: ReadonlySet<Schema>): string {
    return Array.from(schemas, (schema) => this.#numberOf(schema))
      .sort((left, right) => left - right)
      .join();
  }

  #numberOf(schema: Schema): number {
    return getOrInsert(this.#numbers, schema, () => this.#numbers.size);
  }
}

function isReferenceAlone(schema: Schema): boolean {
  return Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key));
}
