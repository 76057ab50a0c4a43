import { formatCodecs, placesOf, sequenceOf, type Contract, type Place } from 'openapi-exact/contract';

/** Where the values of a contract's requests have formats, as the page needs it. */
export interface PlaceTable {
  /** By method and path, of those with formats in a parameter or a body. */
  readonly operations: Readonly<Record<string, OperationPlaces>>;
  /** The places that others lead to by their index; places may lead back to themselves. */
  readonly places: readonly PlaceRow[];
}

/** The indexes of places; a value without formats has none. */
interface OperationPlaces {
  /** By location and name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** By media type. */
  readonly bodies: Readonly<Record<string, number>>;
}

/** A place: the formats of its own values, and where its parts are. */
export interface PlaceRow {
  /** Whether an integer is a `bigint`. */
  readonly isBigint?: true;
  /** The format of a number and of a text, which has values of the client's own. */
  readonly numbers?: string;
  readonly texts?: string;
  /** Null where no format is in one. */
  readonly properties?: Readonly<Record<string, number | null>>;
  /** That of properties without a name of their own. */
  readonly other?: number;
  /** Those of the first items; null where no format is in one. */
  readonly prefix?: readonly (number | null)[];
  readonly items?: number;
}

/** At most so many places: alternatives that refer to each other may have very many. */
const MOST_PLACES = 20_000;

/**
 * The table of a contract.
 * @param formats those with values of the client's own.
 */
export function placeTable({ document, operations }: Contract, formats: readonly string[]): PlaceTable {
  const places = placesOf({ document }, formatCodecs(formats));
  const table = new Table();
  const described = operations.map(({ method, path, parameters, requestBody }): [string, OperationPlaces] => {
    const named = parameters.map(({ in: location, name, schema }) => [`${location} ${name}`, schema] as const);
    const bodies = Object.entries(requestBody?.content ?? {}).map(([type, media]) => {
      const sequence = sequenceOf(document, type, media);
      if (sequence === undefined) return [type, media.schema] as const;
      // A stream of items is sent as the list of them.
      return [type, { prefixItems: sequence.typed.prefix, items: sequence.typed.item }] as const;
    });
    const indexed = (schemas: readonly (readonly [string, unknown])[]): Record<string, number> =>
      table.indexes(schemas.map(([name, schema]) => [name, places.placeOf(schema)]));
    return [`${method} ${path}`, { parameters: indexed(named), bodies: indexed(bodies) }];
  });
  const known = described.filter(([, { parameters, bodies }]) => Object.keys({ ...parameters, ...bodies }).length > 0);
  return { operations: Object.fromEntries(known), places: table.rows() };
}

/** Gives places their indexes. */
class Table {
  readonly #places = new Map<Place, number>();

  /** The rows of all places that have an index; those within them get theirs. */
  rows(): readonly PlaceRow[] {
    const rows: PlaceRow[] = [];
    // A map takes new members while it is iterated.
    for (const place of this.#places.keys()) rows.push(this.#rowOf(place));
    return rows;
  }

  /** The indexes of places by name, of those that have one. */
  indexes(named: Iterable<readonly [name: string, place: Place | undefined]>): Record<string, number> {
    const found: [string, number][] = [];
    for (const [name, place] of named) {
      const index = this.#indexOf(place);
      if (index !== undefined) found.push([name, index]);
    }
    return Object.fromEntries(found);
  }

  #indexOf(place: Place | undefined): number | undefined {
    if (place === undefined) return undefined;
    const known = this.#places.get(place);
    if (known !== undefined || this.#places.size === MOST_PLACES) return known;
    this.#places.set(place, this.#places.size);
    return this.#places.size - 1;
  }

  #rowOf(place: Place): PlaceRow {
    const { isInt64, names, longestPrefix } = place;
    const [number] = place.numbers.filter(({ isBigint }) => !isBigint);
    const [text] = place.texts;
    const other = this.#indexOf(place.otherPlace);
    const properties = [...names]
      .map((name) => [name, this.#indexOf(place.propertyPlace(name)) ?? null] as const)
      .filter(([, index]) => index !== null || other !== undefined);
    const prefix = Array.from({ length: longestPrefix }, (_, index) => this.#indexOf(place.itemPlace(index)) ?? null);
    const items = this.#indexOf(place.itemPlace(longestPrefix));
    return {
      ...(isInt64 && { isBigint: true }),
      ...(number !== undefined && { numbers: number.format }),
      ...(text !== undefined && { texts: text.format }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(other !== undefined && { other }),
      ...(prefix.length > 0 && { prefix }),
      ...(items !== undefined && { items }),
    };
  }
}
