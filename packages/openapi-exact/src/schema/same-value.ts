import { childrenOf, SAME_VALUE } from './schema-graph.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import type { Diagnostic } from '../errors/diagnostic.ts';

/** The longest chain of schemas that describe one value, each within or behind the one before. */
const MAX_CHAIN = 250;

/** The most evaluations of schemas for one value: alternatives of alternatives multiply. */
const MAX_EVALUATIONS = 10_000;

/**
 * The schemas, and those they lead to, in groups that lead back to themselves by references and
 * some keywords: most groups are one schema. A group comes after those it leads to. Linear in the
 * schemas and references (Tarjan's strongly connected components).
 * @param keywords those of {@link SAME_VALUE} by default.
 */
export function circularGroups(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  keywords: readonly string[] = SAME_VALUE,
): readonly (readonly Schema[])[] {
  const search = new GroupSearch(document, keywords);
  for (const schema of schemas) search.searchFrom(schema);
  return search.groups;
}

/** A schema whose children are being visited. */
interface Visit {
  readonly schema: Schema;
  readonly children: readonly Schema[];
  next: number;
}

/** Tarjan's search, without recursion: a chain of schemas may be longer than the stack is deep. */
class GroupSearch {
  readonly groups: Schema[][] = [];
  readonly #document: OpenApiDocument;
  readonly #keywords: readonly string[];
  /** When each schema was first visited. */
  readonly #visited = new Map<Schema, number>();
  /** The earliest visit that each schema leads back to. */
  readonly #earliest = new Map<Schema, number>();
  readonly #ungrouped: Schema[] = [];
  readonly #grouped = new Set<Schema>();
  /** The schemas that lead to the visited schema. */
  readonly #path: Visit[] = [];

  constructor(document: OpenApiDocument, keywords: readonly string[]) {
    this.#document = document;
    this.#keywords = keywords;
  }

  searchFrom(start: Schema): void {
    if (!this.#visited.has(start)) this.#enter(start);
    for (let visit = this.#path.at(-1); visit !== undefined; visit = this.#path.at(-1)) {
      const child = visit.children[visit.next++];
      if (child === undefined) this.#leave(visit.schema);
      else if (!this.#visited.has(child)) this.#enter(child);
      else if (!this.#grouped.has(child)) this.#leadBack(visit.schema, this.#visited.get(child));
    }
  }

  #enter(schema: Schema): void {
    const time = this.#visited.size;
    this.#visited.set(schema, time);
    this.#earliest.set(schema, time);
    this.#ungrouped.push(schema);
    this.#path.push({ schema, children: childrenOf(this.#document, schema, this.#keywords), next: 0 });
  }

  #leave(schema: Schema): void {
    this.#path.pop();
    const earliest = this.#earliest.get(schema);
    const parent = this.#path.at(-1);
    if (parent !== undefined) this.#leadBack(parent.schema, earliest);
    if (earliest !== this.#visited.get(schema)) return;
    // The first of a group that was visited: the others came after it.
    const group = this.#ungrouped.splice(this.#ungrouped.lastIndexOf(schema));
    for (const member of group) this.#grouped.add(member);
    this.groups.push(group);
  }

  #leadBack(schema: Schema, time = Infinity): void {
    if (time < (this.#earliest.get(schema) ?? Infinity)) this.#earliest.set(schema, time);
  }
}

/**
 * The schemas by which one value would be looked at too often, or in too long a chain.
 * @param schemas without circles.
 */
export function endlessChains(document: OpenApiDocument, schemas: readonly Schema[]): readonly Diagnostic[] {
  const lengths = new Map<Schema, number>();
  const evaluations = new Map<Schema, number>();
  const diagnostics: Diagnostic[] = [];
  for (const [schema] of circularGroups(document, schemas)) {
    if (schema === undefined) continue;
    const children = childrenOf(document, schema, SAME_VALUE);
    const length = 1 + Math.max(0, ...children.map((child) => lengths.get(child) ?? 0));
    const sum = children.reduce((all, child) => all + (evaluations.get(child) ?? 0), 1);
    if (length > MAX_CHAIN) {
      const reason = `the schema says what a value is behind more than ${MAX_CHAIN} references and parts: refer to the last one.`;
      diagnostics.push({ node: schema, key: undefined, reason });
    } else if (sum > MAX_EVALUATIONS) {
      const reason = `the schema asks one value more than ${MAX_EVALUATIONS} times, by alternatives of alternatives: name each one once.`;
      diagnostics.push({ node: schema, key: undefined, reason });
    }
    // The schemas above are not refused for the same reason.
    lengths.set(schema, length > MAX_CHAIN ? 1 : length);
    evaluations.set(schema, sum > MAX_EVALUATIONS ? 1 : sum);
  }
  return diagnostics;
}
