import { SCHEMAS } from '../../generated/operations.ts';
import type { Shape } from './shape.ts';

/** A shape with those that it refers to. */
export function alternatives(shape: Shape): Shape[] {
  const { $ref, anyOf = [] } = shape;
  const target = $ref === undefined ? undefined : SCHEMAS[$ref];
  return [shape, ...(target === undefined ? [] : alternatives(target)), ...anyOf.flatMap(alternatives)];
}

/** Whether a value of this shape can be an int64 only. A choice that has `{}` in it may be something else. */
export function isInt64Only({ int64, $ref, anyOf = [] }: Shape): boolean {
  if (int64 === true) return true;
  const target = $ref === undefined ? undefined : SCHEMAS[$ref];
  return (target !== undefined && isInt64Only(target)) || (anyOf.length > 0 && anyOf.every(isInt64Only));
}

/** The shapes of a property, of one of those of the object. */
export function propertyOf(key: string): (shape: Shape) => Shape[] {
  return ({ properties = {}, additional }) => {
    const found = Object.hasOwn(properties, key) ? properties[key] : additional;
    return found === undefined ? [] : [found];
  };
}

/** The shapes of an item, of one of those of the array. */
export function itemsOf(index: number): (shape: Shape) => Shape[] {
  return ({ prefix = [], items }) => {
    const found = index < prefix.length ? prefix[index] : items;
    return found === undefined ? [] : [found];
  };
}
