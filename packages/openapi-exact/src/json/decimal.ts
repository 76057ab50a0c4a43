/** An exact decimal number: `digits` × 10^`exponent`, with digits that do not end in 0. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
  /** The power of ten above the first digit, which orders numbers of different size. */
  readonly magnitude: number;
}

/**
 * The value of a number: a double if that holds it exactly, a decimal otherwise. A decimal stands
 * for every integer beyond 2^53 too, so that such a double is known to be rounded.
 */
export type ExactNumber = number | Decimal;

/** Maximum length of a number that is read, in characters: conversions take quadratic time. */
export const MAX_NUMBER_LENGTH = 1_000;

/**
 * The exact value of a JSON number (RFC 8259, section 6).
 * @throws Error for any other text.
 */
export function parseDecimal(text: string): Decimal {
  const [, sign = '', whole, fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) throw new Error(`${text} is not a number.`);
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start += 1;
  while (end > start && all[end - 1] === '0') end -= 1;
  if (start === end) return { digits: 0n, exponent: 0, magnitude: 0 };
  const exponent = Number(power) - fraction.length + (all.length - end);
  return { digits: BigInt(sign + all.slice(start, end)), exponent, magnitude: end - start + exponent };
}

/** A text that only equal decimals have. */
export function keyOfDecimal({ digits, exponent }: Decimal): string {
  return `${digits}e${exponent}`;
}

/** Negative, zero or positive, as `a` is below, equal to or above `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = [signOf(a), signOf(b)];
  if (left !== right || left === 0) return left - right;
  // Numbers of equal magnitude are aligned by no more zeros than one of them has digits.
  if (a.magnitude !== b.magnitude) return left * (a.magnitude - b.magnitude);
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = scaled(a, exponent) - scaled(b, exponent);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** True for an integral multiple of `unit`. */
export function isMultiple(value: Decimal, unit: Decimal): boolean {
  if (value.digits === 0n) return true;
  // The digits do not end in 0: no multiple of the unit has decimal places below it.
  return value.exponent >= unit.exponent && scaled(value, unit.exponent) % unit.digits === 0n;
}

/** True for a number without fraction. */
export function isIntegral({ exponent }: Decimal): boolean {
  return exponent >= 0;
}

/** The number as a multiple of 10^`exponent`, which must not be above its own. */
export function scaled(value: Decimal, exponent: number): bigint {
  return value.digits * 10n ** BigInt(value.exponent - exponent);
}

/** The decimal text of a number. */
export function textOfNumber(number: ExactNumber): string {
  if (typeof number === 'number') return String(number);
  const { digits, exponent } = number;
  if (exponent >= 0) return String(scaled(number, 0));
  const text = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, exponent)}.${text.slice(exponent)}`;
}

/** Beyond so many digits, no double is an integer that is written with an exponent. */
const MOST_DIGITS = 309;

/** The integer of a JSON number, such as `12`, `12.0` or `1.2e1`; undefined for a fraction. */
export function integerOf(text: string): bigint | undefined {
  if (text.length > MAX_NUMBER_LENGTH) return undefined;
  const decimal = parseDecimal(text);
  const isShort = /^-?\d+$/.test(text) || decimal.magnitude <= MOST_DIGITS;
  return isIntegral(decimal) && isShort ? scaled(decimal, 0) : undefined;
}

/** A number as JSON writes it (RFC 8259, section 6). */
export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The text of a number: that of the double, if it holds the number, else as it was written. */
export function numberText(text: string): string {
  const exact = exactOf(text);
  return typeof exact === 'number' && !Number.isNaN(exact) ? String(exact) : text;
}

function signOf({ digits }: Decimal): number {
  return digits === 0n ? 0 : digits < 0n ? -1 : 1;
}

/** The exact value of a JSON number; NaN outside the range of doubles. */
export function exactOf(text: string): ExactNumber {
  const value = Number(text);
  if (String(value) === text && isExact(value)) return value;
  if (!Number.isFinite(value) || (value === 0 && /^[^e]*[1-9]/i.test(text))) return NaN;
  const decimal = parseDecimal(text);
  return isExact(value) && isWrittenAs(value, decimal) ? value : decimal;
}

/** Whether the text of a double is that of a decimal, whose digits are unique. */
function isWrittenAs(value: number, { digits, exponent }: Decimal): boolean {
  const written = parseDecimal(String(value));
  return written.digits === digits && written.exponent === exponent;
}

/** True for a double that means the number it is written as. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

/**
 * The number that a JSON number becomes where the contract does not say int64; undefined for one
 * that would change. A fraction is rounded to the nearest double, which is what JSON expects (RFC
 * 8259, section 6). An integer often names something, so that it is held exactly or not at all, and
 * no fraction becomes an integer beyond 2^53.
 */
export function heldNumber(text: string): number | undefined {
  const exact = exactOf(text);
  if (typeof exact === 'number') return Number.isNaN(exact) ? undefined : exact;
  const value = Number(text);
  if (!isIntegral(exact)) return isExact(value) ? value : undefined;
  return isWrittenAs(value, exact) ? value : undefined;
}
