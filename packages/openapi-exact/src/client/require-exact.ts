import { INT64_MAX, INT64_MIN } from '../int64.ts';
import type { Shape } from './shape.ts';
import {
  isIntegerOnly,
  itemShapes,
  withReferred,
  propertyShapes,
  type ValueShapes,
  type Schemas,
} from './value-shapes.ts';

/**
 * Requires a `bigint` wherever nothing but an int64 is allowed, and for each integer that a number
 * may have rounded, and refuses what JSON turns into null: NaN, Infinity, and undefined in a list.
 * Allows null and undefined; what else is allowed, types and the service say.
 * @param name of the value in messages.
 * @throws TypeError, or RangeError for a bigint outside int64.
 */
export function requireExact(value: unknown, shape: Shape, schemas: Schemas, name: string): void {
  walk(value, withReferred({ certain: [shape], possible: [shape] }, schemas), schemas, name);
}

function walk(value: unknown, shapes: ValueShapes, schemas: Schemas, name: string): void {
  if (value === undefined || value === null) return;
  if (shapes.possible.some(({ int64 }) => int64 === true)) requireInteger(value, shapes, schemas, name);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new TypeError(`${name} must be a finite number, not ${value}: JSON and parameters have no other.`);
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${name} must be a value of JSON, not ${typeWithArticle(value)}.`);
  if (Array.isArray(value)) {
    // `forEach` skips the holes of an array.
    for (const [index, item] of value.entries()) {
      const itemName = `${name}[${index}]`;
      if (item === undefined) throw new TypeError(`${itemName} must not be undefined: leave the item out.`);
      walk(item, itemShapes(shapes, index, schemas), schemas, itemName);
    }
  } else if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value))
      walk(child, propertyShapes(shapes, key, schemas), schemas, `${name}.${key}`);
  }
}

/** Requires an exact integer of a value whose place may be that of an int64. */
function requireInteger(value: unknown, shapes: ValueShapes, schemas: Schemas, name: string): void {
  const isOnly = isIntegerOnly(shapes, schemas);
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'bigint' && (isOnly || isRounded)) throw noBigint(value, name);
  const isWider = shapes.possible.some((shape) => shape.isWider === true);
  if (typeof value === 'bigint' && isOnly && !isWider) requireRange(value, name);
}

function noBigint(value: unknown, name: string): TypeError {
  const rounded = Number.isInteger(value) ? ': beyond 2^53 numbers are rounded' : '';
  return new TypeError(`${name} must be a bigint such as 12n, not ${typeWithArticle(value)}${rounded}.`);
}

function requireRange(value: bigint, name: string): void {
  if (value >= INT64_MIN && value <= INT64_MAX) return;
  throw new RangeError(`${name} must be between ${INT64_MIN} and ${INT64_MAX}, not ${value}.`);
}

/** The type of a value, with its article. */
function typeWithArticle(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
