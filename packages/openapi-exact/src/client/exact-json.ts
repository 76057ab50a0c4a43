import { isLosslessNumber, parse, stringify } from 'lossless-json';
import type { Shape } from './shape.ts';
import { appliedShapes, itemShapes, propertyShapes, type Schemas } from './shapes.ts';

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

/** The most digits of an integer that is written with an exponent. */
const MOST_DIGITS = 40;

/** The integer of a JSON number, such as `12`, `12.0` or `1.2e1`; undefined for a fraction. */
function integerOf(text: string): bigint | undefined {
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const [, whole = '', fraction = '', exponent = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = whole + fraction.replace(/0+$/, '');
  const zeros = Number(exponent) - (digits.length - whole.length);
  return whole !== '' && zeros >= 0 && digits.length + zeros <= MOST_DIGITS
    ? BigInt(digits + '0'.repeat(zeros))
    : undefined;
}

/** Replaces the texts of numbers in a parsed value by `bigint`s and numbers. */
function withNumbers(value: unknown, shapes: readonly Shape[], schemas: Schemas): unknown {
  const all = shapes.flatMap((shape) => appliedShapes(shape, schemas));
  if (isLosslessNumber(value)) {
    const integer = all.some(({ int64 }) => int64 === true) ? integerOf(value.value) : undefined;
    return integer ?? Number(value.value);
  }
  if (Array.isArray(value))
    return value.map((item, index) => withNumbers(item, all.flatMap(itemShapes(index)), schemas));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, withNumbers(child, all.flatMap(propertyShapes(key)), schemas)]),
  );
}
