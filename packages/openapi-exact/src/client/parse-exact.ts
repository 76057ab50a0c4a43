import { isLosslessNumber, parse } from 'lossless-json';
import { heldNumber, isIntegral, MAX_NUMBER_LENGTH, parseDecimal, scaled } from '../json/decimal.ts';
import type { Shape } from './shape.ts';
import { itemShapes, withReferred, propertyShapes, type ValueShapes, type Schemas } from './value-shapes.ts';

/** A number of a response whose contract does not say int64, and that a number would round. */
export class InexactNumber extends Error {
  override readonly name = 'InexactNumber';
}

/** What becomes of the text of a number that a number would round. @throws InexactNumber */
type ReadInexact = (text: string) => unknown;

/** The most digits of an integer that is written with an exponent. */
const MOST_DIGITS = 40;

/** Refuses a number that would be rounded. */
const refuseInexact: ReadInexact = (text) => {
  throw new InexactNumber(`it has the number ${shortened(text)}, which the contract does not declare as an int64`);
};

/** Where the contract has no type, an integer may be a `bigint`, and a fraction its text. */
export const keepInexact: ReadInexact = (text) => integerOf(text) ?? text;

/**
 * Parses JSON: an int64 of the contract becomes a `bigint`, every other number a number.
 * @throws SyntaxError unless the text is JSON, and what `readInexact` throws.
 */
export function parseExact(text: string, shape: Shape, schemas: Schemas, readInexact = refuseInexact): unknown {
  const shapes = withReferred({ certain: [], possible: [shape] }, schemas);
  return withNumbers(parse(text), shapes, schemas, readInexact);
}

/** The integer of a JSON number, such as `12`, `12.0` or `1.2e1`; undefined for a fraction. */
function integerOf(text: string): bigint | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const decimal = parseDecimal(text);
  const isShort = /^-?\d+$/.test(text) || decimal.magnitude <= MOST_DIGITS;
  return isIntegral(decimal) && isShort ? scaled(decimal, 0) : undefined;
}

/** Replaces the texts of numbers in a parsed value by `bigint`s and numbers. */
function withNumbers(value: unknown, shapes: ValueShapes, schemas: Schemas, readInexact: ReadInexact): unknown {
  if (isLosslessNumber(value)) {
    const isInt64 = shapes.possible.some(({ int64 }) => int64 === true);
    return (isInt64 ? integerOf(value.value) : undefined) ?? numberOf(value.value, readInexact);
  }
  if (Array.isArray(value))
    return value.map((item, index) => withNumbers(item, itemShapes(shapes, index, schemas), schemas, readInexact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      withNumbers(child, propertyShapes(shapes, key, schemas), schemas, readInexact),
    ]),
  );
}

function numberOf(text: string, readInexact: ReadInexact): unknown {
  return (text.length > MAX_NUMBER_LENGTH ? undefined : heldNumber(text)) ?? readInexact(text);
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
