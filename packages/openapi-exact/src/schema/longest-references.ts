import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { circularGroups } from './same-value.ts';
import { ALL_KEYWORDS, childrenOf } from './schema-graph.ts';

/** A chain or circle of schemas that refer to each other. */
export interface References {
  /** Components, in the order in which they refer to each other. */
  readonly schemas: readonly Schema[];
  readonly isCircle: boolean;
  /** The schema with which the chain ends, or one of the circle. */
  readonly end: Schema;
}

/** Schemas that lead back to each other, or a single one, with the longest chain below them. */
interface Group {
  readonly components: readonly Schema[];
  /** The components of this group and of those below it. */
  readonly length: number;
  readonly next: Group | undefined;
  readonly last: Schema | undefined;
}

/** Finds the longest chains and circles of components that schemas lead to. */
export class LongestReferences {
  readonly #groups = new Map<Schema, Group>();

  constructor(document: OpenApiDocument, schemas: readonly Schema[]) {
    const named = new Set<unknown>(Object.values(document.components?.schemas ?? {}));
    for (const members of circularGroups(document, schemas, ALL_KEYWORDS)) {
      const below = members
        .flatMap((member) => childrenOf(document, member))
        .flatMap((child) => this.#groups.get(child) ?? []);
      const next = below.reduce<Group | undefined>(
        (longest, group) => (group.length > (longest?.length ?? 0) ? group : longest),
        undefined,
      );
      const own = members.filter((member) => named.has(member));
      const group = { components: own, length: own.length + (next?.length ?? 0), next, last: members.at(-1) };
      for (const member of members) this.#groups.set(member, group);
    }
  }

  /** The longest chain or circle that some schemas lead to; undefined without references. */
  from(schemas: readonly Schema[]): References | undefined {
    const path: Group[] = [];
    const starts = schemas.flatMap((schema) => this.#groups.get(schema) ?? []);
    let group = starts.toSorted((left, right) => right.length - left.length)[0];
    for (; group !== undefined; group = group.next) path.push(group);
    const [largest] = path.toSorted((left, right) => right.components.length - left.components.length);
    const end = path.at(-1)?.last;
    if (largest === undefined || end === undefined || largest.components.length === 0) return undefined;
    const isCircle = largest.components.length > 1;
    if (isCircle) return { schemas: largest.components, isCircle, end: largest.last ?? end };
    return { schemas: path.flatMap(({ components }) => components), isCircle, end };
  }
}
