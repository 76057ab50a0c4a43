import type { Json, JsonObject } from './json-value.ts';
import { isNumber } from './merge-schemas.ts';

/** The value as handlers have it: an int64 is a bigint. */
export function typed(flat: JsonObject, value: Json): Json {
  return isInt64(flat) && Number.isInteger(value) ? BigInt(Number(value)) : value;
}

function isInt64({ type = 'integer', format }: JsonObject): boolean {
  return format === 'int64' && [type].flat().includes('integer');
}

/**
 * A number that a schema of type integer or number allows.
 * @param salt tells apart the items of an array.
 */
export function numberOf(flat: JsonObject, type: string, salt: number): Json {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = flat;
  const low = Math.max(-Infinity, ...[minimum, exclusiveMinimum].filter(isNumber).map(Number));
  const high = Math.min(Infinity, ...[maximum, exclusiveMaximum].filter(isNumber).map(Number));
  const isAbove = exclusiveMinimum === true ? low < Infinity : isNumber(exclusiveMinimum);
  const isBelow = exclusiveMaximum === true ? high > -Infinity : isNumber(exclusiveMaximum);
  const step = isNumber(multipleOf) ? Number(multipleOf) : type === 'integer' ? 1 : 0.25;
  const fits = (value: number): boolean =>
    (isAbove ? value > low : value >= low) && (isBelow ? value < high : value <= high);
  // Beyond 2^53 on purpose: an engine that rounds gives a neighbour.
  if (isInt64(flat) && step === 1 && fits(2 ** 53 + 2 + salt)) {
    return 2n ** 53n + 1n + BigInt(salt * 2);
  }
  const cents = step < 1 ? [round(1999 * step, step)] : [];
  const aligned = [Math.ceil(low / step), Math.floor(high / step)].filter(Number.isFinite).map((one) => one * step);
  const steps = [
    ...cents,
    12,
    12 * step,
    ...aligned,
    ...aligned.flatMap((one) => [one + step, one - step]),
    0,
    (low + high) / 2,
  ];
  const salted = steps.flatMap((one) => [one + salt * step, one]).map((one) => round(one, step));
  return salted.find((one) => fits(one) && Number.isInteger(round(one / step, 1e-6))) ?? 1;
}

/** Without the error of binary fractions. */
function round(value: number, step: number): number {
  return Number.isInteger(step) ? value : Number(value.toFixed(9));
}
