import { itemShape, propertyShape, type Shape } from '../schema/shape.ts';

/** Shapes that others refer to, by pointer. */
export type Schemas = Readonly<Record<string, Shape>>;

/** The shapes of a value: those that certainly apply to it, and all that may apply. */
export interface ValueShapes {
  readonly certain: readonly Shape[];
  readonly possible: readonly Shape[];
}

/** These shapes and all that they refer to. */
export function withReferred({ certain, possible }: ValueShapes, schemas: Schemas): ValueShapes {
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
export function isIntegerOnly({ certain }: ValueShapes, schemas: Schemas, around: readonly Shape[] = []): boolean {
  return certain.some((shape) => {
    const { int64, isOpen, anyOf = [] } = shape;
    if (int64 === true && isOpen !== true) return true;
    if (anyOf.length === 0 || around.includes(shape)) return false;
    return anyOf.every((choice) =>
      isIntegerOnly(withReferred({ certain: [choice], possible: [] }, schemas), schemas, [...around, shape]),
    );
  });
}

/** The shapes of a property of an object. */
export function propertyShapes(shapes: ValueShapes, key: string, schemas: Schemas): ValueShapes {
  return partShapes(shapes, schemas, (shape) => propertyShape(shape, key));
}

/** The shapes of an item of an array. */
export function itemShapes(shapes: ValueShapes, index: number, schemas: Schemas): ValueShapes {
  return partShapes(shapes, schemas, (shape) => itemShape(shape, index));
}

function partShapes(
  { certain, possible }: ValueShapes,
  schemas: Schemas,
  partOf: (shape: Shape) => Shape | undefined,
): ValueShapes {
  const parts = (shapes: readonly Shape[]): Shape[] => shapes.map(partOf).filter((part) => part !== undefined);
  return withReferred({ certain: parts(certain), possible: parts(possible) }, schemas);
}
