import { itemShape, propertyShape, type Shape } from '../schema/shape.ts';

/** Shapes that others refer to, by pointer. */
export type Schemas = Readonly<Record<string, Shape>>;

/** The shapes of a value: those that certainly apply to it, and all that may apply. */
export interface Place {
  readonly certain: readonly Shape[];
  readonly possible: readonly Shape[];
}

/** The place that some shapes describe. */
export function placeOf({ certain, possible }: Place, schemas: Schemas): Place {
  return {
    certain: withReached(certain, ({ $ref, allOf = [] }) => [...targets($ref, schemas), ...allOf]),
    possible: withReached(possible, ({ $ref, allOf = [], anyOf = [] }) => [
      ...targets($ref, schemas),
      ...allOf,
      ...anyOf,
    ]),
  };
}

/** Shapes and all that they lead to, each once, since they may refer to themselves. */
function withReached(shapes: readonly Shape[], next: (shape: Shape) => readonly Shape[]): Shape[] {
  const found = new Set(shapes);
  // A set takes new members while it is iterated.
  for (const shape of found) for (const reached of next(shape)) found.add(reached);
  return [...found];
}

function targets($ref: string | undefined, schemas: Schemas): Shape[] {
  const target = $ref === undefined ? undefined : schemas[$ref];
  return target === undefined ? [] : [target];
}

/** True where a value that is not null must be an integer of 64 bits, or of more. */
export function isIntegerOnly({ certain }: Place, schemas: Schemas, around: readonly Shape[] = []): boolean {
  return certain.some((shape) => {
    const { int64, isOpen, anyOf = [] } = shape;
    if (int64 === true && isOpen !== true) return true;
    if (anyOf.length === 0 || around.includes(shape)) return false;
    return anyOf.every((choice) =>
      isIntegerOnly(placeOf({ certain: [choice], possible: [] }, schemas), schemas, [...around, shape]),
    );
  });
}

/** The place of a property of an object. */
export function propertyPlace(place: Place, key: string, schemas: Schemas): Place {
  return partPlace(place, schemas, (shape) => propertyShape(shape, key));
}

/** The place of an item of an array. */
export function itemPlace(place: Place, index: number, schemas: Schemas): Place {
  return partPlace(place, schemas, (shape) => itemShape(shape, index));
}

function partPlace({ certain, possible }: Place, schemas: Schemas, partOf: (shape: Shape) => Shape | undefined): Place {
  const parts = (shapes: readonly Shape[]): Shape[] => shapes.map(partOf).filter((part) => part !== undefined);
  return placeOf({ certain: parts(certain), possible: parts(possible) }, schemas);
}
