import type { Shape } from './shape.ts';
import { appliedShapes, isInt64Only, itemShapes, propertyShapes, type Schemas } from './shapes.ts';

/** The bound of int64: from −2^63 to 2^63 − 1. */
const LIMIT = 2n ** 63n;

/**
 * Requires a `bigint` for each int64 of a value, since numbers from 2^53 on are inexact. Allows
 * null and undefined, and other numbers where the contract allows another type too.
 * @param place the value's name in messages.
 * @throws TypeError unless it is a bigint, RangeError for a bigint outside int64.
 */
export function requireExact(value: unknown, shape: Shape, schemas: Schemas, place: string): void {
  walk(value, [shape], schemas, place);
}

function walk(value: unknown, shapes: readonly Shape[], schemas: Schemas, place: string): void {
  if (value === undefined || value === null) return;
  const all = shapes.flatMap((shape) => appliedShapes(shape, schemas));
  const isMixed = all.some((shape) => shape.isMixed === true);
  const isOther = all.some((shape) => shape.isOther === true);
  const isExact = !isMixed && !isOther && shapes.some((shape) => isInt64Only(shape, schemas));
  // Where the contract allows a number too, one that a double holds is the same integer.
  const isInexact = Number.isInteger(value) && !(isMixed && Number.isSafeInteger(value));
  if (isExact || (isInexact && all.some(({ int64 }) => int64 === true))) requireBigint(value, place);
  const isInt64 = all.some(({ int64 }) => int64 === true) && !all.some(({ isWider }) => isWider === true);
  if (typeof value === 'bigint' && isInt64) requireRange(value, place);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, all.flatMap(itemShapes(index)), schemas, `${place}[${index}]`);
    });
  } else if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value))
      walk(child, all.flatMap(propertyShapes(key)), schemas, `${place}.${key}`);
  }
}

function requireBigint(value: unknown, place: string): void {
  if (typeof value === 'bigint') return;
  const rounded = Number.isInteger(value) ? ': beyond 2^53 numbers are rounded' : '';
  throw new TypeError(`${place} must be a bigint such as 12n, not ${typeWithArticle(value)}${rounded}.`);
}

function requireRange(value: bigint, place: string): void {
  if (value >= -LIMIT && value < LIMIT) return;
  throw new RangeError(`${place} must be between ${-LIMIT} and ${LIMIT - 1n}, not ${value}.`);
}

/** The type of a value, with its article. */
function typeWithArticle(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
