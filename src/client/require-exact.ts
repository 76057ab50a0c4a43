import type { Shape } from './shape.ts';
import { alternatives, isInt64Only, itemsOf, propertyOf } from './shapes.ts';

/** An int64 is from −2^63 to 2^63 − 1. */
const LIMIT = 2n ** 63n;

/**
 * Checks the int64s of a value before it is sent: each must be a `bigint`, because a number of 2^53 or more is the neighbour
 * of what somebody meant. Null and undefined pass, as what may be null or left out; so does what is no whole number where
 * the contract leaves a choice between an int64 and something else.
 * @param place the value's name, for messages.
 * @throws TypeError for anything but a bigint, RangeError for a bigint that is no int64.
 */
export function requireExact(value: unknown, shape: Shape, place: string): void {
  walk(value, [shape], place);
}

function walk(value: unknown, shapes: readonly Shape[], place: string): void {
  if (value === undefined || value === null) return;
  const all = shapes.flatMap(alternatives);
  if (shapes.some(isInt64Only) || (all.some(({ int64 }) => int64 === true) && Number.isInteger(value))) {
    requireBigint(value, place);
  }
  if (typeof value === 'bigint' && all.some(({ int64 }) => int64 === true)) requireRange(value, place);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      walk(item, all.flatMap(itemsOf(index)), `${place}[${index}]`);
    });
  } else if (typeof value === 'object') {
    for (const [key, child] of Object.entries(value)) walk(child, all.flatMap(propertyOf(key)), `${place}.${key}`);
  }
}

function requireBigint(value: unknown, place: string): void {
  if (typeof value === 'bigint') return;
  const rounded = Number.isInteger(value) ? ': beyond 2^53 numbers are rounded' : '';
  throw new TypeError(`${place} must be a bigint such as 12n, not ${kindOf(value)}${rounded}.`);
}

function requireRange(value: bigint, place: string): void {
  if (value >= -LIMIT && value < LIMIT) return;
  throw new RangeError(`${place} must be between ${-LIMIT} and ${LIMIT - 1n}, not ${value}.`);
}

/** With its article. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
