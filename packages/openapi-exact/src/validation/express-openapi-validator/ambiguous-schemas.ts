import { fieldsOf, isSchema, list, type OpenApiDocument, type Schema } from '../../schema/openapi-document.ts';
import { circularGroups } from '../../schema/same-value.ts';
import { ALL_KEYWORDS, childrenOf, reachableSchemas, SAME_VALUE } from '../../schema/schema-graph.ts';

/** The most evaluations of schemas for one value of a message whose schemas are not ambiguous. */
const MOST_EVALUATIONS = 100;

/**
 * Finds the schemas by which one value of a message may be evaluated many times: those that lead
 * back to themselves by several alternatives, whose evaluations double with each level, and those
 * whose alternatives of alternatives multiply. Linear in the schemas.
 */
export class AmbiguousSchemas {
  readonly #document: OpenApiDocument;
  /** The evaluations for a value itself. */
  readonly #own = new Map<Schema, number>();
  /** The most evaluations for any value within it. */
  readonly #inner = new Map<Schema, number>();

  /** @param roots the schemas of messages, which lead to all others. */
  constructor(document: OpenApiDocument, roots: readonly Schema[]) {
    this.#document = document;
    const schemas = [...reachableSchemas(document, roots)];
    const order = new Map<Schema, number>();
    for (const schema of circularGroups(document, schemas).flat()) {
      const children = childrenOf(document, schema, SAME_VALUE);
      this.#own.set(schema, 1 + sum(children.map((child) => this.#own.get(child) ?? 0)));
      order.set(schema, order.size);
    }
    for (const group of circularGroups(document, schemas, ALL_KEYWORDS)) {
      this.#addGroup(group.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0)));
    }
  }

  /** Whether a value of a schema, or one within it, may be evaluated many times. */
  isAmbiguous(schema: Schema): boolean {
    return this.#evaluations(schema) > MOST_EVALUATIONS;
  }

  /** @param group schemas that lead back to themselves, or one; each after its alternatives. */
  #addGroup(group: readonly Schema[]): void {
    const members: ReadonlySet<Schema> = new Set(group);
    const isBranching = new Branches(this.#document, members).areFound(group);
    let most = 0;
    for (const schema of group) {
      const children = childrenOf(this.#document, schema, SAME_VALUE);
      const parts = placesWithin(schema).map((place) => sum(place.map((part) => this.#evaluations(part))));
      const inner = sum(children.map((child) => this.#inner.get(child) ?? 0)) + Math.max(0, ...parts);
      this.#inner.set(schema, inner);
      most = Math.max(most, inner);
    }
    for (const schema of group) this.#inner.set(schema, isBranching ? Infinity : most);
  }

  #evaluations(schema: Schema): number {
    return Math.max(this.#own.get(schema) ?? 0, this.#inner.get(schema) ?? 0);
  }
}

/** How often a group of schemas that lead back to themselves evaluates the parts of one value. */
class Branches {
  readonly #document: OpenApiDocument;
  readonly #group: ReadonlySet<Schema>;
  /** By schema: the number of schemas of the group for each part of its value, by key. */
  readonly #counts = new Map<Schema, ReadonlyMap<string, number>>();

  constructor(document: OpenApiDocument, group: ReadonlySet<Schema>) {
    this.#document = document;
    this.#group = group;
  }

  /** Whether some part of a value is evaluated by several schemas of the group. */
  areFound(group: readonly Schema[]): boolean {
    return group.some((schema) => {
      const counts = this.#countsOf(schema);
      const [others = 0, items = 0] = [counts.get(OTHERS), counts.get(ITEMS)];
      return [...counts].some(([key, count]) => {
        if (key === OTHERS || key === ITEMS) return count > 1;
        return count + (key.startsWith(ITEMS) ? items : others) > 1;
      });
    });
  }

  /** @param schema whose alternatives in the group are counted already. */
  #countsOf(schema: Schema): ReadonlyMap<string, number> {
    const known = this.#counts.get(schema);
    if (known !== undefined) return known;
    const counts = new Map<string, number>();
    for (const [key, part] of partsByKey(schema)) {
      if (this.#group.has(part)) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const child of childrenOf(this.#document, schema, SAME_VALUE)) {
      if (!this.#group.has(child) || child === schema) continue;
      for (const [key, count] of this.#countsOf(child)) counts.set(key, (counts.get(key) ?? 0) + count);
    }
    this.#counts.set(schema, counts);
    return counts;
  }
}

/** The keys of properties without a name of their own, and of items without an index. */
const OTHERS = 'others';
const ITEMS = 'items';

/** The schemas for the parts of a value, each with a key that parts of the same name share. */
function partsByKey(schema: Schema): readonly (readonly [key: string, part: Schema])[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
  const { items, contains, unevaluatedItems, prefixItems } = schema;
  const keyed: (readonly [string, unknown])[] = [
    ...Object.entries(fieldsOf(properties)).map(([name, part]) => [`.${name}`, part] as const),
    ...list(prefixItems).map((part, index) => [`${ITEMS} ${index}`, part] as const),
    ...[additionalProperties, unevaluatedProperties, ...Object.values(fieldsOf(patternProperties))].map(
      (part) => [OTHERS, part] as const,
    ),
    ...[items, contains, unevaluatedItems].map((part) => [ITEMS, part] as const),
  ];
  return keyed.filter((entry): entry is readonly [string, Schema] => isSchema(entry[1]));
}

/** The schemas that one schema has for each place within its value. */
function placesWithin(schema: Schema): readonly (readonly Schema[])[] {
  const parts = partsByKey(schema);
  const of = (wanted: string): readonly Schema[] => parts.filter(([key]) => key === wanted).map(([, part]) => part);
  const [others, items] = [of(OTHERS), of(ITEMS)];
  const named = parts.filter(([key]) => key !== OTHERS && key !== ITEMS);
  return [
    others,
    items,
    ...named.map(([key, part]) => [part, ...(key.startsWith(ITEMS) ? items : others)]),
    [schema['propertyNames']].filter(isSchema),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
