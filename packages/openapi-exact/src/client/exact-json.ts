import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { Shape } from './shape.ts';
import { alternatives, itemsOf, propertyOf, type Schemas } from './shapes.ts';

/** Stringifies a value, with each `bigint` as an exact integer. */
export function exactJson(value: unknown): string {
  return stringify(value) ?? 'null';
}

/**
 * Parses JSON: an int64 of the contract becomes a `bigint`, every other number a number.
 * @throws SyntaxError unless the text is JSON.
 */
export function parseExact(text: string, shape: Shape, schemas: Schemas): unknown {
  return withNumbers(parse(text), [shape], schemas);
}

/** Replaces the texts of numbers in a parsed value by `bigint`s and numbers. */
function withNumbers(value: unknown, shapes: readonly Shape[], schemas: Schemas): unknown {
  const all = shapes.flatMap((shape) => alternatives(shape, schemas));
  if (isLosslessNumber(value)) {
    const isInt64 = all.some(({ int64 }) => int64 === true) && /^-?\d+$/.test(value.value);
    return isInt64 ? BigInt(value.value) : Number(value.value);
  }
  if (Array.isArray(value)) return value.map((item, index) => withNumbers(item, all.flatMap(itemsOf(index)), schemas));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withNumbers(child, all.flatMap(propertyOf(key)), schemas)]),
  );
}
