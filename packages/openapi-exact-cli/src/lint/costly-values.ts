import {
  ALL_KEYWORDS,
  MAX_VALUES,
  SAME_VALUE,
  assertedTypes,
  childrenOf,
  circularGroups,
  discriminatedBy,
  fieldsOf,
  isSchema,
  list,
  partsOf,
  reachableSchemas,
  requestSchemas,
  toldApartBy,
  triedAlternatives,
  type Contract,
  type OpenApiDocument,
  type Diagnostic,
  type Schema,
} from 'openapi-exact/contract';

/** The most evaluations of schemas for each of as many values as a body may have. */
const MOST_EVALUATIONS = 100;
const MOST_IN_REQUEST = MOST_EVALUATIONS * MAX_VALUES;

/** The cost of comparing a name with a pattern, in evaluations. */
const PER_PATTERN = 2;
/** The cost of looking up a property of an object, in evaluations. */
const PER_PROPERTY = 1 / 8;

const CHOICES = ['oneOf', 'anyOf'] as const;
const WITHOUT_CHOICES = SAME_VALUE.filter((keyword) => !CHOICES.some((choice) => choice === keyword));

const TYPES = ['number', 'string', 'array', 'object'] as const;

/** The cost of a schema for a value of some type, without its parts. */
interface OwnCost {
  readonly evaluations: number;
  /** Whether a value of the type may fit: a value that does not fit ends its request. */
  readonly isAllowed: boolean;
}

type OwnCosts = Readonly<Record<(typeof TYPES)[number], OwnCost>>;

/** The evaluations for the values within a value. */
interface InnerCost {
  /** The most for one value. */
  readonly perValue: number;
  /** The most for all values of one place. */
  readonly perPlace: number;
}

/** The schemas for one place within a value. */
interface InnerPlace {
  readonly schemas: readonly Schema[];
  /** The evaluations for each value beside those of the schemas. */
  readonly further: number;
  /** How many values may be there. */
  readonly most: number;
}

/**
 * Warnings of schemas that make a request within all limits take long: those which a body asks of
 * many values, with many alternatives for each. Linear in the schemas.
 */
export function costlyValues({ document, operations }: Contract): readonly Diagnostic[] {
  const roots = operations.flatMap((operation) => Object.values(requestSchemas(document, operation)));
  const { costly } = new SchemaCosts(document, roots);
  return [...costly].map(([node, evaluations]) => ({
    node,
    key: undefined,
    reason:
      `a value takes up to ${Math.ceil(evaluations)} evaluations of schemas, and a body may have ${MAX_VALUES} values: ` +
      'tell alternatives apart by a required discriminator or a type, have fewer of them, set maxItems, or lower bodyLimits.values.',
  }));
}

/** The costs of a contract's schemas, each calculated after those it leads to. */
class SchemaCosts {
  /** The schemas that cost too much, with their evaluations for one value. */
  readonly costly = new Map<Schema, number>();
  readonly #document: OpenApiDocument;
  readonly #own = new Map<Schema, OwnCosts>();
  readonly #inner = new Map<Schema, InnerCost>();

  constructor(document: OpenApiDocument, roots: readonly Schema[]) {
    this.#document = document;
    const schemas = [...reachableSchemas(document, roots)];
    const order = new Map<Schema, number>();
    // Schemas that lead back to themselves for the same value are refused.
    for (const schema of circularGroups(document, schemas).flat()) {
      this.#own.set(schema, this.#ownCosts(schema));
      order.set(schema, order.size);
    }
    for (const group of circularGroups(document, schemas, ALL_KEYWORDS)) {
      const circle: ReadonlySet<Schema> = new Set(group);
      const sorted = group.toSorted((left, right) => (order.get(left) ?? 0) - (order.get(right) ?? 0));
      for (const schema of sorted) this.#inner.set(schema, this.#innerCost(schema, circle));
    }
  }

