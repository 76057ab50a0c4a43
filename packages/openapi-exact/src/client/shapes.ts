import type { Shape } from './shape.ts';

/** Shapes that others refer to, by pointer. */
export type Schemas = Readonly<Record<string, Shape>>;

/** A shape and all shapes that it refers to. */
export function alternatives(shape: Shape, schemas: Schemas): Shape[] {
  const { $ref, anyOf = [] } = shape;
  const target = $ref === undefined ? undefined : schemas[$ref];
  return [
    shape,
    ...[...(target === undefined ? [] : [target]), ...anyOf].flatMap((other) => alternatives(other, schemas)),
  ];
}

/** True if every value of this shape is an int64. A choice that includes `{}` allows others. */
export function isInt64Only({ int64, $ref, anyOf = [] }: Shape, schemas: Schemas): boolean {
  if (int64 === true) return true;
  const target = $ref === undefined ? undefined : schemas[$ref];
  return (
    (target !== undefined && isInt64Only(target, schemas)) ||
    (anyOf.length > 0 && anyOf.every((choice) => isInt64Only(choice, schemas)))
  );
}

/** Maps the shape of an object to the shapes of one of its properties. */
export function propertyOf(key: string): (shape: Shape) => Shape[] {
  return ({ properties = {}, additional }) => {
    const found = Object.hasOwn(properties, key) ? properties[key] : additional;
    return found === undefined ? [] : [found];
  };
}

/** Maps the shape of an array to the shapes of one of its items. */
export function itemsOf(index: number): (shape: Shape) => Shape[] {
  return ({ prefix = [], items }) => {
    const found = index < prefix.length ? prefix[index] : items;
    return found === undefined ? [] : [found];
  };
}
