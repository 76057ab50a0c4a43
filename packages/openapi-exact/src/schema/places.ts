import { getOrInsert } from '../json/get-or-insert.ts';
import { contractShapes } from './contract-shapes.ts';
import type { OpenApiDocument, Schema } from './openapi-document.ts';
import { itemShape, propertyShape, type Shape } from './shape.ts';

/** A place of a value, with all shapes that the contract has for it. */
export class Place {
  /** Whether an integer is a `bigint` here. */
  readonly isInt64: boolean;
  readonly #places: Places;
  readonly #shapes: readonly Shape[];
  readonly #named = new Map<string, Place | undefined>();
  /** The place of all properties without a name of their own; null until it is asked for. */
  #other: Place | undefined | null = null;
  readonly #items: (Place | undefined)[] = [];
  readonly #names: ReadonlySet<string>;
  /** The names whose properties have an int64 in them; undefined if there are others, too. */
  #exactNames: readonly string[] | undefined;
  readonly #longestPrefix: number;

  constructor(places: Places, shapes: readonly Shape[]) {
    this.#places = places;
    this.#shapes = shapes;
    this.isInt64 = shapes.some(({ int64 }) => int64 === true);
    this.#names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)));
    this.#longestPrefix = Math.max(...shapes.map(({ prefix = [] }) => prefix.length));
  }

  /** The place of a property; undefined when no int64 is in it. */
  propertyPlace(name: string): Place | undefined {
    if (!this.#names.has(name)) {
      if (this.#other === null) this.#other = this.#placeWithin(name);
      return this.#other;
    }
    const known = this.#named.get(name);
    if (known !== undefined || this.#named.has(name)) return known;
    const place = this.#placeWithin(name);
    this.#named.set(name, place);
    return place;
  }

  /** The names of an object's properties with an int64 in them, and maybe of others. */
  namesIn(object: object): readonly string[] {
    if (this.#exactNames === undefined) {
      const hasOthers = this.#shapes.some(({ additional }) => additional !== undefined);
      if (hasOthers) return Object.keys(object);
      this.#exactNames = [...this.#names].filter((name) => this.propertyPlace(name) !== undefined);
    }
    return this.#exactNames.filter((name) => Object.hasOwn(object, name));
  }

  #placeWithin(name: string): Place | undefined {
    return this.#places.merged(this.#shapes.map((shape) => propertyShape(shape, name)));
  }

  /** The place of an item; undefined when no int64 is in it. */
  itemPlace(index: number): Place | undefined {
    const key = Math.min(index, this.#longestPrefix);
    if (key in this.#items) return this.#items[key];
    const place = this.#places.merged(this.#shapes.map((shape) => itemShape(shape, key)));
    this.#items[key] = place;
    return place;
  }
}

/** The place of a value with a schema; undefined when no int64 is in it. */
export type PlaceOf = (schema: Schema) => Place | undefined;

const PLACES = new WeakMap<OpenApiDocument, PlaceOf>();

/**
 * Where the values of a contract are `bigint`s: the one table that the server completes requests by,
 * whose shapes are those of the client and of the generated types.
 */
export function placesOf({ document }: { readonly document: OpenApiDocument }): PlaceOf {
  return getOrInsert(PLACES, document, () => {
    const shapes = contractShapes(document);
    const places = new Places(shapes.referred);
    return (schema) => places.merged([shapes.shapeOfSchema(schema)]);
  });
}

/** The places of a contract. Shapes that refer to themselves lead back to places that are known. */
class Places {
  readonly #referred: Readonly<Record<string, Shape>>;
  readonly #numbers = new Map<Shape, number>();
  readonly #known = new Map<string, Place>();

  /** @param referred the shapes that others refer to, by pointer. */
  constructor(referred: Readonly<Record<string, Shape>>) {
    this.#referred = referred;
  }

  /** The place that several shapes describe. */
  merged(shapes: readonly (Shape | undefined)[]): Place | undefined {
    const all = this.#applied(shapes);
    if (all.length === 0) return undefined;
    const numbers = all.map((shape) => getOrInsert(this.#numbers, shape, () => this.#numbers.size + 1));
    const key = numbers.toSorted((a, b) => a - b).join();
    return getOrInsert(this.#known, key, () => new Place(this, all));
  }

  /** The shapes, and all that apply to the same value, each once. */
  #applied(shapes: readonly (Shape | undefined)[]): readonly Shape[] {
    const found = new Set(shapes.filter((shape) => shape !== undefined));
    // A set takes new members while it is iterated.
    for (const { $ref, allOf = [], anyOf = [] } of found) {
      for (const shape of [...allOf, ...anyOf]) found.add(shape);
      const target = $ref === undefined ? undefined : this.#referred[$ref];
      if (target !== undefined) found.add(target);
    }
    return [...found].filter(saysSomething);
  }
}

/** False for a shape that only leads to others. */
function saysSomething(shape: Shape): boolean {
  return Object.keys(shape).some((key) => !['$ref', 'allOf', 'anyOf'].includes(key));
}