  #ownCosts(schema: Schema): OwnCosts {
    const certain = childrenOf(this.#document, schema, WITHOUT_CHOICES);
    const required = childrenOf(this.#document, schema, ['allOf']);
    const chosen = this.#chosen(schema);
    const choices = CHOICES.filter((keyword) => keyword in schema).map((keyword) =>
      triedAlternatives(this.#document, keyword, list(schema[keyword])),
    );
    const types = assertedTypes(schema).map((type) => (type === 'integer' ? 'number' : type));
    const properties = Object.keys(fieldsOf(schema['properties'])).length;
    const costOf = (type: keyof OwnCosts): OwnCost => {
      if (types.length > 0 && !types.includes(type)) return { evaluations: 1, isAllowed: false };
      const ofChoices = choices.map(({ numeric, others }) => this.#sum(others, type) + Math.min(1, numeric.length));
      const further =
        type === 'object' && chosen.length > 0
          ? Math.max(...chosen.map((alternative) => this.#sum([alternative], type)))
          : sum(ofChoices);
      const ofProperties = type === 'object' ? properties * PER_PROPERTY : 0;
      const isAllowed =
        required.every((part) => this.#allows(part, type)) &&
        choices.every(({ numeric, others }) => numeric.length > 0 || others.some((part) => this.#allows(part, type)));
      return { evaluations: Math.max(1, this.#sum(certain, type) + further + ofProperties), isAllowed };
    };
    return { number: costOf('number'), string: costOf('string'), array: costOf('array'), object: costOf('object') };
  }

  /** The alternatives among which a required property decides. */
  #chosen(schema: Schema): readonly Schema[] {
    const discriminated = discriminatedBy(this.#document, schema) ?? toldApartBy(this.#document, schema);
    if (discriminated === undefined) return [];
    const alternatives = discriminated.alternatives.map((alternative) => alternative.schema);
    const isRequired = (part: Schema): boolean => list(part['required']).includes(discriminated.property);
    const requires = (described: Schema): boolean => partsOf(this.#document, described).some(isRequired);
    return requires(schema) || alternatives.every(requires) ? alternatives : [];
  }

  /** @param circle the schemas that lead back to this one, with it. */
  #innerCost(schema: Schema, circle: ReadonlySet<Schema>): InnerCost {
    const chosen = this.#chosen(schema);
    const certain = childrenOf(this.#document, schema, chosen.length > 0 ? WITHOUT_CHOICES : SAME_VALUE);
    const within = this.#placesWithin(schema);
    const places = within.map((place) => this.#costOfPlace(place, circle));
    const cost = (of: keyof InnerCost): number => {
      const costsOf = (schemas: readonly Schema[]): number[] =>
        schemas.map((child) => this.#inner.get(child)?.[of] ?? 0);
      return sum(costsOf(certain)) + Math.max(0, ...costsOf(chosen)) + Math.max(0, ...places.map((place) => place[of]));
    };
    const inner = { perValue: cost('perValue'), perPlace: cost('perPlace') };
    if (inner.perPlace <= MOST_IN_REQUEST) return inner;
    const isCostly = (place: InnerPlace, index: number): boolean =>
      (places[index]?.perPlace ?? 0) > MOST_IN_REQUEST && this.#ownOfPlace(place) > MOST_EVALUATIONS;
    const child = within.find(isCostly)?.schemas.map((part) => this.#costlyPart(part));
    this.costly.set(child?.find((part) => part !== undefined) ?? schema, inner.perValue);
    // The schemas above are not told for the same reason.
    return { perValue: 0, perPlace: 0 };
  }

  #costOfPlace(place: InnerPlace, circle: ReadonlySet<Schema>): InnerCost {
    const own = this.#ownOfPlace(place);
    const inner = place.schemas.map((schema) => this.#inner.get(schema) ?? { perValue: 0, perPlace: 0 });
    const perValue = Math.max(own, sum(inner.map((cost) => cost.perValue)));
    // A value in a circle may be within itself any number of times.
    const most = place.schemas.some((schema) => circle.has(schema)) ? Infinity : place.most;
    const perPlace = most * Math.max(own, sum(inner.map((cost) => cost.perPlace)));
    return { perValue, perPlace: perValue === 0 ? 0 : Math.min(perPlace, perValue * MAX_VALUES) };
  }

  /** The evaluations for one value at a place. */
  #ownOfPlace({ schemas, further }: InnerPlace): number {
    const allowed = TYPES.filter((type) => schemas.every((schema) => this.#allows(schema, type)));
    return further + Math.max(0, ...allowed.map((type) => this.#sum(schemas, type)));
  }

  /** The innermost schema for the same value that costs too much. */
  #costlyPart(schema: Schema): Schema | undefined {
    const costs = Object.values(this.#own.get(schema) ?? {});
    if (!costs.some(({ evaluations, isAllowed }) => isAllowed && evaluations > MOST_EVALUATIONS)) return undefined;
    for (const child of childrenOf(this.#document, schema, SAME_VALUE)) {
      const part = this.#costlyPart(child);
      if (part !== undefined) return part;
    }
    return schema;
  }

  #placesWithin(schema: Schema): readonly InnerPlace[] {
    const { properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames } = schema;
    const { items, contains, unevaluatedItems, prefixItems, maxItems, maxProperties } = schema;
    const patterns = Object.values(fieldsOf(patternProperties));
    const single = [...list(prefixItems), ...Object.values(fieldsOf(properties))];
    const names = isSchema(propertyNames) ? this.#sum([propertyNames], 'string') : 0;
    return [
      ...single.map((part) => ({ schemas: [part].filter(isSchema), further: 0, most: 1 })),
      { schemas: [items, contains, unevaluatedItems].filter(isSchema), further: 0, most: Number(maxItems ?? Infinity) },
      {
        schemas: [...patterns, additionalProperties, unevaluatedProperties].filter(isSchema),
        further: patterns.length * PER_PATTERN + names,
        most: Number(maxProperties ?? Infinity),
      },
    ];
  }

  #sum(schemas: readonly unknown[], type: keyof OwnCosts): number {
    return sum(schemas.map((schema) => this.#ownOf(schema, type).evaluations));
  }

  #allows(schema: unknown, type: keyof OwnCosts): boolean {
    return this.#ownOf(schema, type).isAllowed;
  }

  /** The merged constants of a choice have no cost of their own: they are one evaluation. */
  #ownOf(schema: unknown, type: keyof OwnCosts): OwnCost {
    return (isSchema(schema) ? this.#own.get(schema)?.[type] : undefined) ?? { evaluations: 1, isAllowed: true };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
