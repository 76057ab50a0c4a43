import { childrenOf, SAME_VALUE } from './schema-graph.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import type { Refusal } from './refusal.ts';

/** A value is not looked at through more schemas than this, one within or behind the other. */
const MAX_CHAIN = 250;

/** Nor is it looked at more often than this: alternatives of alternatives multiply. */
const MAX_EVALUATIONS = 10_000;

/** A schema whose children are being visited. */
interface Visit {
  readonly schema: Schema;
  readonly children: readonly Schema[];
  next: number;
}

/**
 * The schemas in groups that lead back to themselves for the same value, by references and the
 * keywords of {@link SAME_VALUE}: most groups are one schema. A group comes after those it leads
 * to. Linear in the schemas and references (Tarjan's strongly connected components).
 */
export function sameValueGroups(document: OpenApiDocument, schemas: readonly Schema[]): readonly (readonly Schema[])[] {
  const groups: Schema[][] = [];
  /** When each schema was first visited, and the earliest one that it leads back to. */
  const visited = new Map<Schema, number>();
  const earliest = new Map<Schema, number>();
  const ungrouped: Schema[] = [];
  const grouped = new Set<Schema>();
  const path: Visit[] = [];
  const enter = (schema: Schema): void => {
    visited.set(schema, visited.size);
    earliest.set(schema, visited.size - 1);
    ungrouped.push(schema);
    path.push({ schema, children: childrenOf(document, schema, SAME_VALUE), next: 0 });
  };
  const lower = (schema: Schema, time = Infinity): void => {
    if (time < (earliest.get(schema) ?? Infinity)) earliest.set(schema, time);
  };
  for (const start of schemas) {
    if (!visited.has(start)) enter(start);
    // A chain may be longer than the stack is deep.
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const { schema } = visit;
      const child = visit.children[visit.next++];
      if (child !== undefined) {
        if (!visited.has(child)) enter(child);
        else if (!grouped.has(child)) lower(schema, visited.get(child));
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined && !grouped.has(schema)) lower(parent.schema, earliest.get(schema));
      if (earliest.get(schema) !== visited.get(schema)) continue;
      const group = ungrouped.splice(ungrouped.lastIndexOf(schema));
      for (const member of group) grouped.add(member);
      groups.push(group);
    }
  }
  return groups;
}

/**
 * The schemas by which one value would be looked at too often, or in too long a chain.
 * @param schemas without circles.
 */
export function endlessChains(document: OpenApiDocument, schemas: readonly Schema[]): readonly Refusal[] {
  const lengths = new Map<Schema, number>();
  const evaluations = new Map<Schema, number>();
  const refusals: Refusal[] = [];
  for (const [schema] of sameValueGroups(document, schemas)) {
    if (schema === undefined) continue;
    const children = childrenOf(document, schema, SAME_VALUE);
    const length = 1 + Math.max(0, ...children.map((child) => lengths.get(child) ?? 0));
    const sum = children.reduce((all, child) => all + (evaluations.get(child) ?? 0), 1);
    if (length > MAX_CHAIN) {
      const reason = `the schema says what a value is behind more than ${MAX_CHAIN} references and parts: refer to the last one.`;
      refusals.push({ node: schema, key: undefined, reason });
    } else if (sum > MAX_EVALUATIONS) {
      const reason = `the schema asks one value more than ${MAX_EVALUATIONS} times, by alternatives of alternatives: name each one once.`;
      refusals.push({ node: schema, key: undefined, reason });
    }
    // The schemas above are not refused for the same reason.
    lengths.set(schema, length > MAX_CHAIN ? 1 : length);
    evaluations.set(schema, sum > MAX_EVALUATIONS ? 1 : sum);
  }
  return refusals;
}
