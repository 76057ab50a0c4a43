import { arrayOf, type Json, type JsonObject } from './json-value.ts';
import { isNumber } from './merge-schemas.ts';
import { typed } from './number-value.ts';
import { stringOf } from './string-value.ts';

const INTEGERS = [0, 1, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 53 - 1, 1 - 2 ** 53];
const INT64S = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, 1n - 2n ** 63n, -(2n ** 63n)];
/** In binary fractions, 0.29 and 1.15 times 100 are not integers. */
const FRACTIONS = [0.5, 0.29, 1.15, -1.5, 1e10];

/**
 * Values at and around each boundary of a scalar schema, valid and invalid ones, and those that it
 * names itself.
 */
export function boundaryValues(flat: JsonObject): Json[] {
  const { type = [], format, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = flat;
  const types = [type].flat();
  const named = [
    flat['const'],
    ...arrayOf(flat['enum']),
    flat['default'],
    flat['example'],
    ...arrayOf(flat['examples']),
  ];
  const values: (Json | undefined)[] = named.map((one) => (one === undefined ? one : typed(flat, one)));
  const around = (bound: Json | undefined): number[] => {
    const number = isNumber(bound) ? Number(bound) : NaN;
    // Beyond, the judge rounds.
    return Math.abs(number) < 2 ** 53 - 1 ? [number, number - 1, number + 1] : [];
  };
  if (types.includes('integer') || types.includes('number')) {
    const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].flatMap(around);
    values.push(...[...bounds, ...INTEGERS].map((one) => typed(flat, one)));
    if (format === 'int64') values.push(...INT64S);
    if (types.includes('number')) values.push(...FRACTIONS);
  }
  if (types.includes('string')) {
    // Texts near V8's longest, of 2^29 characters, are left out.
    const lengths = [minLength, maxLength].flatMap(around).filter((length) => length >= 0 && length < 2 ** 28);
    values.push(
      ...lengths.map((length) => 'x'.repeat(length)),
      ...[0, 1, 2, 3].map((salt) => stringOf(flat, 'ä b', salt)),
    );
  }
  if (types.includes('boolean')) values.push(true, false);
  return values.filter((one) => one !== undefined);
}
