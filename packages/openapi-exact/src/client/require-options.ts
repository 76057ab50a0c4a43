import type { AnyFormats } from '../schema/codec.ts';
import { formatsDisagreement } from '../schema/format-options.ts';
import type { ContractShapes } from './shape.ts';

/**
 * Refuses misspelt options, as the compiler does.
 * @throws TypeError that names the unknown option and the known ones.
 */
export function requireKnown(options: object, known: readonly string[], of: string): void {
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new TypeError(`${of} has no option ${unknown.join(', ')}: its options are ${known.join(', ')}.`);
}

/**
 * Normalises the base URL of a service, without trailing slashes.
 * @throws TypeError for an invalid URL. The message does not repeat it: it may contain a password.
 */
export function requireBaseUrl(value: unknown): string {
  const text = String(value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Only the href shows an empty query or fragment.
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === '') {
    if (!/[?#]/.test(url.href)) return url.href.replace(/\/+$/, '');
  }
  throw new TypeError('The base URL must be such as http://127.0.0.1:3000, without credentials, query and fragment.');
}

/**
 * Validates a time in milliseconds; Infinity means no limit.
 * @throws TypeError unless it is a number, RangeError when it is negative.
 */
export function requireDuration(value: unknown, name: string): number {
  const rule = `${name} must be a number of milliseconds, 0 or more, or Infinity for no limit`;
  if (typeof value !== 'number' || Number.isNaN(value)) throw new TypeError(`${rule}.`);
  if (value < 0) throw new RangeError(`${rule}, not ${value}.`);
  return value;
}

/** @throws TypeError unless a value is a whole number, or Infinity for no limit. */
export function requireCount(value: unknown, name: string): void {
  if (typeof value === 'number' && (value === Infinity || Number.isInteger(value)) && value >= 0) return;
  throw new TypeError(`${name} must be a whole number, 0 or more, or Infinity for no limit.`);
}

/** @throws TypeError unless each value is a function or undefined. */
export function requireFunctions(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && typeof value !== 'function') throw new TypeError(`${name} must be a function.`);
  }
}

/** @throws TypeError unless a value is among those allowed. */
export function requireOneOf(value: unknown, allowed: readonly unknown[], name: string): void {
  if (!allowed.includes(value)) throw new TypeError(`${name} must be ${allowed.map(String).join(' or ')}.`);
}

/**
 * @throws TypeError for formats without functions, that do not agree with the generated
 * types, or whose places the table does not have.
 */
export function requireFormats(formats: AnyFormats, { formats: generated }: ContractShapes): void {
  for (const format of Object.values(formats)) requireFunctions({ ...format });
  const mistake = formatsDisagreement(formats, generated, true);
  if (mistake !== undefined) throw new TypeError(mistake);
}

/** @throws TypeError unless the value is a table of shapes. */
export function requireShapes(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'operations' in value) return;
  throw new TypeError("createClient needs the option shapes: import { shapes } from './generated/shapes.ts'.");
}
