import type { Shape } from './shape.ts';

/** Shapes that others refer to, by pointer. */
export type Schemas = Readonly<Record<string, Shape>>;

/** A shape and all shapes that it refers to, each once, since they may refer to themselves. */
export function appliedShapes(shape: Shape, schemas: Schemas): Shape[] {
  const found = new Set([shape]);
  // A set takes new members while it is iterated.
  for (const { $ref, anyOf = [] } of found) {
    const target = $ref === undefined ? undefined : schemas[$ref];
    if (target !== undefined) found.add(target);
    for (const choice of anyOf) found.add(choice);
  }
  return [...found];
}

/** True if every value of this shape is an int64. A choice that includes `{}` allows others. */
export function isInt64Only(shape: Shape, schemas: Schemas, around: readonly Shape[] = []): boolean {
  const { int64, $ref, anyOf = [] } = shape;
  if (int64 === true) return true;
  if (around.includes(shape)) return false;
  const isExact = (part: Shape): boolean => isInt64Only(part, schemas, [...around, shape]);
  const target = $ref === undefined ? undefined : schemas[$ref];
  return (target !== undefined && isExact(target)) || (anyOf.length > 0 && anyOf.every(isExact));
}

/** Maps the shape of an object to the shapes of one of its properties. */
export function propertyShapes(key: string): (shape: Shape) => Shape[] {
  return ({ properties = {}, additional }) => {
    const found = Object.hasOwn(properties, key) ? properties[key] : additional;
    return found === undefined ? [] : [found];
  };
}

/** Maps the shape of an array to the shapes of one of its items. */
export function itemShapes(index: number): (shape: Shape) => Shape[] {
  return ({ prefix = [], items }) => {
    const found = index < prefix.length ? prefix[index] : items;
    return found === undefined ? [] : [found];
  };
}
